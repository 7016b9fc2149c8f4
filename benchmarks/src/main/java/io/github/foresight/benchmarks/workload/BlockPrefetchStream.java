/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;

/**
 * A sequential stream that has the block it reads and the blocks after it fetched into the heap, by several threads, each one a block. A seek to
 * another block than these drops them all. Reads by position go to the stream beneath. Not thread-safe, as HDFS's stream is in this use.
 */
final class BlockPrefetchStream extends FSInputStream {

    private final FSDataInputStream in;
    private final long length;
    private final long blockBytes;
    private final int pieceBytes;
    private final int blocksAtOnce;
    private final Executor fetchers;

    /** The blocks in the heap or on their way, in the order of the file. */
    private final Deque<FetchedBlock> blocks = new ArrayDeque<>();

    private long position;
    private boolean isClosed;

    /**
     * A stream at the file's begin.
     *
     * @param length of the file, bytes
     * @param blockBytes the file's block size
     * @param pieceBytes the bytes of one request to a DataNode
     * @param blocksAtOnce blocks in the heap, with the present one; at least 1
     * @param fetchers the threads that fetch blocks
     */
    BlockPrefetchStream(
            FSDataInputStream in, long length, long blockBytes, int pieceBytes, int blocksAtOnce, Executor fetchers) {
        this.in = in;
        this.length = length;
        this.blockBytes = blockBytes;
        this.pieceBytes = pieceBytes;
        this.blocksAtOnce = Math.max(1, blocksAtOnce);
        this.fetchers = fetchers;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int count) throws IOException {
        if (isClosed) {
            throw new IOException("the stream is closed");
        }
        if (count == 0) {
            return 0;
        }
        if (position >= length) {
            return -1;
        }
        FetchedBlock block = fetchAround(position);
        int read = block.copy(position, buffer, offset, count);
        position += read;
        return read;
    }

    /** Drops the blocks that the reader has left, has the next ones fetched, and returns the block at a position. */
    private FetchedBlock fetchAround(long at) {
        long begin = at - at % blockBytes;
        while (!blocks.isEmpty() && blocks.peekFirst().begin < begin) {
            blocks.removeFirst().cancel();
        }
        if (!blocks.isEmpty() && blocks.peekFirst().begin != begin) {
            dropAll();
        }
        long next = blocks.isEmpty() ? begin : blocks.peekLast().begin + blockBytes;
        for (; blocks.size() < blocksAtOnce && next < length; next += blockBytes) {
            FetchedBlock block = new FetchedBlock(next, Math.min(blockBytes, length - next));
            blocks.addLast(block);
            fetchers.execute(block::fetch);
        }
        return blocks.peekFirst();
    }

    private void dropAll() {
        blocks.forEach(FetchedBlock::cancel);
        blocks.clear();
    }

    @Override
    public void seek(long to) throws IOException {
        if (to < 0 || to > length) {
            throw new EOFException("Cannot seek to " + to + " of " + length + " bytes");
        }
        position = to;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
        return false;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, length - position);
    }

    @Override
    public int read(long from, byte[] buffer, int offset, int count) throws IOException {
        return in.read(from, buffer, offset, count);
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        dropAll();
        in.close();
    }

    /** A block, whose pieces one thread fetches in their order. */
    private final class FetchedBlock {

        private final long begin;
        private final long bytes;
        private final List<CompletableFuture<byte[]>> pieces = new ArrayList<>();
        private volatile boolean isCancelled;

        FetchedBlock(long begin, long bytes) {
            this.begin = begin;
            this.bytes = bytes;
            for (long at = 0; at < bytes; at += pieceBytes) {
                pieces.add(new CompletableFuture<>());
            }
        }

        void fetch() {
            for (int i = 0; i < pieces.size() && !isCancelled; i++) {
                long at = (long) i * pieceBytes;
                try {
                    byte[] piece = new byte[(int) Math.min(pieceBytes, bytes - at)];
                    in.readFully(begin + at, piece);
                    pieces.get(i).complete(piece);
                } catch (IOException | RuntimeException | OutOfMemoryError e) {
                    pieces.forEach(each -> each.completeExceptionally(e));
                    return;
                }
            }
        }

        int copy(long from, byte[] buffer, int offset, int count) throws IOException {
            int index = (int) ((from - begin) / pieceBytes);
            int at = (int) ((from - begin) % pieceBytes);
            byte[] piece = await(pieces.get(index));
            int copied = Math.min(count, piece.length - at);
            System.arraycopy(piece, at, buffer, offset, copied);
            return copied;
        }

        private byte[] await(CompletableFuture<byte[]> piece) throws IOException {
            try {
                return piece.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while a block was fetched");
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            }
        }

        void cancel() {
            isCancelled = true;
        }
    }
}

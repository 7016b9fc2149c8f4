/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.vectored;

import io.github.foresight.core.vectored.MergedRange;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;

/**
 * The vectored reads of one stream.
 *
 * <pre>
 *   ranges ── beyond the end? ── EOFException
 *     │
 *     └─ RangeMerger ── a read of one range ────── into the caller's buffer
 *                    └─ a read of several ranges ─ into a buffer of ours, then copied into the caller's
 * </pre>
 *
 * <p>A buffer of ours lives as long as its read and is no longer than a merged read may be. A failed read fails the ranges that it covers and
 * no other. {@link #close} fails all ranges that are not read yet. Thread-safe.
 *
 * <p>Source: {@code PositionedReadable.readVectored} of Hadoop 3.3.5 and later, whose own form reads one range after the other.
 */
public final class StreamRanges implements AutoCloseable {

    /** A positioned read of HDFS's own. */
    @FunctionalInterface
    public interface Source {
        /**
         * Fills a buffer.
         *
         * @throws EOFException if the file ends before
         */
        void readFully(long position, ByteBuffer into) throws IOException;
    }

    /** Decides which source does each of the reads of one vectored read. */
    @FunctionalInterface
    public interface Sources {
        /** A source for each read, in the order of the reads. */
        List<Source> forReads(List<MergedRange> reads);

        /** The same source for all reads. */
        static Sources only(Source source) {
            return reads -> Collections.nCopies(reads.size(), source);
        }
    }

    private final VectoredReads shared;
    private final Sources sources;
    private final Set<RangeRead> outstanding = ConcurrentHashMap.newKeySet();
    private final AtomicLong vectoredReads = new AtomicLong();
    private final AtomicLong rangesWanted = new AtomicLong();
    private final AtomicLong rangesMerged = new AtomicLong();
    private volatile boolean closed;

    /** Ranges of a stream that reads by position from {@code sources}, on several threads at a time. */
    public StreamRanges(VectoredReads shared, Sources sources) {
        this.shared = shared;
        this.sources = sources;
    }

    /**
     * Begins to read ranges, and gives each of them the future of its data.
     *
     * @param ranges valid ones, as Hadoop's {@code VectoredReadUtils} says
     * @param allocate makes a range's buffer; called from several threads
     * @param release takes back a buffer that could not be filled
     */
    public void read(
            List<? extends FileRange> ranges,
            long fileLength,
            IntFunction<ByteBuffer> allocate,
            Consumer<ByteBuffer> release) {
        List<RangeRead> readable = new ArrayList<>(ranges.size());
        for (FileRange range : ranges) {
            RangeRead wanted = new RangeRead(range, allocate, release);
            if (closed) {
                wanted.fail(closed());
            } else if (range.getOffset() > fileLength - range.getLength()) {
                wanted.fail(new EOFException("the range of " + range.getLength() + " bytes at " + range.getOffset()
                        + " ends beyond the file's end at " + fileLength));
            } else {
                outstanding.add(wanted);
                readable.add(wanted);
            }
        }
        Executor executor = shared.executor();
        List<MergedRange> reads = merged(readable);
        vectoredReads.incrementAndGet();
        rangesWanted.addAndGet(ranges.size());
        rangesMerged.addAndGet(reads.size());
        Iterator<Source> source = sources.forReads(reads).iterator();
        for (MergedRange read : reads) {
            List<RangeRead> members = new ArrayList<>(read.members().size());
            read.members().forEach(member -> members.add(readable.get(member)));
            Source from = source.next();
            executor.execute(() -> read(read, members, from));
        }
        if (closed) {
            close();
        }
    }

    /** The vectored reads so far. */
    public long vectoredReads() {
        return vectoredReads.get();
    }

    /** The ranges that these vectored reads have asked for. */
    public long rangesWanted() {
        return rangesWanted.get();
    }

    /** The ranges that were read for them, each in one read. */
    public long rangesMerged() {
        return rangesMerged.get();
    }

    private List<MergedRange> merged(List<RangeRead> ranges) {
        long[] offsets = new long[ranges.size()];
        int[] lengths = new int[ranges.size()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = ranges.get(i).offset;
            lengths[i] = ranges.get(i).length;
        }
        return shared.merger().merge(offsets, lengths);
    }

    private void read(MergedRange read, List<RangeRead> members, Source source) {
        if (members.stream().noneMatch(outstanding::contains)) {
            return;
        }
        try {
            if (members.size() == 1) {
                members.get(0).fill(into -> source.readFully(read.offset(), into));
                return;
            }
            ByteBuffer all = ByteBuffer.allocate(read.lengthBytes());
            source.readFully(read.offset(), all);
            for (RangeRead range : members) {
                ByteBuffer part = all.duplicate();
                part.position((int) (range.offset - read.offset()));
                part.limit(part.position() + range.length);
                range.fill(into -> into.put(part));
            }
        } catch (IOException | RuntimeException | Error e) {
            members.forEach(range -> range.fail(e));
        }
    }

    /** A range that was asked for, and the future of its data. Ends once. */
    private final class RangeRead {
        private final long offset;
        private final int length;
        private final IntFunction<ByteBuffer> allocate;
        private final Consumer<ByteBuffer> release;
        private final CompletableFuture<ByteBuffer> data = new CompletableFuture<>();

        RangeRead(FileRange range, IntFunction<ByteBuffer> allocate, Consumer<ByteBuffer> release) {
            this.offset = range.getOffset();
            this.length = range.getLength();
            this.allocate = allocate;
            this.release = release;
            range.setData(data);
        }

        /** Ends well, unless it has ended otherwise meanwhile: then nobody will see the buffer. */
        void fill(Filling filling) throws IOException {
            ByteBuffer buffer = allocate.apply(length);
            boolean taken = false;
            try {
                // The buffer of a pool may be longer than was asked for.
                int begin = buffer.position();
                buffer.limit(begin + length);
                filling.into(buffer);
                buffer.position(begin);
                outstanding.remove(this);
                taken = data.complete(buffer);
            } finally {
                if (!taken) {
                    release.accept(buffer);
                }
            }
        }

        void fail(Throwable failure) {
            outstanding.remove(this);
            data.completeExceptionally(failure);
        }
    }

    @FunctionalInterface
    private interface Filling {
        void into(ByteBuffer buffer) throws IOException;
    }

    /** Fails the ranges that are not read yet. */
    @Override
    public void close() {
        closed = true;
        for (RangeRead range : outstanding) {
            range.fail(closed());
        }
    }

    private static IOException closed() {
        return new IOException("the stream was closed before the range was read");
    }
}

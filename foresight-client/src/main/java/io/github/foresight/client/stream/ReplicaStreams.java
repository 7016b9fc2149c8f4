/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.hint.ReaderHost;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.vectored.StreamRanges;
import io.github.foresight.core.vectored.MergedRange;
import io.github.foresight.core.vectored.ReplicaSpread;
import io.github.foresight.core.vectored.ReplicaSpread.Replica;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's streams that do the vectored reads of one opened file. Stream r has a layout whose blocks list their r-th replica first.
 *
 * <pre>
 *   read of a vectored read ── ReplicaSpread ── stream 0: replicas A, B, C
 *                                            ├─ stream 1: replicas B, A, C
 *                                            └─ stream 2: replicas C, A, B
 *   a read beyond the layout of the open ────── the application's own stream
 *   a read that fails with a cached layout ──── the application's own stream
 * </pre>
 *
 * <p>All streams have the layout with which the file was opened, so they ask the NameNode for nothing. A stream is opened by the first read
 * that needs it. With a layout that came from the NameNode a failure is the reader's, as it is stock HDFS's.
 *
 * <p>A cached layout may be stale. Then the application's stream may take on the blocks of the file's successor, but only if no byte was
 * delivered. A read here counts its bytes first, and then looks whether the application's stream has taken on other blocks. The application's
 * stream does both in the other order ({@link ServedLayout}). So bytes of two files are never mixed. Thread-safe.
 */
public final class ReplicaStreams implements StreamRanges.Sources, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaStreams.class);

    /** A stream that reads by position. */
    public interface Stream extends StreamRanges.Source, Closeable {
        /** The statistics of the stream's reads. */
        ReadStatistics statistics();
    }

    /** Opens a stream of the file with a layout. */
    @FunctionalInterface
    public interface Opener {
        Stream open(LocatedBlocks layout) throws IOException;
    }

    private final StreamRanges.Source application;
    private final LocatedBlocks layout;
    private final @Nullable BooleanSupplier isReplaced;
    private final Opener opener;
    private final AtomicLong deliveredBytes = new AtomicLong();

    @GuardedBy("this")
    private final @Nullable Stream[] streams;

    private final int replicasMax;

    @GuardedBy("this")
    private boolean closed;

    /**
     * Streams of a file; opens none.
     *
     * @param application reads from the application's own stream
     * @param layout with which the file was opened; nobody changes it
     * @param isReplaced of a cached layout, whether the application's stream has taken on other blocks; null for the NameNode's layout
     * @param replicasMax how many replicas of a block are read at a time, at least 1
     */
    public ReplicaStreams(
            StreamRanges.Source application,
            LocatedBlocks layout,
            @Nullable BooleanSupplier isReplaced,
            int replicasMax,
            Opener opener) {
        this.application = application;
        this.layout = layout;
        this.isReplaced = isReplaced;
        this.replicasMax = replicasMax;
        this.opener = opener;
        this.streams = new Stream[replicasMax];
    }

    /** A layout whose blocks can be read from a replica of choice: replicated, closed, not encrypted. */
    static boolean isSuitable(LocatedBlocks layout) {
        return layout.getErasureCodingPolicy() == null
                && layout.getFileEncryptionInfo() == null
                && !layout.isUnderConstruction();
    }

    /** The bytes that these streams have delivered. */
    long deliveredBytes() {
        return deliveredBytes.get();
    }

    /** Adds the statistics of these streams to those of another. */
    void addStatisticsTo(ReadStatistics sum) {
        for (Stream stream : openStreams()) {
            ReadStatistics one = stream.statistics();
            sum.addRemoteBytes(one.getRemoteBytesRead());
            sum.addLocalBytes(one.getTotalLocalBytesRead() - one.getTotalShortCircuitBytesRead());
            sum.addShortCircuitBytes(one.getTotalShortCircuitBytesRead());
        }
    }

    void clearStatistics() {
        openStreams().forEach(stream -> stream.statistics().clear());
    }

    @Override
    public List<StreamRanges.Source> forReads(List<MergedRange> reads) {
        ReplicaSpread spread = new ReplicaSpread(replicasMax);
        List<StreamRanges.Source> sources = new ArrayList<>(reads.size());
        for (MergedRange read : reads) {
            LocatedBlock block = blockAt(read.offset());
            if (block == null || block.getLocations().length == 0) {
                sources.add(application);
            } else {
                int replica = spread.assign(replicas(block), read.lengthBytes());
                sources.add((position, into) -> read(replica, position, into));
            }
        }
        return sources;
    }

    private @Nullable LocatedBlock blockAt(long offset) {
        for (LocatedBlock block : layout.getLocatedBlocks()) {
            if (offset >= block.getStartOffset() && offset < block.getStartOffset() + block.getBlockSize()) {
                return block;
            }
        }
        return null;
    }

    private static List<Replica> replicas(LocatedBlock block) {
        List<Replica> replicas = new ArrayList<>(block.getLocations().length);
        for (DatanodeInfo node : block.getLocations()) {
            replicas.add(new Replica(node.getDatanodeUuid(), node.getNetworkLocation(), ReaderHost.has(node)));
        }
        return replicas;
    }

    private void read(int replica, long position, ByteBuffer into) throws IOException {
        int begin = into.position();
        int length = into.remaining();
        try {
            if (isCurrent()) {
                ServedLayout.forgetConsulted();
                stream(replica).readFully(position, into);
                deliveredBytes.addAndGet(length);
                if (isCurrent()) {
                    ClientMetrics.INSTANCE.rangeReads.incr();
                    return;
                }
            }
        } catch (IOException e) {
            if (isReplaced == null) {
                throw e;
            }
            ClientMetrics.INSTANCE.rangeReadFailures.incr();
            LOG.debug("{} bytes at {} are read by the application's stream", length, position, e);
        }
        into.position(begin);
        application.readFully(position, into);
    }

    private boolean isCurrent() {
        return isReplaced == null || !isReplaced.getAsBoolean();
    }

    private synchronized Stream stream(int replica) throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        Stream stream = streams[replica];
        if (stream == null) {
            stream = opener.open(withReplicaFirst(replica));
            streams[replica] = stream;
        }
        return stream;
    }

    private LocatedBlocks withReplicaFirst(int replica) {
        List<LocatedBlock> blocks = new ArrayList<>(layout.locatedBlockCount());
        for (LocatedBlock block : layout.getLocatedBlocks()) {
            blocks.add(withReplicaFirst(block, replica));
        }
        return new LocatedBlocks(
                layout.getFileLength(),
                false,
                blocks,
                layout.getLastLocatedBlock(),
                layout.isLastBlockComplete(),
                null,
                null);
    }

    /** A copy in any case: HDFS changes the layout of a stream, tokens for example. */
    private static LocatedBlock withReplicaFirst(LocatedBlock block, int replica) {
        int first = replica < block.getLocations().length ? replica : 0;
        LocatedBlock copy = new LocatedBlock(
                block.getBlock(),
                moved(block.getLocations(), first),
                block.getStorageIDs() == null ? null : moved(block.getStorageIDs(), first),
                block.getStorageTypes() == null ? null : moved(block.getStorageTypes(), first),
                block.getStartOffset(),
                block.isCorrupt(),
                block.getCachedLocations());
        copy.setBlockToken(block.getBlockToken());
        return copy;
    }

    private static <T> T[] moved(T[] array, int toFront) {
        T[] copy = array.clone();
        if (toFront < copy.length) {
            System.arraycopy(array, 0, copy, 1, toFront);
            copy[0] = array[toFront];
        }
        return copy;
    }

    private synchronized List<Stream> openStreams() {
        List<Stream> open = new ArrayList<>(streams.length);
        for (Stream stream : streams) {
            if (stream != null) {
                open.add(stream);
            }
        }
        return open;
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
        }
        for (Stream stream : openStreams()) {
            stream.close();
        }
    }
}

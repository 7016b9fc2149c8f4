/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.vectored.StreamRanges;
import io.github.foresight.core.vectored.MergedRange;
import io.github.foresight.core.vectored.ReplicaSpread;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.net.NetUtils;
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
 *   a read that fails ── the application's own stream, which fails as HDFS's does
 * </pre>
 *
 * <p>A read stays on the rack of HDFS's first choice, or on the reader's host if the first choice is there. All streams have
 * the layout with which the file was opened, so they ask the NameNode for nothing. They are opened by the first read that needs them. Thread-safe.
 */
final class ReplicaStreams implements StreamRanges.Sources, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaStreams.class);

    /** A stream that reads by position. */
    interface Stream extends StreamRanges.Source, Closeable {}

    /** Opens a stream of the file with a layout. */
    @FunctionalInterface
    interface Opener {
        Stream open(LocatedBlocks layout) throws IOException;
    }

    private final StreamRanges.Source application;
    private final LocatedBlocks layout;
    private final BooleanSupplier isCurrent;
    private final int replicasMax;
    private final Opener opener;
    private final AtomicLong deliveredBytes = new AtomicLong();

    @GuardedBy("this")
    private final @Nullable Stream[] streams;

    @GuardedBy("this")
    private boolean closed;

    /**
     * Streams of a file; opens none.
     *
     * @param application reads from the application's own stream
     * @param layout with which the file was opened; nobody changes it
     * @param isCurrent whether the application's stream still reads the blocks of that layout
     * @param replicasMax how many replicas of a block are read at a time, at least 1
     */
    ReplicaStreams(
            StreamRanges.Source application,
            LocatedBlocks layout,
            BooleanSupplier isCurrent,
            int replicasMax,
            Opener opener) {
        this.application = application;
        this.layout = layout;
        this.isCurrent = isCurrent;
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

    @Override
    public List<StreamRanges.Source> forReads(List<MergedRange> reads) {
        ReplicaSpread spread = new ReplicaSpread();
        List<StreamRanges.Source> sources = new ArrayList<>(reads.size());
        for (MergedRange read : reads) {
            LocatedBlock block = blockAt(read.offset());
            List<Integer> replicas = block == null ? ImmutableList.of() : nearReplicas(block);
            if (block == null || replicas.isEmpty()) {
                sources.add(application);
            } else {
                int replica = replicas.get(spread.assign(nodes(block, replicas), read.lengthBytes()));
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

    /** The indexes of the replicas that are as near as the first: on the reader's host, or on the first replica's rack. */
    private List<Integer> nearReplicas(LocatedBlock block) {
        DatanodeInfo[] nodes = block.getLocations();
        List<Integer> near = new ArrayList<>(nodes.length);
        for (int i = 0; i < Math.min(nodes.length, replicasMax); i++) {
            if (i == 0 || isAsNear(nodes[i], nodes[0])) {
                near.add(i);
            }
        }
        return near;
    }

    private static boolean isAsNear(DatanodeInfo node, DatanodeInfo first) {
        return isLocal(first) ? isLocal(node) : node.getNetworkLocation().equals(first.getNetworkLocation());
    }

    private static boolean isLocal(DatanodeInfo node) {
        try {
            return DFSUtilClient.isLocalAddress(NetUtils.createSocketAddr(node.getXferAddr()));
        } catch (IOException e) {
            LOG.debug("Whether {} is this host is not known", node, e);
            return false;
        }
    }

    private static List<String> nodes(LocatedBlock block, List<Integer> replicas) {
        DatanodeInfo[] nodes = block.getLocations();
        List<String> uuids = new ArrayList<>(replicas.size());
        for (int replica : replicas) {
            uuids.add(nodes[replica].getDatanodeUuid());
        }
        return uuids;
    }

    private void read(int replica, long position, ByteBuffer into) throws IOException {
        int begin = into.position();
        int length = into.remaining();
        try {
            if (isCurrent.getAsBoolean()) {
                ServedLayout.forgetConsulted();
                stream(replica).readFully(position, into);
                deliveredBytes.addAndGet(length);
                ClientMetrics.INSTANCE.rangeReads.incr();
                return;
            }
        } catch (IOException e) {
            ClientMetrics.INSTANCE.rangeReadFailures.incr();
            LOG.debug("{} bytes at {} are read by the application's stream", length, position, e);
        }
        into.position(begin);
        application.readFully(position, into);
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

    @Override
    public void close() throws IOException {
        List<Stream> open = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (Stream stream : streams) {
                if (stream != null) {
                    open.add(stream);
                }
            }
        }
        for (Stream stream : open) {
            stream.close();
        }
    }
}

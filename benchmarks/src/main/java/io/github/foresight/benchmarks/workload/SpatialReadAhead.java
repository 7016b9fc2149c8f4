/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import io.github.foresight.protocol.hint.HintProtocolPB;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The rival: spatial read-ahead over scattered objects, "SPA" in NBJLOFS (section 3.3). A read prefetches the objects from its own object to
 * the width of a window, except the objects of the previous window. Each object is a request of its own, to the node from which the stream
 * would read it. Not thread-safe.
 */
final class SpatialReadAhead implements Closeable {

    private static final int THREADS = 4;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final long CLIENT_ID = 0x5350_4100L;

    private final Configuration conf;
    private final long objectBytes;
    private final int windowObjects;
    private final ExecutorService senders = Executors.newFixedThreadPool(THREADS);
    private final Map<InetSocketAddress, HintProtocolPB> nodes = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    SpatialReadAhead(Configuration conf, long objectBytes, int windowObjects) {
        this.conf = new Configuration(conf);
        this.objectBytes = objectBytes;
        this.windowObjects = windowObjects;
        RPC.setProtocolEngine(this.conf, HintProtocolPB.class, ProtobufRpcEngine2.class);
    }

    long requests() {
        return requests.get();
    }

    /** Requests that a DataNode refused, or that failed. */
    long refused() {
        return refused.get();
    }

    /** One file and its last window. */
    final class File {
        private final long number;
        private final List<LocatedBlock> blocks;
        private final long fileBytes;
        private Set<Long> window = new HashSet<>();

        File(long number, List<LocatedBlock> blocks, long fileBytes) {
            this.number = number;
            this.blocks = blocks;
            this.fileBytes = fileBytes;
        }

        /** Prefetches before a read at an offset. */
        void beforeRead(long offset) {
            Set<Long> now = new HashSet<>();
            long first = offset / objectBytes;
            for (long object = first; object < first + windowObjects && object * objectBytes < fileBytes; object++) {
                now.add(object);
                if (!window.contains(object)) {
                    prefetch(object);
                }
            }
            window = now;
        }

        private void prefetch(long object) {
            long begin = object * objectBytes;
            long end = Math.min(fileBytes, begin + objectBytes);
            Map<InetSocketAddress, List<HintedBlockProto>> parts = new LinkedHashMap<>();
            String pool = blocks.get(0).getBlock().getBlockPoolId();
            for (LocatedBlock block : blocks) {
                long from = Math.max(begin, block.getStartOffset());
                long to = Math.min(end, block.getStartOffset() + block.getBlockSize());
                if (from < to) {
                    parts.computeIfAbsent(
                                    NetUtils.createSocketAddr(block.getLocations()[0].getIpcAddr(false)),
                                    unused -> new ArrayList<>())
                            .add(HintedBlockProto.newBuilder()
                                    .setBlockId(block.getBlock().getBlockId())
                                    .setGenerationStamp(block.getBlock().getGenerationStamp())
                                    .setOffset(block.getStartOffset())
                                    .setLength(block.getBlockSize())
                                    .setRangeOffset(from - block.getStartOffset())
                                    .setRangeLength(to - from)
                                    .build());
                }
            }
            parts.forEach((node, records) -> send(
                    node,
                    HintRequestProto.newBuilder()
                            .setOpType(OpType.WINDOW)
                            .setClientId(CLIENT_ID)
                            .setFileId(number << 32 | object)
                            .setBlockPoolId(pool)
                            .setBlockNum(records.size())
                            .addAllBlocks(records)
                            .build()));
        }
    }

    private void send(InetSocketAddress node, HintRequestProto request) {
        requests.incrementAndGet();
        senders.execute(() -> {
            try {
                if (proxy(node).hint(null, request).getAccepted() == 0) {
                    refused.incrementAndGet();
                }
            } catch (Exception e) {
                refused.incrementAndGet();
            }
        });
    }

    private HintProtocolPB proxy(InetSocketAddress node) throws IOException {
        HintProtocolPB known = nodes.get(node);
        if (known != null) {
            return known;
        }
        HintProtocolPB made = RPC.getProxy(
                HintProtocolPB.class,
                HintProtocolPB.PROTOCOL_VERSION,
                node,
                UserGroupInformation.getCurrentUser(),
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                TIMEOUT_MILLIS);
        HintProtocolPB before = nodes.putIfAbsent(node, made);
        return before == null ? made : before;
    }

    @Override
    public void close() {
        senders.shutdownNow();
        nodes.values().forEach(RPC::stopProxy);
    }
}

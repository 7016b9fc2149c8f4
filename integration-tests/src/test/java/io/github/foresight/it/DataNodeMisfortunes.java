/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.cluster.SlowLinks;
import io.github.foresight.protocol.hint.HintProtocolPB;
import io.github.foresight.protocol.hint.HintRequests;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * What befalls the daemons of a cluster from outside, one thing after the other. A seed determines what and when.
 *
 * <p>Replicas are damaged on DataNode 0. DataNode 1 is killed, stopped and cut off, and has a wrong clock or a slow link at times. The disk of
 * DataNode 2 is slow or full at times, and fails at times, with all its data. So a block of three replicas mostly has a good one on a DataNode
 * that works. Garbage and hints go to all. Not thread-safe.
 */
final class DataNodeMisfortunes {

    /** The DataNode with damaged replicas. */
    static final int DAMAGED = 0;

    /** The DataNode that is away at times. */
    static final int AWAY = 1;

    /** The DataNode with the poor disk. */
    static final int POOR = 2;

    /** The port of the discard service, to which nobody here sends. */
    private static final int UNUSED_PORT = 9;

    private static final int PAUSE_MAX_MILLIS = 4000;
    private static final long SLOW_LINK_BYTES_PER_SECOND = 512 << 10;
    private static final int WRONG_HOURS_MAX = 48;
    private static final int HINTS_OF_STORM = 400;
    private static final int GARBAGE_BYTES_MAX = 8192;

    /** What may befall. */
    enum Kind {
        KILLED,
        STOPPED,
        CUT_OFF,
        REPLICA_DAMAGED,
        GARBAGE_SENT,
        HINTS_STORMED,
        DISK_SLOWED,
        DISK_FILLED,
        DISK_FAILED,
        CLOCK_SET_WRONG,
        LINK_SLOWED
    }

    private static final List<OpType> OPERATIONS = List.of(OpType.values());

    private final TestCluster cluster;
    private final Means means;
    private final DistributedFileSystem fs;
    private final Random random;

    /** What comes next: all kinds in a random order, again and again. */
    private final Deque<Kind> coming = new ArrayDeque<>();

    /**
     * What this host offers for misfortunes.
     *
     * @param canCutOff whether packets can be filtered
     * @param disk of the DataNode {@link #POOR}, if it has one of its own
     * @param clock of the daemons, if it can be wrong
     * @param links of the DataNodes, if they can be slow
     */
    record Means(
            boolean canCutOff,
            @Nullable PoorDisk disk,
            @Nullable WrongClock clock,
            @Nullable SlowLinks links) implements Closeable {

        /** Looks for the means of this host, prepares a plan for them, and prints the missing ones. */
        static Means of(TestCluster.Plan plan) throws IOException, InterruptedException {
            boolean canCutOff = cutOff(UNUSED_PORT, "DROP", 0) && cutOff(UNUSED_PORT, "REJECT", 0);
            if (!canCutOff) {
                System.out.println("NO DataNode is cut off: iptables is missing, or this user may not filter packets");
            }
            PoorDisk disk = null;
            try {
                disk = PoorDisk.of(POOR, plan);
            } catch (IOException e) {
                System.out.println("NO disk becomes slow or full, or fails: " + e.getMessage());
            }
            WrongClock clock = WrongClock.of(plan).orElse(null);
            if (clock == null) {
                System.out.println("NO clock is wrong: FORESIGHT_FAKETIME does not name faketime's library");
            }
            SlowLinks links = null;
            try {
                links = SlowLinks.open();
            } catch (IOException e) {
                System.out.println("NO link becomes slow (root and tc are needed): " + e);
            }
            return new Means(canCutOff, disk, clock, links);
        }

        /** What may befall on this host. */
        Set<Kind> possible() {
            Set<Kind> kinds = EnumSet.allOf(Kind.class);
            if (!canCutOff) {
                kinds.remove(Kind.CUT_OFF);
            }
            if (disk == null) {
                kinds.removeAll(EnumSet.of(Kind.DISK_SLOWED, Kind.DISK_FILLED, Kind.DISK_FAILED));
            }
            if (clock == null) {
                kinds.remove(Kind.CLOCK_SET_WRONG);
            }
            if (links == null) {
                kinds.remove(Kind.LINK_SLOWED);
            }
            return kinds;
        }

        @Override
        public void close() throws IOException {
            if (links != null) {
                links.close();
            }
            if (disk != null) {
                disk.close();
            }
        }
    }

    DataNodeMisfortunes(TestCluster cluster, Means means, DistributedFileSystem fs, long seed) {
        this.cluster = cluster;
        this.means = means;
        this.fs = fs;
        this.random = new Random(seed);
    }

    /**
     * After a while, one thing happens.
     *
     * @param path a file, which need not be there
     * @return what has happened; null if there was no replica to damage
     */
    @Nullable
    Kind next(String path) throws Exception {
        pause();
        if (coming.isEmpty()) {
            List<Kind> order = new ArrayList<>(means.possible());
            Collections.shuffle(order, random);
            coming.addAll(order);
        }
        Kind kind = coming.remove();
        switch (kind) {
            case KILLED -> kill();
            case STOPPED ->
                DaemonProcesses.whileStopped(
                        cluster.processes().dataNodes().get(AWAY).pid(), this::pause);
            case CUT_OFF -> {
                String target = random.nextBoolean() ? "DROP" : "REJECT";
                if (!cutOff(cluster.processes().dataPort(AWAY), target, random.nextInt(PAUSE_MAX_MILLIS))) {
                    throw new IOException("iptables fails, which has worked at the start");
                }
            }
            case REPLICA_DAMAGED -> {
                if (!damage(path)) {
                    coming.addFirst(kind);
                    return null;
                }
            }
            case GARBAGE_SENT -> sendGarbage();
            case HINTS_STORMED -> stormHints(path);
            case DISK_SLOWED -> Objects.requireNonNull(means.disk()).whileSlow(this::pause);
            case DISK_FILLED -> Objects.requireNonNull(means.disk()).whileFull(this::pause);
            case DISK_FAILED -> {
                PoorDisk disk = Objects.requireNonNull(means.disk());
                disk.whileFailed(
                        this::pause,
                        () -> cluster.processes().dataNodes().get(POOR).kill());
                cluster.processes().restartDataNode(POOR, cluster.dataNodeInstallation());
            }
            case CLOCK_SET_WRONG ->
                Objects.requireNonNull(means.clock())
                        .whileWrong(
                                (random.nextBoolean() ? 1 : -1) * (1 + random.nextInt(WRONG_HOURS_MAX)), this::kill);
            case LINK_SLOWED -> slowLink(Objects.requireNonNull(means.links()));
        }
        return kind;
    }

    private void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(PAUSE_MAX_MILLIS));
    }

    private void kill() throws Exception {
        cluster.processes().dataNodes().get(AWAY).kill();
        pause();
        cluster.processes().restartDataNode(AWAY, cluster.dataNodeInstallation());
    }

    private void slowLink(SlowLinks links) throws IOException, InterruptedException {
        List<Integer> port = List.of(cluster.processes().dataPort(AWAY));
        try {
            links.limit(port, SLOW_LINK_BYTES_PER_SECOND);
            pause();
        } finally {
            links.free(port);
        }
    }

    /** Lets no packet come to a port for a while. A process of its own does it, so that the port is open again whatever becomes of this one. */
    private static boolean cutOff(int port, String target, long millis) throws IOException, InterruptedException {
        String rule = "INPUT -p tcp --dport " + port + " -j " + target;
        String script = String.format(
                Locale.ROOT, "iptables -w -I %s && sleep %.3f && iptables -w -D %s", rule, millis / 1000.0, rule);
        return new ProcessBuilder("sh", "-c", script)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** Damages the replicas of a file on one DataNode, if there is such a file, and the DataNode has some of them. */
    private boolean damage(String path) throws InterruptedException {
        boolean isDamaged = false;
        try {
            for (LocatedBlock block : TestCluster.blocks(fs, path)) {
                for (int i = 0; i < block.getLocations().length; i++) {
                    if (block.getLocations()[i].getXferPort()
                            == cluster.processes().dataPort(DAMAGED)) {
                        cluster.corruptReplica(DAMAGED, block);
                        isDamaged = true;
                    }
                }
            }
        } catch (IOException e) {
            // The file has gone.
        }
        return isDamaged;
    }

    /** Random bytes, and such as begin like a call of HDFS's protocols, to each port with a protocol. */
    private void sendGarbage() {
        int node = random.nextInt(cluster.processes().dataNodes().size());
        int[] ports = {
            cluster.processes().dataPort(node),
            cluster.processes().ipcPort(node),
            URI.create(cluster.processes().uri()).getPort()
        };
        for (int port : ports) {
            byte[] garbage = new byte[1 + random.nextInt(GARBAGE_BYTES_MAX)];
            random.nextBytes(garbage);
            byte[] begin = port == ports[0]
                    ? new byte[] {0, 28, (byte) (80 + random.nextInt(10))}
                    : "hrpc\u0009\u0000\u0000".getBytes(StandardCharsets.ISO_8859_1);
            if (random.nextBoolean()) {
                System.arraycopy(begin, 0, garbage, 0, Math.min(begin.length, garbage.length));
            }
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                    OutputStream out = socket.getOutputStream()) {
                out.write(garbage);
            } catch (IOException e) {
                // The daemon has closed the connection.
            }
        }
    }

    /** Many hints at once, most of them nonsense. */
    private void stormHints(String path) throws IOException {
        int node = random.nextInt(cluster.processes().dataNodes().size());
        HintProtocolPB proxy = cluster.hintProxy(node);
        try {
            List<LocatedBlock> blocks = blocksOrNone(path);
            for (int i = 0; i < HINTS_OF_STORM; i++) {
                proxy.hint(null, hint(blocks));
            }
        } catch (ServiceException e) {
            // The DataNode does not want it.
        } finally {
            RPC.stopProxy(proxy);
        }
    }

    private List<LocatedBlock> blocksOrNone(String path) {
        try {
            return TestCluster.blocks(fs, path);
        } catch (IOException e) {
            return List.of();
        }
    }

    private HintRequestProto hint(List<LocatedBlock> blocks) {
        HintRequestProto.Builder request = HintRequestProto.newBuilder()
                .setOpType(OPERATIONS.get(random.nextInt(OPERATIONS.size())))
                .setClientId(random.nextInt(5))
                .setFileId(random.nextInt(20))
                .setSequential(random.nextBoolean());
        int records = random.nextInt(4);
        for (int i = 0; i < records; i++) {
            request.addBlocks(record(blocks.isEmpty() ? null : blocks.get(random.nextInt(blocks.size()))));
        }
        if (!blocks.isEmpty()) {
            request.setBlockPoolId(blocks.get(0).getBlock().getBlockPoolId());
        }
        return request.setBlockNum(random.nextInt(8) == 0 ? random.nextInt() : records)
                .build();
    }

    private HintedBlockProto record(@Nullable LocatedBlock block) {
        HintedBlockProto.Builder record = block == null || random.nextInt(4) == 0
                ? HintedBlockProto.newBuilder()
                        .setBlockId(random.nextLong())
                        .setGenerationStamp(random.nextLong())
                        .setOffset(random.nextLong())
                        .setLength(random.nextLong())
                : HintRequests.block(
                        block.getBlock().getBlockId(),
                        block.getBlock().getGenerationStamp(),
                        block.getStartOffset(),
                        block.getBlockSize(),
                        block.getBlockToken());
        if (random.nextBoolean()) {
            record.setRangeOffset(random.nextInt(TestCluster.BLOCK)).setRangeLength(random.nextInt(TestCluster.BLOCK));
        }
        return record.build();
    }
}

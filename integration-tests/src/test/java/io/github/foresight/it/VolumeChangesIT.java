/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.foresight.cluster.Daemon;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.diskbalancer.datamodel.DiskBalancerVolume;
import org.apache.hadoop.hdfs.server.diskbalancer.planner.MoveStep;
import org.apache.hadoop.hdfs.server.diskbalancer.planner.NodePlan;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A DataNode's volumes and block pools change while their blocks are prefetched. Foresight keeps none of the old files open or mapped. */
final class VolumeChangesIT {

    private static final int BLOCKS = 4;

    @TempDir
    private Path folder;

    private final List<Path> volumes = new ArrayList<>();
    private TestCluster cluster;
    private FileSystem stock;

    @BeforeEach
    void start() throws Exception {
        for (String name : List.of("volume0", "volume1")) {
            volumes.add(Files.createDirectories(folder.resolve(name)));
        }
    }

    /** Starts a cluster whose hint sessions do not end by themselves. So only the change can release prefetched blocks. */
    private void startCluster() throws Exception {
        cluster = TestCluster.start(
                "volumes",
                1,
                Map.of(
                        "foresight.datanode.cache.capacity", "256m",
                        "foresight.datanode.prefetch.depth.max", "64",
                        "foresight.datanode.sessions.idle.time", "1h",
                        "foresight.datanode.cache.unaccessed.time", "1h",
                        "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0",
                        "dfs.datanode.data.dir", dataDirs(volumes)),
                Map.of());
        stock = cluster.stockClient();
    }

    @AfterEach
    void stop() throws Exception {
        if (cluster != null) {
            stock.close();
            cluster.close();
        }
        for (Path volume : volumes) {
            if (isMounted(volume)) {
                run("umount", "-l", volume.toString());
            }
        }
    }

    private static String dataDirs(List<Path> volumes) {
        return volumes.stream()
                .map(volume -> volume.resolve("data").toUri().toString())
                .collect(Collectors.joining(","));
    }

    private Daemon node() {
        return cluster.processes().dataNodes().get(0);
    }

    /** Writes a file and has all its blocks prefetched. */
    private List<LocatedBlock> held(String path) throws Exception {
        write(stock, path, BLOCKS, (short) 1);
        List<LocatedBlock> blocks = TestCluster.blocks(stock, path);
        for (int i = 0; i < blocks.size(); i++) {
            LocatedBlock block = blocks.get(i);
            HintRequestProto request = HintRequestProto.newBuilder()
                    .setOpType(OpType.HINT)
                    .setClientId(1)
                    .setFileId(i)
                    .setBlockPoolId(block.getBlock().getBlockPoolId())
                    .setSequential(true)
                    .setBlockNum(1)
                    .addBlocks(HintedBlockProto.newBuilder()
                            .setBlockId(block.getBlock().getBlockId())
                            .setGenerationStamp(block.getBlock().getGenerationStamp())
                            .setLength(block.getBlockSize()))
                    .build();
            assertThat(cluster.hintProxy(0).hint(null, request).getAccepted()).isOne();
        }
        eventually(() -> assertThat(cluster.metric("PrefetchedBlocks")).isGreaterThanOrEqualTo(BLOCKS));
        assertThat(heldBelow(volumes.get(0))).isNotEmpty();
        assertThat(heldBelow(volumes.get(1))).isNotEmpty();
        return blocks;
    }

    /** Returns the block files in a folder that the DataNode has open or mapped. */
    private List<String> heldBelow(Path below) throws IOException {
        return held(file -> file.startsWith(below.toString()) && file.contains("blk_"));
    }

    private List<String> held(Predicate<String> which) throws IOException {
        List<String> held = new ArrayList<>();
        Path process = Path.of("/proc/" + node().pid());
        for (String line : Files.readAllLines(process.resolve("maps"))) {
            int at = line.indexOf('/');
            if (at >= 0 && which.test(line.substring(at))) {
                held.add("mapped " + line.substring(at));
            }
        }
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            for (Path descriptor : descriptors.collect(Collectors.toList())) {
                String file = target(descriptor);
                if (which.test(file)) {
                    held.add("open " + file);
                }
            }
        }
        return held;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }

    @Test
    void blockMovedByTheDiskBalancer_oldFileIsLetGo() throws Exception {
        startCluster();
        List<LocatedBlock> blocks = held("/moved");
        String source = blocks.get(0).getStorageIDs()[0];
        String destination = blocks.stream()
                .map(block -> block.getStorageIDs()[0])
                .filter(storage -> !storage.equals(source))
                .findFirst()
                .orElseThrow();
        NodePlan plan = new NodePlan("127.0.0.1", cluster.processes().ipcPort(0));
        plan.setNodeUUID(blocks.get(0).getLocations()[0].getDatanodeUuid());
        plan.setTimeStamp(System.currentTimeMillis());
        MoveStep step = new MoveStep(volume(source), 0.5, volume(destination), 8L * BLOCK, "set");
        step.setTolerancePercent(50);
        plan.setVolumeSetPlans(new ArrayList<>(List.of(step)));
        String json = plan.toJson();

        ClientDatanodeProtocol node = DFSUtilClient.createClientDatanodeProtocolProxy(
                blocks.get(0).getLocations()[0], cluster.clientConf(), 10_000, false);
        node.submitDiskBalancerPlan(sha1(json), 1, "plan", json, true);

        eventually(() -> assertThat(storages("/moved")).containsOnly(destination));
        // A daemon's JMX page may be some seconds old.
        eventually(() -> assertThat(cluster.metric("Copies"))
                .as("prefetches gave way on either disk")
                .isPositive()
                .isEven());
        eventually(() -> assertThat(held(file -> file.contains("blk_") && file.endsWith("(deleted)")))
                .isEmpty());
        assertThat(cluster.metric("InternalErrors")).isZero();
    }

    private List<String> storages(String path) throws IOException {
        return TestCluster.blocks(stock, path).stream()
                .map(block -> block.getStorageIDs()[0])
                .collect(Collectors.toList());
    }

    private static DiskBalancerVolume volume(String storage) {
        DiskBalancerVolume volume = new DiskBalancerVolume();
        volume.setUuid(storage);
        volume.setPath(storage);
        volume.setStorageType("DISK");
        return volume;
    }

    private static String sha1(String text) throws Exception {
        StringBuilder hex = new StringBuilder();
        for (byte b : MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8))) {
            hex.append(String.format("%02x", b));
        }
        return hex.toString();
    }

    @Test
    void volumeTakenOutByReconfiguration_canBeUnmountedAtOnce() throws Exception {
        for (Path volume : volumes) {
            assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=256m", "none", volume.toString()) == 0, "may not mount");
        }
        startCluster();
        held("/unmounted");
        configure(Map.of("dfs.datanode.data.dir", dataDirs(volumes.subList(0, 1))));

        dfsAdmin("-reconfig", "datanode", ipcAddress(), "start");
        eventually(() -> assertThat(cluster.processes()
                        .dataNodes()
                        .get(0)
                        .bean("Hadoop:service=DataNode,name=DataNodeInfo")
                        .path("VolumeInfo")
                        .asText())
                .doesNotContain("volume1"));

        eventually(() -> assertThat(isReconfigured()).isTrue());
        assertThat(heldBelow(volumes.get(1))).isEmpty();
        assertThat(run("umount", volumes.get(1).toString())).isZero();
        assertThat(heldBelow(volumes.get(0))).as("the other volume goes on").isNotEmpty();
        assertThat(cluster.metric("InternalErrors")).isZero();
    }

    private boolean isReconfigured() throws Exception {
        return DFSUtilClient.createReconfigurationProtocolProxy(
                        NetUtils.createSocketAddr(ipcAddress()),
                        UserGroupInformation.getCurrentUser(),
                        cluster.clientConf(),
                        NetUtils.getDefaultSocketFactory(cluster.clientConf()))
                .getReconfigurationStatus()
                .stopped();
    }

    @Test
    void blockPoolShutDownAndDeleted_isLetGo() throws Exception {
        startCluster();
        String pool = held("/pool").get(0).getBlock().getBlockPoolId();
        // A DataNode releases a block pool when its nameservice is no longer configured. A changed address alone is not
        // sufficient.
        configure(Map.of("dfs.nameservices", "other", "dfs.namenode.rpc-address.other", "127.0.0.1:9"));

        dfsAdmin("-refreshNamenodes", ipcAddress());
        eventually(() -> assertThat(held(file -> file.contains("blk_"))).isEmpty());
        dfsAdmin("-deleteBlockPool", ipcAddress(), pool, "force");

        assertThat(held(file -> file.contains(pool))).isEmpty();
        assertThat(cluster.metric("InternalErrors")).isZero();
    }

    private void dfsAdmin(String... command) throws Exception {
        Configuration conf = cluster.clientConf();
        assertThat(ToolRunner.run(new DFSAdmin(conf), command)).isZero();
    }

    private String ipcAddress() {
        return "127.0.0.1:" + cluster.processes().ipcPort(0);
    }

    private Path conf() {
        return cluster.processes().workDir().resolve("datanode0").resolve("conf");
    }

    private void configure(Map<String, String> properties) throws IOException {
        for (Map.Entry<String, String> property : new TreeMap<>(properties).entrySet()) {
            HadoopSite.set(conf().resolve("hdfs-site.xml"), property.getKey(), property.getValue());
        }
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private static boolean isMounted(Path folder) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .anyMatch(line -> line.split(" ")[1].equals(folder.toString()));
    }

    /** A daemon's configuration file, which tests change while the daemon runs. */
    private static final class HadoopSite {

        private HadoopSite() {}

        static void set(Path file, String name, String value) throws IOException {
            Configuration site = new Configuration(false);
            site.addResource(file.toUri().toURL());
            site.set(name, value);
            try (OutputStream out = Files.newOutputStream(file)) {
                site.writeXml(out);
            }
        }
    }
}

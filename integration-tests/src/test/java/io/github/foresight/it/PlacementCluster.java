/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.CapacityClass;
import io.github.foresight.core.layout.LayoutHash;
import io.github.foresight.core.layout.ReplicaNodes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Six DataNodes in three racks under one NameNode, with or without the placement policy. Also writes files, and checks their contents and layouts.
 */
final class PlacementCluster implements AutoCloseable {

    static final int BLOCK = 4096;
    static final List<String> RACKS = List.of("/rack-a", "/rack-b", "/rack-c");
    static final int NODES = 6;

    private static final int WRITERS = 8;

    /** The daemons of the cluster. */
    private final ProcessCluster processes;

    private final Installation policy;
    private final Map<String, String> conf;
    private final DistributedFileSystem fs;
    private final Map<String, Written> written = new LinkedHashMap<>();

    /** The checksum and the properties of a written file. */
    private record Written(long checksum, int blocks, short replication) {}

    /** A file's layout: the nodes of each block. */
    record Layout(String path, long inode, short replication, List<List<DatanodeInfo>> blocks) {

        /** Returns the nodes that hold a replica of each block. */
        Set<String> holders() {
            Set<String> holders = new HashSet<>(names(blocks.get(0)));
            blocks.forEach(block -> holders.retainAll(names(block)));
            return holders;
        }

        boolean isWhole() {
            return blocks.stream().allMatch(block -> Set.copyOf(names(block)).size() == replication);
        }

        /** Returns the smallest number of racks among the blocks. */
        long racks() {
            return blocks.stream()
                    .mapToLong(block -> block.stream()
                            .map(DatanodeInfo::getNetworkLocation)
                            .distinct()
                            .count())
                    .min()
                    .orElse(0);
        }

        long blocksWithout(String node) {
            return blocks.stream().filter(block -> !names(block).contains(node)).count();
        }

        boolean hasReplicaOn(String node) {
            return blocks.stream().anyMatch(block -> names(block).contains(node));
        }

        private static List<String> names(List<DatanodeInfo> nodes) {
            return nodes.stream().map(DatanodeInfo::getDatanodeUuid).collect(Collectors.toList());
        }
    }

    private PlacementCluster(ProcessCluster processes, Installation policy, Map<String, String> conf)
            throws IOException {
        this.processes = processes;
        this.policy = policy;
        this.conf = conf;
        this.fs = client();
    }

    /** Starts a cluster whose NameNode places blocks as stock HDFS does. */
    static PlacementCluster startStock(String name) throws IOException, InterruptedException {
        return startStock(workDir(name), Map.of());
    }

    /** Makes the folder of a cluster that is to be started. */
    static Path workDir(String name) throws IOException {
        return Files.createDirectories(Path.of(System.getProperty("foresight.work"), name + "-" + System.nanoTime()));
    }

    /** Returns the folder in which a DataNode of a cluster keeps its replicas. */
    static Path dataDir(Path workDir, int node) {
        return workDir.resolve("datanode" + node).resolve("data");
    }

    /** Starts a cluster with further configuration whose NameNode places blocks as stock HDFS does. */
    static PlacementCluster startStock(Path workDir, Map<String, String> more)
            throws IOException, InterruptedException {
        Path release = Path.of(System.getProperty("foresight.release")).toRealPath();
        Installation policy = Installation.of(
                release.resolve("lib/foresight-placement.jar"), release.resolve("conf/foresight-placement.xml"));
        Map<String, String> conf = new TreeMap<>(Map.of(
                "dfs.blocksize", String.valueOf(BLOCK),
                "dfs.namenode.fs-limits.min-block-size", "0",
                "dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5",
                "dfs.client.block.write.locateFollowingBlock.retries", "12",
                "dfs.heartbeat.interval", "1",
                "dfs.namenode.heartbeat.recheck-interval", "1000",
                "dfs.namenode.redundancy.interval.seconds", "1"));
        conf.put("dfs.namenode.replication.work.multiplier.per.iteration", "100");
        conf.put("dfs.namenode.replication.max-streams", "50");
        conf.put("dfs.namenode.replication.max-streams-hard-limit", "100");
        // HDFS orders a failed transfer again after this time; the default is five minutes.
        conf.put("dfs.namenode.reconstruction.pending.timeout-sec", "15");
        conf.put("dfs.datanode.balance.bandwidthPerSec", "100m");
        conf.put("dfs.client.write.byte-array-manager.enabled", "true");
        conf.putAll(more);
        ProcessCluster.Builder builder = ProcessCluster.builder()
                .hadoopClasspath(Files.readString(Path.of(System.getProperty("foresight.hadoop.classpath.file")))
                        .trim())
                .workDir(workDir)
                .dataNodes(NODES)
                .daemonHeap("256m")
                .racks(RACKS);
        conf.forEach(builder::conf);
        return new PlacementCluster(builder.start(), policy, conf);
    }

    ProcessCluster processes() {
        return processes;
    }

    DistributedFileSystem fs() {
        return fs;
    }

    /** Restarts the NameNode with the policy of the shipped jar and fragment, and waits until the policy knows all nodes. */
    void installPolicy() throws IOException, InterruptedException {
        processes.restartNameNode(policy);
        TestCluster.eventually(() -> assertThat(metric("Nodes"))
                .as("nodes that have told their capacity")
                .isEqualTo(NODES));
        // HDFS notices a connection that the old NameNode has closed with the next call, and does not repeat a create.
        TestCluster.eventually(
                () -> assertThat(fs.exists(new org.apache.hadoop.fs.Path("/"))).isTrue());
    }

    /** Returns the command line of a program of HDFS that runs with the policy's jar and fragment. */
    List<String> hdfsCommand(String mainClass, List<String> javaOptions, String... arguments) throws IOException {
        List<String> command =
                processes.clientCommand(processes.clientConf("hdfs", policy), policy, List.of(), mainClass);
        command.addAll(1, javaOptions);
        command.addAll(List.of(arguments));
        return command;
    }

    /** Returns the command line of a shipped tool for this cluster. */
    List<String> command(String... arguments) throws IOException {
        Path tools =
                Path.of(System.getProperty("foresight.release")).toRealPath().resolve("lib/foresight-operator.jar");
        Path clientConf = processes.clientConf("tools", Installation.STOCK);
        List<String> command = processes.clientCommand(
                clientConf, Installation.STOCK, List.of(tools), "io.github.foresight.operator.OperatorMain");
        command.addAll(List.of(arguments));
        return command;
    }

    /** Returns the number of blocks with too few replicas, by HDFS's own metric. */
    long blocksWithTooFewReplicas() throws IOException {
        return processes
                .nameNode()
                .bean("Hadoop:service=NameNode,name=FSNamesystemState")
                .path("UnderReplicatedBlocks")
                .asLong();
    }

    void delete(String path) throws IOException {
        fs.delete(new org.apache.hadoop.fs.Path(path), false);
        written.remove(path);
    }

    private DistributedFileSystem client() throws IOException {
        Configuration configuration = new Configuration();
        conf.forEach(configuration::set);
        configuration.set("fs.defaultFS", processes.uri());
        return (DistributedFileSystem) FileSystem.newInstance(URI.create(processes.uri()), configuration);
    }

    /** Writes files of 1 to 40 blocks; most files have few blocks. The files have two and three replicas in turn. */
    void write(String folder, int files) throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        try {
            Random random = new Random(folder.hashCode());
            Map<String, Future<Written>> writing = new LinkedHashMap<>();
            for (int i = 0; i < files; i++) {
                int blocks = 1 + (int) (40 * Math.pow(random.nextDouble(), 5));
                short replication = (short) (2 + i % 2);
                String path = folder + "/file-" + i;
                writing.put(path, writers.submit(() -> write(path, blocks, replication)));
            }
            for (Map.Entry<String, Future<Written>> file : writing.entrySet()) {
                written.put(file.getKey(), file.getValue().get());
            }
        } finally {
            writers.shutdownNow();
        }
    }

    private Written write(String path, int blocks, short replication) throws IOException {
        return write(path, blocks, BLOCK, replication);
    }

    /** Writes a file of blocks of a size, and returns its layout. */
    Layout writeFile(String path, int blocks, int blockBytes, short replication) throws IOException {
        written.put(path, write(path, blocks, blockBytes, replication));
        return layout(path);
    }

    private Written write(String path, int blocks, int blockBytes, short replication) throws IOException {
        byte[] bytes = new byte[(blocks - 1) * blockBytes + 1000];
        new Random(path.hashCode()).nextBytes(bytes);
        try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path(path), true, BLOCK, replication, blockBytes)) {
            out.write(bytes);
        }
        return new Written(checksum(bytes), blocks, replication);
    }

    private static long checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }

    /** Returns the files of a folder whose bytes differ from the written bytes. */
    List<String> damaged(String folder) throws IOException {
        List<String> damaged = new ArrayList<>();
        for (Map.Entry<String, Written> file : written.entrySet()) {
            if (file.getKey().startsWith(folder)) {
                try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(file.getKey()))) {
                    if (checksum(in.readAllBytes()) != file.getValue().checksum()) {
                        damaged.add(file.getKey());
                    }
                }
            }
        }
        return damaged;
    }

    List<Layout> layouts(String folder) throws IOException {
        List<Layout> layouts = new ArrayList<>();
        for (Map.Entry<String, Written> file : written.entrySet()) {
            if (file.getKey().startsWith(folder)) {
                layouts.add(layout(file.getKey()));
            }
        }
        return layouts;
    }

    Layout layout(String path) throws IOException {
        List<List<DatanodeInfo>> blocks = new ArrayList<>();
        for (LocatedBlock block : TestCluster.blocks(fs, path)) {
            blocks.add(Arrays.asList(block.getLocations()));
        }
        Written file = written.get(path);
        if (blocks.size() != file.blocks()) {
            throw new AssertionError(path + " has " + blocks.size() + " blocks, not " + file.blocks());
        }
        long inode = fs.getClient().getFileInfo(path).getFileId();
        return new Layout(path, inode, file.replication(), blocks);
    }

    /** Returns the live nodes, as the policy must see them. */
    ReplicaNodes<String> liveNodes() throws IOException {
        ReplicaNodes.Builder<String> nodes = ReplicaNodes.builder();
        for (DatanodeInfo node : fs.getDataNodeStats(DatanodeReportType.LIVE)) {
            nodes.add(node.getDatanodeUuid(), node.getDatanodeUuid(), CapacityClass.weight(node.getCapacity()));
        }
        return nodes.build();
    }

    /**
     * Returns the node that holds the most of a file's blocks. Among equal nodes it is the first in the file's order. Null if no node holds a block.
     */
    static String replicaNode(ReplicaNodes<String> nodes, Layout file) {
        BlockHolders<String> holders = new BlockHolders<>();
        file.blocks().forEach(block -> Layout.names(block).forEach(holders::add));
        return holders.most(nodes, LayoutHash.ofFile(file.inode()));
    }

    /**
     * Describes the files with a fault. A file's blocks may have too few replicas, or may be in one rack. Or no node may hold a replica of each
     * block.
     */
    List<String> faults(Collection<Layout> files) throws IOException {
        ReplicaNodes<String> nodes = liveNodes();
        List<String> faults = new ArrayList<>();
        for (Layout file : files) {
            long without = file.blocksWithout(replicaNode(nodes, file));
            if (!file.isWhole() || file.racks() < 2 || without > 0) {
                faults.add(file.path()
                        + (file.isWhole() ? "" : " is not whole")
                        + (file.racks() < 2 ? " is in one rack" : "")
                        + (without > 0
                                ? " has " + without + " of " + file.blocks().size() + " blocks beside"
                                : ""));
            }
        }
        return faults;
    }

    /** Returns the number of files for each replica node, by the node's name. */
    Map<String, Integer> filesByReplicaNode(Collection<Layout> files) throws IOException {
        ReplicaNodes<String> nodes = liveNodes();
        Map<String, Integer> counts = new TreeMap<>();
        files.forEach(file -> counts.merge(replicaNode(nodes, file), 1, Integer::sum));
        return counts;
    }

    /** Returns the fullest node's excess over the mean number of replicas, as a fraction of the mean. */
    static double spread(Collection<Layout> files) {
        Map<String, Integer> counts = new TreeMap<>();
        int all = 0;
        for (Layout file : files) {
            for (List<DatanodeInfo> block : file.blocks()) {
                for (DatanodeInfo node : block) {
                    counts.merge(node.getDatanodeUuid(), 1, Integer::sum);
                    all++;
                }
            }
        }
        int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return most * (double) NODES / all - 1;
    }

    /** Returns the index of the DataNode with a UUID. */
    int indexOf(String uuid) throws IOException {
        for (DatanodeInfo node : fs.getDataNodeStats(DatanodeReportType.ALL)) {
            for (int i = 0; i < NODES; i++) {
                if (node.getDatanodeUuid().equals(uuid) && processes.dataPort(i) == node.getXferPort()) {
                    return i;
                }
            }
        }
        throw new AssertionError("no DataNode of this cluster is " + uuid);
    }

    long metric(String name) throws IOException {
        return processes
                .nameNode()
                .bean("Hadoop:service=NameNode,name=ForesightPlacement")
                .path(name)
                .asLong();
    }

    @Override
    public void close() throws IOException {
        fs.close();
        processes.close();
    }
}

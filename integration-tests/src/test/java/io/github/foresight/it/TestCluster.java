/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import io.github.foresight.protocol.hint.HintProtocolPB;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** A cluster with Foresight, installed as an operator installs it, and common actions of tests. */
final class TestCluster implements AutoCloseable {

    static final int BLOCK = 8 << 20;

    private static final String BEAN = "Hadoop:service=DataNode,name=Foresight";
    private static final long PATIENCE_SECONDS = 60;

    /** Longer than the delay of published metrics, which is a period of one second and a little more. */
    private static final long METRICS_LAG_MILLIS = 2500;

    private final ProcessCluster processes;
    private final Installation nameNode;
    private final Installation dataNode;
    private final Installation client;
    private final Map<String, String> conf;

    private TestCluster(
            ProcessCluster processes,
            Installation nameNode,
            Installation dataNode,
            Installation client,
            Map<String, String> conf) {
        this.processes = processes;
        this.nameNode = nameNode;
        this.dataNode = dataNode;
        this.client = client;
        this.conf = conf;
    }

    /**
     * Starts a cluster.
     *
     * @param name the name of the cluster's folder under {@code target/clusters}
     * @param dataNodeConf properties of the DataNodes in addition to the shipped fragment
     * @param conf properties of all processes
     */
    static TestCluster start(String name, int dataNodes, Map<String, String> dataNodeConf, Map<String, String> conf)
            throws IOException, InterruptedException {
        return start(name, dataNodes, Map.of(), dataNodeConf, conf);
    }

    /**
     * Starts a cluster.
     *
     * @param name the name of the cluster's folder under {@code target/clusters}
     * @param nameNodeConf properties of the NameNode in addition to the shipped fragment
     * @param dataNodeConf properties of the DataNodes in addition to the shipped fragment
     * @param conf properties of all processes
     */
    static TestCluster start(
            String name,
            int dataNodes,
            Map<String, String> nameNodeConf,
            Map<String, String> dataNodeConf,
            Map<String, String> conf)
            throws IOException, InterruptedException {
        return plan(name)
                .dataNodes(dataNodes)
                .onNameNode(nameNodeConf)
                .onDataNodes(dataNodeConf)
                .onAll(conf)
                .start();
    }

    /** Returns a plan of a cluster, by the name of the cluster's folder under {@code target/clusters}. */
    static Plan plan(String name) throws IOException {
        return new Plan(name);
    }

    /** A cluster's settings in addition to the shipped jars and fragments. */
    static final class Plan {
        private final ProcessCluster.Builder processes = ProcessCluster.builder();
        private final Path release =
                Path.of(System.getProperty("foresight.release")).toRealPath();
        private final Path work;
        private Installation nameNode = shipped("namenode");
        private Installation dataNode = shipped("datanode");
        private final Map<String, String> conf = new TreeMap<>();

        private Plan(String name) throws IOException {
            work = Files.createDirectories(
                    Path.of(System.getProperty("foresight.work"), name + "-" + System.nanoTime()));
        }

        private Installation shipped(String part) throws IOException {
            return Installation.of(
                    release.resolve("lib/foresight-" + part + ".jar"),
                    release.resolve("conf/foresight-" + part + ".xml"));
        }

        /** Returns the cluster's folder; the test may add files. */
        Path work() {
            return work;
        }

        Plan dataNodes(int number) {
            processes.dataNodes(number);
            return this;
        }

        Plan onNameNode(Map<String, String> properties) {
            nameNode = with(nameNode, properties);
            return this;
        }

        Plan onDataNodes(Map<String, String> properties) {
            dataNode = with(dataNode, properties);
            return this;
        }

        Plan onAll(Map<String, String> properties) {
            conf.putAll(properties);
            return this;
        }

        /** Adds the shipped placement policy to the NameNode. */
        Plan withPlacement() throws IOException {
            nameNode = nameNode.and(shipped("placement"));
            return this;
        }

        /** Applies settings of the processes themselves. */
        Plan processes(Consumer<ProcessCluster.Builder> setting) {
            setting.accept(processes);
            return this;
        }

        TestCluster start() throws IOException, InterruptedException {
            Installation client = shipped("client");
            conf.put("dfs.blocksize", String.valueOf(BLOCK));
            conf.put("dfs.namenode.fs-limits.min-block-size", "0");
            conf.put("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5");
            conf.put("dfs.client.block.write.locateFollowingBlock.retries", "12");
            conf.forEach(processes::conf);
            processes
                    .hadoopClasspath(Files.readString(Path.of(System.getProperty("foresight.hadoop.classpath.file")))
                            .trim())
                    .workDir(work)
                    .nameNodeInstallation(nameNode)
                    .dataNodeInstallation(dataNode);
            return new TestCluster(processes.start(), nameNode, dataNode, client, conf);
        }
    }

    private static Installation with(Installation installation, Map<String, String> conf) {
        Installation all = installation;
        for (Map.Entry<String, String> entry : conf.entrySet()) {
            all = all.with(entry.getKey(), entry.getValue());
        }
        return all;
    }

    ProcessCluster processes() {
        return processes;
    }

    Installation nameNodeInstallation() {
        return nameNode;
    }

    Installation dataNodeInstallation() {
        return dataNode;
    }

    Installation clientInstallation() {
        return client;
    }

    /** Makes a client with the shipped fragment. */
    DistributedFileSystem foresightClient() throws IOException {
        return clientWith(client.conf());
    }

    /** Makes a client with the shipped fragment and an additional property. */
    DistributedFileSystem foresightClientWith(String name, String value) throws IOException {
        return clientWith(client.with(name, value).conf());
    }

    /** Makes a client with the shipped fragment and additional properties. */
    DistributedFileSystem foresightClientWith(Map<String, String> properties) throws IOException {
        return clientWith(with(client, properties).conf());
    }

    DistributedFileSystem stockClient() throws IOException {
        return stockClientWith(Map.of());
    }

    DistributedFileSystem stockClientWith(Map<String, String> properties) throws IOException {
        return clientWith(properties);
    }

    private DistributedFileSystem clientWith(Map<String, String> extra) throws IOException {
        Configuration configuration = clientConf();
        extra.forEach(configuration::set);
        return (DistributedFileSystem) FileSystem.newInstance(URI.create(processes.uri()), configuration);
    }

    Configuration clientConf() {
        Configuration configuration = new Configuration();
        conf.forEach(configuration::set);
        configuration.set("fs.defaultFS", processes.uri());
        return configuration;
    }

    /** Writes seeded bytes and returns their checksum. */
    static long write(FileSystem fs, String path, int blocks, short replication) throws IOException {
        Random random = new Random(path.hashCode());
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[1 << 20];
        try (OutputStream out =
                fs.create(new org.apache.hadoop.fs.Path(path), true, buffer.length, replication, BLOCK)) {
            for (int i = 0; i < blocks * (BLOCK / buffer.length); i++) {
                random.nextBytes(buffer);
                crc.update(buffer);
                out.write(buffer);
            }
        }
        return crc.getValue();
    }

    /** Reads a file from beginning to end and returns its checksum. */
    static long read(FileSystem fs, String path) throws IOException {
        return read(fs, path, bytes -> false, () -> {});
    }

    /** Reads a file and returns its checksum. Runs an action once after a number of bytes. */
    static long read(FileSystem fs, String path, long after, ThrowingRunnable action) throws IOException {
        return read(fs, path, bytes -> bytes >= after, action);
    }

    /** A moment in the middle of a read. */
    interface Moment {
        boolean isNow(long bytesRead) throws IOException;
    }

    /** Reads a file and returns its checksum. Runs an action once, at the first moment of a kind. */
    static long read(FileSystem fs, String path, Moment moment, ThrowingRunnable action) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[256 << 10];
        long bytes = 0;
        boolean done = false;
        try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                crc.update(buffer, 0, n);
                bytes += n;
                if (!done && moment.isNow(bytes)) {
                    done = true;
                    run(action);
                }
            }
        }
        return crc.getValue();
    }

    private static void run(ThrowingRunnable action) throws IOException {
        try {
            action.run();
        } catch (Throwable e) {
            throw new IOException("the action in the middle of a read failed", e);
        }
    }

    static List<LocatedBlock> blocks(FileSystem fs, String path) throws IOException {
        try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
            return ((org.apache.hadoop.hdfs.client.HdfsDataInputStream) in).getAllBlocks();
        }
    }

    /** Returns the DataNodes' counts of refused hints by reason, as text. */
    String refusals() throws IOException {
        Map<String, Long> refusals = new TreeMap<>();
        for (Daemon node : processes.dataNodes()) {
            node.bean(BEAN).properties().forEach(field -> {
                if (field.getKey().startsWith("Refused") && field.getValue().asLong() > 0) {
                    refusals.merge(field.getKey(), field.getValue().asLong(), Long::sum);
                }
            });
        }
        return refusals.toString();
    }

    /** Returns a metric of one DataNode, as /jmx shows it. */
    long metric(int node, String name) throws IOException {
        return processes.dataNodes().get(node).bean(BEAN).path(name).asLong();
    }

    /** Returns a metric's sum over the live DataNodes. */
    long metric(String name) throws IOException {
        long sum = 0;
        for (Daemon daemon : processes.dataNodes()) {
            if (daemon.isAlive()) {
                sum += daemon.bean(BEAN).path(name).asLong();
            }
        }
        return sum;
    }

    /** Returns the bytes that each DataNode has served, by HDFS's own metric. */
    List<Long> bytesRead() throws IOException {
        List<Long> bytes = new ArrayList<>();
        for (Daemon node : processes.dataNodes()) {
            bytes.add(node.bean("Hadoop:service=DataNode,name=DataNodeActivity*")
                    .path("BytesRead")
                    .asLong());
        }
        return bytes;
    }

    /** Returns {@link #bytesRead} once all earlier reads are counted: when the counts have stopped to change. */
    List<Long> settledBytesRead() throws IOException, InterruptedException {
        return settled(this::bytesRead);
    }

    private interface Metric<T> {
        T value() throws IOException;
    }

    /** Waits until a metric stops changing. */
    private static <T> T settled(Metric<T> metric) throws IOException, InterruptedException {
        T seen = metric.value();
        Thread.sleep(METRICS_LAG_MILLIS);
        for (T now = metric.value(); !now.equals(seen); now = metric.value()) {
            seen = now;
            Thread.sleep(METRICS_LAG_MILLIS);
        }
        return seen;
    }

    /** Returns a Foresight metric of the NameNode, as /jmx shows it. */
    long nameNodeMetric(String name) throws IOException {
        return processes
                .nameNode()
                .bean("Hadoop:service=NameNode,name=Foresight")
                .path(name)
                .asLong();
    }

    /** Returns the number of opens at the NameNode, by HDFS's own metric. The method waits until the metric stops changing. */
    long opensAtNameNode() throws IOException, InterruptedException {
        return settled(this::openCount);
    }

    private long openCount() throws IOException {
        return processes
                .nameNode()
                .bean("Hadoop:service=NameNode,name=NameNodeActivity")
                .path("GetBlockLocations")
                .asLong();
    }

    /** Returns the hinted bytes in memory, whether the DataNodes read them or found them resident. */
    long hintedBytesInMemory() throws IOException {
        return metric("PrefetchedBytes") + metric("ResidentBytes");
    }

    /**
     * Drops the DataNodes' block files from the page cache. Without this call, newly written bytes are still in memory. It is repeated if a
     * DataNode deletes a block of an earlier test meanwhile.
     */
    void coolDown() {
        for (int i = 0; i < processes.dataNodes().size(); i++) {
            String folder = processes.workDir().resolve("datanode" + i).toString();
            eventually(() -> onBlockFiles(folder, "sync", "{}", "+"));
            eventually(() -> onBlockFiles(folder, "dd", "if={}", "iflag=nocache", "count=0", "status=none", ";"));
        }
    }

    /** Overwrites the bytes of a block's replica on a DataNode; its checksums stay. */
    void corruptReplica(int node, LocatedBlock block) throws IOException, InterruptedException {
        String folder = processes.workDir().resolve("datanode" + node).toString();
        List<String> overwrite = List.of(
                "find",
                folder,
                "-name",
                block.getBlock().getBlockName(),
                "-exec",
                "dd",
                "if=/dev/zero",
                "of={}",
                "bs=64k",
                "count=" + block.getBlockSize() / (64 << 10),
                "conv=notrunc",
                "status=none",
                ";");
        int status = new ProcessBuilder(overwrite).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", overwrite) + " ended with " + status);
        }
    }

    private static void onBlockFiles(String folder, String... command) throws IOException, InterruptedException {
        List<String> find = new ArrayList<>(List.of("find", folder, "-type", "f", "-name", "blk_*", "-exec"));
        find.addAll(List.of(command));
        int status = new ProcessBuilder(find).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", find) + " ended with " + status);
        }
    }

    List<Long> lockedBytes() throws IOException {
        List<Long> locked = new ArrayList<>();
        for (Daemon daemon : processes.dataNodes()) {
            locked.add(daemon.lockedBytes());
        }
        return locked;
    }

    /** Makes a direct hint connection to a DataNode. Tests use it for messages that no well-behaved client sends. */
    HintProtocolPB hintProxy(int node) throws IOException {
        Configuration configuration = clientConf();
        RPC.setProtocolEngine(configuration, HintProtocolPB.class, ProtobufRpcEngine2.class);
        return RPC.getProxy(
                HintProtocolPB.class,
                HintProtocolPB.PROTOCOL_VERSION,
                NetUtils.createSocketAddr("127.0.0.1:" + processes.ipcPort(node)),
                UserGroupInformation.getCurrentUser(),
                configuration,
                NetUtils.getDefaultSocketFactory(configuration),
                10_000);
    }

    /** Returns the index of the DataNode with a block's first replica. */
    int nodeOf(LocatedBlock block) {
        for (int i = 0; i < processes.dataNodes().size(); i++) {
            if (processes.dataPort(i) == block.getLocations()[0].getXferPort()) {
                return i;
            }
        }
        throw new AssertionError("no DataNode of this cluster holds " + block);
    }

    static void eventually(ThrowingRunnable assertion) {
        Awaitility.await()
                .atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .pollInterval(200, TimeUnit.MILLISECONDS)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(assertion);
    }

    @Override
    public void close() throws IOException {
        try {
            processes.close();
        } finally {
            HedgedReads.switchOff();
        }
    }
}

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

/** A cluster with Foresight as an operator would install it, and the words that the tests use about it. */
final class TestCluster implements AutoCloseable {

    static final int BLOCK = 8 << 20;

    private static final String BEAN = "Hadoop:service=DataNode,name=Foresight";
    private static final long PATIENCE_SECONDS = 60;

    /** Metrics are shown as they were a period, of one second, and a little ago. */
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
     * @param name of its folder under {@code target/clusters}
     * @param dataNodeConf set on DataNodes besides the shipped fragment
     * @param conf set on all
     */
    static TestCluster start(String name, int dataNodes, Map<String, String> dataNodeConf, Map<String, String> conf)
            throws IOException, InterruptedException {
        return start(name, dataNodes, Map.of(), dataNodeConf, conf);
    }

    /**
     * Starts a cluster.
     *
     * @param name of its folder under {@code target/clusters}
     * @param nameNodeConf set on the NameNode besides the shipped fragment
     * @param dataNodeConf set on DataNodes besides the shipped fragment
     * @param conf set on all
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

    /** A cluster that is not started yet, by the name of its folder under {@code target/clusters}. */
    static Plan plan(String name) throws IOException {
        return new Plan(name);
    }

    /** Collects what a cluster has besides the shipped jars and fragments. */
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

        /** The cluster's folder, to which the test may add. */
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

        /** The NameNode places blocks by the shipped policy. */
        Plan withPlacement() throws IOException {
            nameNode = nameNode.and(shipped("placement"));
            return this;
        }

        /** What is set on the processes themselves. */
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

    /** A client configured by the shipped fragment. */
    DistributedFileSystem foresightClient() throws IOException {
        return clientWith(client.conf());
    }

    /** A client configured by the shipped fragment and a property besides. */
    DistributedFileSystem foresightClientWith(String name, String value) throws IOException {
        return clientWith(client.with(name, value).conf());
    }

    /** A client configured by the shipped fragment and properties besides. */
    DistributedFileSystem foresightClientWith(Map<String, String> properties) throws IOException {
        return clientWith(with(client, properties).conf());
    }

    DistributedFileSystem stockClient() throws IOException {
        return clientWith(Map.of());
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

    /** Writes seeded bytes and gives their checksum. */
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

    /** Reads a file from beginning to end and gives its checksum. */
    static long read(FileSystem fs, String path) throws IOException {
        return read(fs, path, 0, () -> {});
    }

    /** Reads a file, doing something once after a number of bytes. */
    static long read(FileSystem fs, String path, long after, ThrowingRunnable action) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[256 << 10];
        long bytes = 0;
        boolean done = after == 0;
        try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(path))) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                crc.update(buffer, 0, n);
                bytes += n;
                if (!done && bytes >= after) {
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

    /** Why DataNodes have refused hints, and how many each. */
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

    /** A metric of one DataNode, as /jmx shows it. */
    long metric(int node, String name) throws IOException {
        return processes.dataNodes().get(node).bean(BEAN).path(name).asLong();
    }

    /** A metric summed over the DataNodes that are up. */
    long metric(String name) throws IOException {
        long sum = 0;
        for (Daemon daemon : processes.dataNodes()) {
            if (daemon.isAlive()) {
                sum += daemon.bean(BEAN).path(name).asLong();
            }
        }
        return sum;
    }

    /** A metric of Foresight in the NameNode, as /jmx shows it. */
    long nameNodeMetric(String name) throws IOException {
        return processes
                .nameNode()
                .bean("Hadoop:service=NameNode,name=Foresight")
                .path(name)
                .asLong();
    }

    /** How many opens the NameNode has answered, by HDFS's own count, which becomes visible a little later. */
    long opensAtNameNode() throws IOException, InterruptedException {
        long seen = -1;
        long now = openCount();
        while (now != seen) {
            seen = now;
            Thread.sleep(METRICS_LAG_MILLIS);
            now = openCount();
        }
        return now;
    }

    private long openCount() throws IOException {
        return processes
                .nameNode()
                .bean("Hadoop:service=NameNode,name=NameNodeActivity")
                .path("GetBlockLocations")
                .asLong();
    }

    /** What was hinted and is in memory now, whether the DataNodes had to read it or not. */
    long hintedBytesInMemory() throws IOException {
        return metric("PrefetchedBytes") + metric("ResidentBytes");
    }

    /** Has the kernel forget what the DataNodes hold, which else is in memory for having been written just now. */
    void coolDown() throws IOException, InterruptedException {
        for (int i = 0; i < processes.dataNodes().size(); i++) {
            String data =
                    processes.workDir().resolve("datanode" + i).resolve("data").toString();
            run("find", data, "-type", "f", "-name", "blk_*", "-exec", "sync", "{}", "+");
            run(
                    "find",
                    data,
                    "-type",
                    "f",
                    "-name",
                    "blk_*",
                    "-exec",
                    "dd",
                    "if={}",
                    "iflag=nocache",
                    "count=0",
                    "status=none",
                    ";");
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + status);
        }
    }

    List<Long> lockedBytes() throws IOException {
        List<Long> locked = new ArrayList<>();
        for (Daemon daemon : processes.dataNodes()) {
            locked.add(daemon.lockedBytes());
        }
        return locked;
    }

    /** A hint connection straight to a DataNode, for what no well-behaved client would send. */
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

    /** Which DataNode of the cluster holds a block's first replica. */
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
        processes.close();
    }
}

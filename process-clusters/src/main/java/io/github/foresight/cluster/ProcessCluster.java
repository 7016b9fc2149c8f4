/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.foresight.protocol.conf.HadoopXml;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A NameNode and some DataNodes of a given Hadoop class path, each in a JVM of its own on this machine.
 *
 * <p>Each daemon has a folder with its configuration, its data and its log. Ports are chosen once and kept over restarts. A daemon may be
 * restarted with another {@link Installation} on the same data. {@link #close} stops all daemons by process id; the end of this JVM does the
 * same, even during the start. Only {@link #close} may be called from another thread.
 */
public final class ProcessCluster implements Closeable {

    private static final String HOST = "localhost";

    /** A placeholder for the port of the NameNode's RPC server in the name of a property: {@code ipc.<port>.callqueue.impl}. */
    public static final String RPC_PORT = "<port>";

    private static final String NAMENODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
    private static final String DATANODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";

    /** DataNodes of one machine report their blocks within seconds of each other. HDFS's default is 30 s. */
    private static final String SAFE_MODE_EXTENSION_MILLIS = "5000";

    private static final String LOG4J = "log4j.rootLogger=INFO,console\n"
            + "log4j.appender.console=org.apache.log4j.ConsoleAppender\n"
            + "log4j.appender.console.target=System.err\n"
            + "log4j.appender.console.layout=org.apache.log4j.PatternLayout\n"
            + "log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n\n";

    private final Builder options;
    private final Launcher launcher = new Launcher();
    private final AtExit.CleanUp closer = this::stopEverything;
    private final List<DataNodePorts> ports = new ArrayList<>();
    private final List<Daemon> dataNodes = new ArrayList<>();
    private final int nameNodePort;
    private final int nameNodeHttpPort;

    /** The port for DataNodes, if clients have an address and a port of their own. */
    private final int nameNodeServicePort;

    private @Nullable Daemon nameNode;

    private static final class DataNodePorts {
        final int data;
        final int ipc;
        final int http;

        DataNodePorts(List<Integer> free) {
            this.data = free.get(0);
            this.ipc = free.get(1);
            this.http = free.get(2);
        }
    }

    private ProcessCluster(Builder options) throws IOException {
        this.options = options;
        List<Integer> free = FreePorts.pick(3 + 3 * options.dataNodes, new SplittableRandom());
        this.nameNodePort = free.get(0);
        this.nameNodeHttpPort = free.get(1);
        this.nameNodeServicePort = free.get(2);
        for (int i = 0; i < options.dataNodes; i++) {
            ports.add(new DataNodePorts(free.subList(3 + 3 * i, 6 + 3 * i)));
        }
        AtExit.ofJvm().add(closer);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The parts and settings of a cluster. */
    public static final class Builder {
        private String hadoopClasspath = "";
        private Path workDir = Path.of("");
        private int dataNodes = 4;
        private List<String> racks = List.of();
        private String clientHost = HOST;
        private String daemonHeap = "512m";
        private Path daemonJava = Path.of(System.getProperty("java.home"), "bin", "java");
        private final List<String> javaOptions = new ArrayList<>();
        private List<String> launchPrefix = List.of();
        private final Map<String, String> conf = new LinkedHashMap<>();
        private Installation nameNodeInstallation = Installation.STOCK;
        private Installation dataNodeInstallation = Installation.STOCK;
        private @Nullable DiskThrottle throttle;

        private Builder() {}

        /** Hadoop's jars as a class path, with {@code hadoop-hdfs-<version>-tests.jar} for its web pages. */
        @CanIgnoreReturnValue
        public Builder hadoopClasspath(String value) {
            this.hadoopClasspath = Objects.requireNonNull(value);
            return this;
        }

        /** An empty directory for all files of the cluster. */
        @CanIgnoreReturnValue
        public Builder workDir(Path value) {
            this.workDir = value.toAbsolutePath();
            return this;
        }

        @CanIgnoreReturnValue
        public Builder dataNodes(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("dataNodes must be at least 1: " + value);
            }
            this.dataNodes = value;
            return this;
        }

        /**
         * Spreads the DataNodes over racks in turn; the default is one rack. All DataNodes have one address. The mapping of Hadoop's own tests
         * gives them different host names, which only HDFS knows.
         */
        @CanIgnoreReturnValue
        public Builder racks(List<String> value) {
            this.racks = List.copyOf(value);
            return this;
        }

        /** The largest heap of each daemon, as in {@code java -Xmx}; the default is 512m. */
        @CanIgnoreReturnValue
        public Builder daemonHeap(String value) {
            this.daemonHeap = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Lets clients reach the NameNode by another address of this machine than DataNodes do, so that no DataNode is on a client's
         * host, and all are equally near. By default clients and DataNodes share a host; then HDFS takes one of the DataNodes, another
         * for each request, for the client's own.
         *
         * @param address not a loopback address
         */
        @CanIgnoreReturnValue
        public Builder clientsAt(InetAddress address) {
            this.clientHost = address.getHostAddress();
            return this;
        }

        /** The {@code java} command of each daemon; this JVM's own by default. */
        @CanIgnoreReturnValue
        public Builder daemonJava(Path value) {
            this.daemonJava = value.toAbsolutePath();
            return this;
        }

        /** An option of the JVM of each daemon, after the heap's. */
        @CanIgnoreReturnValue
        public Builder javaOption(String value) {
            javaOptions.add(value);
            return this;
        }

        /** A command that runs each daemon's command, for example to set limits first; the default is none. */
        @CanIgnoreReturnValue
        public Builder launchPrefix(List<String> value) {
            this.launchPrefix = List.copyOf(value);
            return this;
        }

        /** A property of all daemons and clients. */
        @CanIgnoreReturnValue
        public Builder conf(String name, String value) {
            conf.put(name, value);
            return this;
        }

        /** The installation of the NameNode. */
        @CanIgnoreReturnValue
        public Builder nameNodeInstallation(Installation value) {
            this.nameNodeInstallation = Objects.requireNonNull(value);
            return this;
        }

        /** The installation of the DataNodes. */
        @CanIgnoreReturnValue
        public Builder dataNodeInstallation(Installation value) {
            this.dataNodeInstallation = Objects.requireNonNull(value);
            return this;
        }

        /** Limits the DataNodes' disks; closed with the cluster. */
        @CanIgnoreReturnValue
        public Builder throttle(DiskThrottle value) {
            this.throttle = value;
            return this;
        }

        /** The cluster, before its start. The caller closes it, even if it was never started. */
        public ProcessCluster build() throws IOException {
            return new ProcessCluster(this);
        }

        /** {@linkplain ProcessCluster#start() Starts} the cluster, and closes it if the start fails. */
        public ProcessCluster start() throws IOException, InterruptedException {
            ProcessCluster cluster = build();
            try {
                cluster.start();
                return cluster;
            } catch (IOException | InterruptedException | RuntimeException e) {
                cluster.close();
                throw e;
            }
        }
    }

    /** The host part of the cluster's URI, as in {@code dfs.client.failover.proxy.provider.<host>}. */
    public static String host() {
        return HOST;
    }

    /** An address of this machine for {@link Builder#clientsAt}; empty if there are only loopback addresses. */
    public static Optional<InetAddress> otherAddress() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
    }

    public String uri() {
        return "hdfs://" + options.clientHost + ":" + nameNodePort;
    }

    public Path workDir() {
        return options.workDir;
    }

    public Daemon nameNode() {
        return Objects.requireNonNull(nameNode, "the cluster has not been started");
    }

    public List<Daemon> dataNodes() {
        return List.copyOf(dataNodes);
    }

    /** The port at which a DataNode serves data; HDFS names the DataNode by it. */
    public int dataPort(int node) {
        return ports.get(node).data;
    }

    /** The port of a DataNode's RPC server. */
    public int ipcPort(int node) {
        return ports.get(node).ipc;
    }

    /**
     * Formats the NameNode, starts all daemons, and waits until all DataNodes are in service.
     *
     * @throws IOException with the end of a daemon's log if the cluster is not ready in time
     */
    public void start() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(options.workDir.resolve("namenode"));
        Path conf = nameNodeConf(options.nameNodeInstallation);
        List<String> format = daemonCommand(folder, conf, options.nameNodeInstallation, NAMENODE);
        format.addAll(List.of("-format", "-nonInteractive"));
        Daemon formatting = launcher.launch("NameNode -format", format, 0, folder.resolve("format.log"));
        if (formatting.waitFor() != 0) {
            throw new IOException("formatting the NameNode failed:\n" + formatting.logTail());
        }
        nameNode = startNameNode(options.nameNodeInstallation);
        for (int i = 0; i < options.dataNodes; i++) {
            dataNodes.add(startDataNode(i, options.dataNodeInstallation));
        }
        awaitReady();
    }

    /** Stops the NameNode, if it still runs, and starts it again on the same data. */
    public void restartNameNode(Installation installation) throws IOException, InterruptedException {
        nameNode().stop();
        nameNode = startNameNode(installation);
        awaitReady();
    }

    /** Stops all DataNodes and starts them again on the same data with another installation. */
    public void restartDataNodes(Installation installation) throws IOException, InterruptedException {
        Launcher.stop(dataNodes);
        dataNodes.clear();
        for (int i = 0; i < options.dataNodes; i++) {
            dataNodes.add(startDataNode(i, installation));
        }
        awaitReady();
    }

    /** Stops all daemons, and starts them with the roll-back of a rolling upgrade. */
    public void rollBackUpgrade(Installation nameNodeInstallation, Installation dataNodeInstallation)
            throws IOException, InterruptedException {
        Launcher.stop(dataNodes);
        dataNodes.clear();
        nameNode().stop();
        nameNode = startNameNode(nameNodeInstallation, "-rollingUpgrade", "rollback");
        for (int i = 0; i < options.dataNodes; i++) {
            dataNodes.add(startDataNode(i, dataNodeInstallation, "-rollback"));
        }
        awaitReady();
    }

    /** Stops one DataNode, if it still runs, and starts it again on the same data. */
    public void restartDataNode(int node, Installation installation) throws IOException, InterruptedException {
        dataNodes.get(node).stop();
        dataNodes.set(node, startDataNode(node, installation));
        awaitReady();
    }

    /**
     * A configuration folder for clients of this cluster.
     *
     * @param name the folder's name, unique to the installation
     */
    public Path clientConf(String name, Installation installation) throws IOException {
        Map<String, String> properties = new LinkedHashMap<>(options.conf);
        properties.put("dfs.namenode.http-address", "127.0.0.1:" + nameNodeHttpPort);
        properties.putAll(installation.conf());
        return writeConf(options.workDir.resolve("client").resolve(name), properties, "WARN");
    }

    /** The command that runs a main class as a client of this cluster. */
    public List<String> clientCommand(Path conf, Installation installation, List<Path> moreJars, String mainClass) {
        List<Path> jars = new ArrayList<>(installation.jars());
        jars.addAll(moreJars);
        return new ArrayList<>(List.of(java(), "-Xmx1g", "-cp", classpath(conf, jars), mainClass));
    }

    /** Leaves all daemons running at the end of the cluster and of the JVM. The user then ends them by process id. */
    public void leaveRunning() {
        AtExit.ofJvm().remove(closer);
    }

    /** Stops all daemons, and removes the limits of their disks. A second call, from any thread, waits for the first. */
    @Override
    public void close() throws IOException {
        AtExit.ofJvm().remove(closer);
        stopEverything();
    }

    private synchronized void stopEverything() throws IOException {
        try {
            launcher.stopAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (options.throttle != null) {
                options.throttle.close();
            }
        }
    }

    private Path nameNodeConf(Installation installation) throws IOException {
        Path folder = options.workDir.resolve("namenode");
        Map<String, String> properties = new LinkedHashMap<>(options.conf);
        properties.put("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
        properties.put("dfs.namenode.rpc-address", options.clientHost + ":" + nameNodePort);
        putServiceAddress(properties);
        properties.put("dfs.namenode.http-address", "127.0.0.1:" + nameNodeHttpPort);
        properties.put("dfs.namenode.fs-limits.min-block-size", "0");
        properties.putIfAbsent("dfs.namenode.safemode.extension", SAFE_MODE_EXTENSION_MILLIS);
        if (!options.racks.isEmpty()) {
            properties.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.StaticMapping");
            properties.put(
                    "hadoop.configured.node.mapping",
                    IntStream.range(0, options.dataNodes)
                            .mapToObj(i -> hostName(i) + "=" + options.racks.get(i % options.racks.size()))
                            .collect(Collectors.joining(",")));
        }
        installation
                .conf()
                .forEach((name, value) -> properties.put(name.replace(RPC_PORT, String.valueOf(nameNodePort)), value));
        return writeConf(folder.resolve("conf"), properties, "INFO");
    }

    private void putServiceAddress(Map<String, String> properties) {
        if (!options.clientHost.equals(HOST)) {
            properties.put("dfs.namenode.servicerpc-address", HOST + ":" + nameNodeServicePort);
        }
    }

    private static String hostName(int node) {
        return "datanode" + node;
    }

    private Daemon startNameNode(Installation installation, String... arguments) throws IOException {
        Path folder = options.workDir.resolve("namenode");
        List<String> command = daemonCommand(folder, nameNodeConf(installation), installation, NAMENODE);
        command.addAll(List.of(arguments));
        return launcher.launch("NameNode", command, nameNodeHttpPort, folder.resolve("namenode.log"));
    }

    private Daemon startDataNode(int node, Installation installation, String... arguments) throws IOException {
        DataNodePorts port = ports.get(node);
        Path folder = options.workDir.resolve("datanode" + node);
        Map<String, String> properties = new LinkedHashMap<>(options.conf);
        putServiceAddress(properties);
        properties.put("dfs.datanode.data.dir", folder.resolve("data").toUri().toString());
        properties.put("dfs.datanode.address", "127.0.0.1:" + port.data);
        properties.put("dfs.datanode.ipc.address", "127.0.0.1:" + port.ipc);
        properties.put("dfs.datanode.http.address", "127.0.0.1:" + port.http);
        if (!options.racks.isEmpty()) {
            properties.put("dfs.datanode.hostname", hostName(node));
        }
        properties.putAll(installation.conf());
        Path conf = writeConf(folder.resolve("conf"), properties, "INFO");
        List<String> command = new ArrayList<>();
        if (options.throttle != null) {
            command.addAll(options.throttle.launchPrefix(node, "foresight-" + nameNodePort));
        }
        command.addAll(daemonCommand(folder, conf, installation, DATANODE));
        command.addAll(List.of(arguments));
        return launcher.launch("DataNode " + node, command, port.http, folder.resolve("datanode.log"));
    }

    private List<String> daemonCommand(Path folder, Path conf, Installation installation, String mainClass)
            throws IOException {
        // The web server unpacks its pages into the temporary directory, and does not delete them.
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        List<String> command = new ArrayList<>(options.launchPrefix);
        command.addAll(List.of(
                options.daemonJava.toString(),
                "-Xmx" + options.daemonHeap,
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary));
        command.addAll(options.javaOptions);
        command.addAll(List.of("-cp", classpath(conf, installation.jars()), mainClass));
        return command;
    }

    private String classpath(Path conf, List<Path> jars) {
        List<String> entries = new ArrayList<>();
        entries.add(conf.toString());
        jars.forEach(jar -> entries.add(jar.toString()));
        entries.add(options.hadoopClasspath);
        return String.join(File.pathSeparator, entries);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Path writeConf(Path folder, Map<String, String> properties, String level) throws IOException {
        Files.createDirectories(folder);
        Map<String, String> core = new LinkedHashMap<>();
        core.put("fs.defaultFS", uri());
        Map<String, String> hdfs = new LinkedHashMap<>();
        properties.forEach((name, value) -> (name.startsWith("fs.") ? core : hdfs).put(name, value));
        HadoopXml.write(folder.resolve("core-site.xml"), core);
        HadoopXml.write(folder.resolve("hdfs-site.xml"), hdfs);
        Files.writeString(folder.resolve("log4j.properties"), LOG4J.replace("INFO", level));
        Files.writeString(folder.resolve("hadoop-metrics2.properties"), "*.period=1\n");
        return folder;
    }

    private void awaitReady() throws IOException, InterruptedException {
        ClusterReadiness.await(nameNode(), dataNodes);
    }
}

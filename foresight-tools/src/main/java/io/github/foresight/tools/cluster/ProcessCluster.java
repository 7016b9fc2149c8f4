/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A NameNode and some DataNodes, each in a JVM of its own on this machine, from a Hadoop class path that is handed in.
 *
 * <p>Each daemon has a folder with its configuration, its data and its log; ports are chosen once and kept over restarts. A
 * DataNode may be restarted with another {@link Installation} on the same data. Closing stops everything by process id. Not
 * thread-safe.
 */
public final class ProcessCluster implements Closeable {

    /** How long the cluster may take to be ready. */
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);

    private static final long POLL_MILLIS = 200;

    private static final String HOST = "localhost";

    private static final String LOG4J = "log4j.rootLogger=INFO,console\n"
            + "log4j.appender.console=org.apache.log4j.ConsoleAppender\n"
            + "log4j.appender.console.target=System.err\n"
            + "log4j.appender.console.layout=org.apache.log4j.PatternLayout\n"
            + "log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n\n";

    private final Builder options;
    private final List<DataNodePorts> ports = new ArrayList<>();
    private final List<Daemon> dataNodes = new ArrayList<>();
    private final int nameNodePort;
    private final int nameNodeHttpPort;
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
        List<Integer> free = freePorts(2 + 3 * options.dataNodes);
        this.nameNodePort = free.get(0);
        this.nameNodeHttpPort = free.get(1);
        for (int i = 0; i < options.dataNodes; i++) {
            ports.add(new DataNodePorts(free.subList(2 + 3 * i, 5 + 3 * i)));
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects what a cluster is made of. */
    public static final class Builder {
        private String hadoopClasspath = "";
        private Path workDir = Path.of("");
        private int dataNodes = 4;
        private final Map<String, String> conf = new LinkedHashMap<>();
        private Installation dataNodeInstallation = Installation.STOCK;
        private @Nullable DiskThrottle throttle;

        private Builder() {}

        /** Hadoop's jars, separated as on any class path, with {@code hadoop-hdfs-<version>-tests.jar} for its web pages. */
        @CanIgnoreReturnValue
        public Builder hadoopClasspath(String value) {
            this.hadoopClasspath = Objects.requireNonNull(value);
            return this;
        }

        /** An empty directory for everything the cluster writes. */
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

        /** A property of all daemons and clients. */
        @CanIgnoreReturnValue
        public Builder conf(String name, String value) {
            conf.put(name, value);
            return this;
        }

        /** What the DataNodes are started with. */
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

        /**
         * Formats the NameNode, starts everything and waits until all DataNodes are in service.
         *
         * @throws IOException with the end of a daemon's log if the cluster is not ready in time
         */
        public ProcessCluster start() throws IOException, InterruptedException {
            ProcessCluster cluster = new ProcessCluster(this);
            try {
                cluster.startAll();
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

    public String uri() {
        return "hdfs://" + HOST + ":" + nameNodePort;
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

    /** The port at which a DataNode serves data, by which HDFS names it. */
    public int dataPort(int node) {
        return ports.get(node).data;
    }

    /** The port of a DataNode's RPC server. */
    public int ipcPort(int node) {
        return ports.get(node).ipc;
    }

    /** Stops all DataNodes and starts them again on the same data with another installation. */
    public void restartDataNodes(Installation installation) throws IOException, InterruptedException {
        stopAll(dataNodes);
        dataNodes.clear();
        for (int i = 0; i < options.dataNodes; i++) {
            dataNodes.add(startDataNode(i, installation));
        }
        awaitDataNodes();
    }

    /** Starts one DataNode anew, which must have ended. */
    public void restartDataNode(int node, Installation installation) throws IOException, InterruptedException {
        dataNodes.get(node).stop();
        dataNodes.set(node, startDataNode(node, installation));
        awaitDataNodes();
    }

    /**
     * A configuration folder for clients of this cluster.
     *
     * @param name the folder's name, unique to the installation
     */
    public Path clientConf(String name, Installation installation) throws IOException {
        Map<String, String> properties = new LinkedHashMap<>(options.conf);
        properties.putAll(installation.conf());
        return writeConf(options.workDir.resolve("client").resolve(name), properties, "WARN");
    }

    /** The command that runs a main class as a client of this cluster. */
    public List<String> clientCommand(Path conf, Installation installation, List<Path> moreJars, String mainClass) {
        List<String> classpath = new ArrayList<>();
        classpath.add(conf.toString());
        installation.jars().forEach(jar -> classpath.add(jar.toString()));
        moreJars.forEach(jar -> classpath.add(jar.toString()));
        classpath.add(options.hadoopClasspath);
        return new ArrayList<>(List.of(java(), "-Xmx1g", "-cp", String.join(File.pathSeparator, classpath), mainClass));
    }

    @Override
    public void close() throws IOException {
        try {
            stopAll(dataNodes);
            if (nameNode != null) {
                stopAll(List.of(nameNode));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (options.throttle != null) {
                options.throttle.close();
            }
        }
    }

    private void startAll() throws IOException, InterruptedException {
        Path folder = options.workDir.resolve("namenode");
        Map<String, String> properties = new LinkedHashMap<>(options.conf);
        properties.put("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
        properties.put("dfs.namenode.rpc-address", HOST + ":" + nameNodePort);
        properties.put("dfs.namenode.http-address", "127.0.0.1:" + nameNodeHttpPort);
        properties.put("dfs.namenode.fs-limits.min-block-size", "0");
        Path conf = writeConf(folder.resolve("conf"), properties, "INFO");
        String main = "org.apache.hadoop.hdfs.server.namenode.NameNode";
        List<String> format = daemonCommand(conf, List.of(), main);
        format.addAll(List.of("-format", "-nonInteractive"));
        Path log = folder.resolve("format.log");
        if (launch(format, log).waitFor() != 0) {
            throw new IOException("formatting the NameNode failed; see " + log);
        }
        Path nameNodeLog = folder.resolve("namenode.log");
        nameNode = new Daemon(
                "NameNode", launch(daemonCommand(conf, List.of(), main), nameNodeLog), nameNodeHttpPort, nameNodeLog);
        for (int i = 0; i < options.dataNodes; i++) {
            dataNodes.add(startDataNode(i, options.dataNodeInstallation));
        }
        awaitDataNodes();
    }

    private Daemon startDataNode(int node, Installation installation) throws IOException {
        DataNodePorts port = ports.get(node);
        Path folder = options.workDir.resolve("datanode" + node);
        Map<String, String> properties = new LinkedHashMap<>(options.conf);
        properties.put("dfs.datanode.data.dir", folder.resolve("data").toUri().toString());
        properties.put("dfs.datanode.address", "127.0.0.1:" + port.data);
        properties.put("dfs.datanode.ipc.address", "127.0.0.1:" + port.ipc);
        properties.put("dfs.datanode.http.address", "127.0.0.1:" + port.http);
        properties.putAll(installation.conf());
        Path conf = writeConf(folder.resolve("conf"), properties, "INFO");
        List<String> command = new ArrayList<>();
        if (options.throttle != null) {
            command.addAll(options.throttle.launchPrefix(
                    node, "foresight-" + ProcessHandle.current().pid()));
        }
        command.addAll(daemonCommand(conf, installation.jars(), "org.apache.hadoop.hdfs.server.datanode.DataNode"));
        Path log = folder.resolve("datanode.log");
        return new Daemon("DataNode " + node, launch(command, log), port.http, log);
    }

    private List<String> daemonCommand(Path conf, List<Path> jars, String mainClass) {
        String classpath = conf
                + File.pathSeparator
                + jars.stream().map(jar -> jar + File.pathSeparator).collect(Collectors.joining())
                + options.hadoopClasspath;
        return new ArrayList<>(List.of(java(), "-Xmx512m", "-XX:+UseSerialGC", "-cp", classpath, mainClass));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static Process launch(List<String> command, Path log) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private Path writeConf(Path folder, Map<String, String> properties, String level) throws IOException {
        Files.createDirectories(folder);
        HadoopXml.write(folder.resolve("core-site.xml"), Map.of("fs.defaultFS", uri()));
        HadoopXml.write(folder.resolve("hdfs-site.xml"), properties);
        Files.writeString(folder.resolve("log4j.properties"), LOG4J.replace("INFO", level));
        Files.writeString(folder.resolve("hadoop-metrics2.properties"), "*.period=1\n");
        return folder;
    }

    /** Waits until the NameNode is out of safe mode and every DataNode has registered since its start. */
    private void awaitDataNodes() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        String missing = "";
        while (System.nanoTime() < deadline) {
            missing = missing();
            if (missing.isEmpty()) {
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new IOException("the cluster was not ready in " + READY_TIMEOUT.toSeconds() + " s: " + missing);
    }

    private String missing() throws IOException {
        List<Daemon> daemons = new ArrayList<>(dataNodes);
        daemons.add(nameNode());
        for (Daemon daemon : daemons) {
            if (!daemon.isAlive()) {
                throw new IOException(daemon.name() + " has ended:\n" + daemon.logTail());
            }
        }
        try {
            JsonNode info = nameNode().bean("Hadoop:service=NameNode,name=NameNodeInfo");
            JsonNode state = nameNode().bean("Hadoop:service=NameNode,name=FSNamesystemState");
            if (!info.path("Safemode").asText("?").isEmpty()) {
                return "the NameNode is in safe mode";
            }
            if (state.path("NumLiveDataNodes").asInt() < options.dataNodes) {
                return "only " + state.path("NumLiveDataNodes").asInt() + " DataNodes have registered";
            }
            for (Daemon dataNode : dataNodes) {
                JsonNode bean = dataNode.bean("Hadoop:service=DataNode,name=DataNodeInfo");
                if (!bean.path("BPServiceActorInfo").asText().contains("RUNNING")) {
                    return dataNode.name() + " has not registered";
                }
            }
            return "";
        } catch (IOException e) {
            return "a daemon does not answer yet (" + e.getMessage() + ")";
        }
    }

    private static void stopAll(List<Daemon> daemons) throws InterruptedException {
        List<Thread> stoppers = new ArrayList<>();
        for (Daemon daemon : daemons) {
            Thread stopper = new Thread(() -> stopQuietly(daemon), "stop " + daemon.name());
            stopper.start();
            stoppers.add(stopper);
        }
        for (Thread stopper : stoppers) {
            stopper.join();
        }
    }

    private static void stopQuietly(Daemon daemon) {
        try {
            daemon.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).collect(Collectors.toList());
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}

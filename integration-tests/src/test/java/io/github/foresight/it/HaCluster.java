/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.cluster.FreePorts;
import io.github.foresight.protocol.conf.HadoopXml;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.util.ToolRunner;

/** Two NameNodes with Foresight, which share their edits in a folder, and a stock DataNode. */
final class HaCluster implements AutoCloseable {

    static final String NAMESERVICE = "ns1";

    private static final String NAMENODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
    private static final String DATANODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";
    private static final long END_SECONDS = 60;
    static final String LOG4J = """
            log4j.rootLogger=INFO,stdout
            log4j.appender.stdout=org.apache.log4j.ConsoleAppender
            log4j.appender.stdout.layout=org.apache.log4j.PatternLayout
            log4j.appender.stdout.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
            """;

    private final Path work;
    private final Path release;
    private final String hadoop;
    private final Map<String, String> conf = new LinkedHashMap<>();
    private final Map<String, Integer> rpcPorts = new LinkedHashMap<>();
    private final Map<String, Integer> httpPorts = new LinkedHashMap<>();
    private final Map<String, Process> running = new LinkedHashMap<>();

    /** Formats both NameNodes, starts all daemons and makes {@code nn1} active. */
    static HaCluster start(Map<String, String> nameNodeConf) throws Exception {
        HaCluster cluster = new HaCluster(nameNodeConf);
        try {
            cluster.startAll();
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    private HaCluster(Map<String, String> nameNodeConf) throws IOException {
        this.release = Path.of(System.getProperty("foresight.release")).toRealPath();
        this.hadoop = Files.readString(Path.of(System.getProperty("foresight.hadoop.classpath.file")))
                .trim();
        this.work = Files.createDirectories(Path.of(System.getProperty("foresight.work"), "ha-" + System.nanoTime())
                .toAbsolutePath());
        conf.put("dfs.nameservices", NAMESERVICE);
        conf.put("dfs.ha.namenodes." + NAMESERVICE, "nn1,nn2");
        for (String id : List.of("nn1", "nn2")) {
            int port = FreePorts.pick();
            rpcPorts.put(id, port);
            conf.put("dfs.namenode.rpc-address." + NAMESERVICE + "." + id, "127.0.0.1:" + port);
            int httpPort = FreePorts.pick();
            httpPorts.put(id, httpPort);
            conf.put("dfs.namenode.http-address." + NAMESERVICE + "." + id, "127.0.0.1:" + httpPort);
        }
        conf.put(
                "dfs.namenode.shared.edits.dir",
                Files.createDirectories(work.resolve("edits")).toUri().toString());
        conf.put("dfs.ha.fencing.methods", "shell(/bin/true)");
        conf.put("dfs.ha.tail-edits.period", "1s");
        conf.put(
                "dfs.client.failover.proxy.provider." + NAMESERVICE,
                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        conf.put("dfs.replication", "1");
        conf.put("dfs.namenode.fs-limits.min-block-size", "0");
        conf.put("dfs.namenode.safemode.extension", "0");
        conf.put("dfs.heartbeat.interval", "1");
        conf.putAll(HadoopXml.read(release.resolve("conf/foresight-namenode.xml")));
        conf.putAll(nameNodeConf);
    }

    private void startAll() throws Exception {
        run("nn1", NAMENODE, "-format", "-nonInteractive");
        startNameNode("nn1");
        TestCluster.eventually(() -> transition("-getServiceState", "nn1"));
        run("nn2", NAMENODE, "-bootstrapStandby", "-nonInteractive");
        startNameNode("nn2");
        TestCluster.eventually(() -> transition("-getServiceState", "nn2"));
        transition("-transitionToActive", "nn1");
        running.put("dn", launch("dn", DATANODE));
        TestCluster.eventually(() -> {
            try (FileSystem fs = client();
                    OutputStream out = fs.create(new org.apache.hadoop.fs.Path("/ready"))) {
                out.write(1);
            }
        });
    }

    /** Runs a command of {@code hdfs haadmin}; throws if the command fails. */
    void transition(String... command) throws Exception {
        DFSHAAdmin admin = new DFSHAAdmin();
        Configuration configuration = configuration();
        configuration.setInt("ipc.client.connect.max.retries", 0);
        admin.setConf(configuration);
        int code = ToolRunner.run(configuration, admin, command);
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + code);
        }
    }

    Configuration configuration() {
        Configuration configuration = new Configuration();
        conf.forEach(configuration::set);
        configuration.set("fs.defaultFS", "hdfs://" + NAMESERVICE);
        return configuration;
    }

    DistributedFileSystem client() throws IOException {
        return (DistributedFileSystem) FileSystem.newInstance(URI.create("hdfs://" + NAMESERVICE), configuration());
    }

    int rpcPort(String nameNode) {
        return rpcPorts.get(nameNode);
    }

    int httpPort(String nameNode) {
        return httpPorts.get(nameNode);
    }

    /** Returns a folder that is kept after the cluster's end. */
    Path work() {
        return work;
    }

    Path log(String process) {
        return work.resolve(process + ".log");
    }

    void startNameNode(String id) throws IOException {
        running.put(id, launch(id, NAMENODE));
    }

    /** Returns a running process by name. */
    Process process(String name) {
        return running.get(name);
    }

    /**
     * Starts a client in a new JVM.
     *
     * @param clientConf properties in addition to the configuration of all processes
     * @param classpath entries before Hadoop's
     */
    void startClient(
            String name, Map<String, String> clientConf, List<Path> classpath, Class<?> mainClass, String... arguments)
            throws IOException {
        running.put(name, launch(name, clientConf, classpath, mainClass.getName(), arguments));
    }

    /** Ends a process by SIGKILL, and waits for the end. */
    void kill(String process) throws InterruptedException {
        running.remove(process).destroyForcibly().waitFor();
    }

    /** Ends a process by SIGTERM, and waits for the end. */
    void stop(String process) throws InterruptedException {
        end(running.remove(process));
    }

    private static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    private void run(String id, String mainClass, String... arguments) throws Exception {
        Process process = launch(id, mainClass, arguments);
        if (process.waitFor() != 0) {
            throw new IOException(mainClass + " " + String.join(" ", arguments) + " failed: " + log(id));
        }
    }

    private Process launch(String id, String mainClass, String... arguments) throws IOException {
        return launch(id, Map.of(), List.of(release.resolve("lib/foresight-namenode.jar")), mainClass, arguments);
    }

    private Process launch(
            String id, Map<String, String> besides, List<Path> classpath, String mainClass, String... arguments)
            throws IOException {
        Path folder = Files.createDirectories(work.resolve(id));
        Map<String, String> own = new LinkedHashMap<>(conf);
        own.putAll(besides);
        own.put("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
        own.put("dfs.datanode.data.dir", folder.resolve("data").toUri().toString());
        own.put("dfs.datanode.address", "127.0.0.1:0");
        own.put("dfs.datanode.ipc.address", "127.0.0.1:0");
        own.put("dfs.datanode.http.address", "127.0.0.1:0");
        own.put("dfs.ha.namenode.id", id);
        own.put(
                "foresight.namenode.checkpoint.file",
                folder.resolve("foresight.graph").toString());
        HadoopXml.write(folder.resolve("core-site.xml"), Map.of("fs.defaultFS", "hdfs://" + NAMESERVICE));
        HadoopXml.write(folder.resolve("hdfs-site.xml"), own);
        Files.writeString(folder.resolve("log4j.properties"), LOG4J);
        Files.writeString(folder.resolve("hadoop-metrics2.properties"), "*.period=1\n");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                // The Jersey library of WebHDFS makes classes by reflection.
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")),
                "-cp",
                Stream.of(Stream.of(folder), classpath.stream(), Stream.of(hadoop))
                        .flatMap(part -> part)
                        .map(Object::toString)
                        .collect(Collectors.joining(File.pathSeparator)),
                mainClass));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(id).toFile()))
                .start();
    }

    @Override
    public void close() throws IOException {
        running.values().forEach(Process::destroy);
        try {
            for (Process process : running.values()) {
                end(process);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("processes may be left under " + work, e);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.ProcessCluster;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HBase on a cluster of HDFS: master, region server and ZooKeeper in one process, as {@code hbase.cluster.distributed=false} runs them, and HBase's
 * own PerformanceEvaluation as its client. Not thread-safe.
 */
final class HBaseProcess implements Closeable {

    private static final String MASTER = "org.apache.hadoop.hbase.master.HMaster";
    private static final String EVALUATION = "org.apache.hadoop.hbase.PerformanceEvaluation";
    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** The last line that PerformanceEvaluation logs about a test with the duration of the slowest client. */
    private static final Pattern DURATION = Pattern.compile("duration ]\\s+Min: [0-9]+ms\\s+Max: ([0-9]+)ms");

    /** PerformanceEvaluation reports to its log only. */
    private static final String LOG4J = "log4j.rootLogger=WARN,err\n"
            + "log4j.logger." + EVALUATION + "=INFO,out\n"
            + "log4j.additivity." + EVALUATION + "=false\n"
            + appender("out")
            + appender("err");

    private final ProcessCluster on;
    private final Side side;
    private final Release release;
    private final Path folder;
    private final List<String> settings;
    private final ClientProcess server;

    private HBaseProcess(ProcessCluster on, Side side, Release release, List<String> more) throws IOException {
        this.on = on;
        this.side = side;
        this.release = release;
        this.folder = Files.createDirectories(on.workDir().resolve("hbase"));
        this.settings = new ArrayList<>(List.of(
                "-Dhbase.rootdir=" + on.uri() + "/hbase",
                "-Dhbase.cluster.distributed=false",
                "-Dhbase.tmp.dir=" + folder.resolve("tmp"),
                "-Dhbase.zookeeper.property.dataDir=" + folder.resolve("zookeeper"),
                "-Dhbase.zookeeper.property.clientPort=" + freePort(),
                "-Dhbase.master.port=0",
                "-Dhbase.master.info.port=-1",
                "-Dhbase.regionserver.port=0",
                "-Dhbase.regionserver.info.port=-1"));
        settings.addAll(more);
        Files.writeString(folder.resolve("log4j.properties"), LOG4J);
        this.server = ClientProcess.launch(command(MASTER, "start"), folder.resolve("hbase.log"), LIMIT);
    }

    /**
     * Starts HBase with the side's HDFS client. The clients of HBase wait until it is ready.
     *
     * @param settings of HBase in addition, as {@code -Dkey=value}
     */
    static HBaseProcess start(ProcessCluster on, Side side, Release release, List<String> settings) throws IOException {
        return new HBaseProcess(on, side, release, settings);
    }

    private static String appender(String name) {
        String key = "log4j.appender." + name;
        return key + "=org.apache.log4j.ConsoleAppender\n"
                + key + ".target=System." + name + "\n"
                + key + ".layout=org.apache.log4j.PatternLayout\n"
                + key + ".layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n\n";
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /**
     * Runs a test of PerformanceEvaluation to its end.
     *
     * @param test with its options, without the number of clients
     * @return the seconds of its slowest client
     */
    double evaluate(int clients, String... test) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("--nomapred", "--oneCon=true"));
        words.addAll(List.of(test));
        words.add(String.valueOf(clients));
        ClientProcess client = ClientProcess.launch(
                command(EVALUATION, words.toArray(String[]::new)), folder.resolve("evaluation.log"), LIMIT);
        try {
            double seconds = 0;
            for (String line = client.readLine(); line != null; line = client.readLine()) {
                Matcher duration = DURATION.matcher(line);
                if (duration.find()) {
                    seconds = Integer.parseInt(duration.group(1)) / 1e3;
                }
            }
            client.awaitSuccess("HBase's PerformanceEvaluation");
            if (seconds == 0) {
                throw new IOException("PerformanceEvaluation has logged no duration; see " + folder);
            }
            return seconds;
        } finally {
            client.destroy();
        }
    }

    private List<String> command(String mainClass, String... arguments) throws IOException {
        List<String> command = on.clientCommand(
                on.clientConf(side.folder(), side.client()), side.client(), List.of(release.toolsJar()), mainClass);
        int classpath = command.indexOf("-cp") + 1;
        // Hadoop's libraries come first, because HBase works with newer ones.
        command.set(
                classpath,
                command.get(classpath)
                        + File.pathSeparator
                        + System.getProperty("foresight.application.classpath", "")
                                .strip());
        List<String> options =
                new ArrayList<>(List.of("-Dlog4j.configuration=file:" + folder.resolve("log4j.properties")));
        // As HBase's own launcher does, on Java 11 and later.
        for (String opened : List.of("java.lang", "java.lang.reflect", "java.nio", "sun.nio.ch")) {
            options.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        options.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
        command.addAll(classpath - 1, options);
        command.addAll(settings);
        command.addAll(List.of(arguments));
        return command;
    }

    /** Stops HBase, which writes its rows in memory to HDFS first. */
    void stop() throws IOException, InterruptedException {
        ClientProcess.run(
                command(MASTER, "stop", "--shutDownCluster"), folder.resolve("stop.log"), LIMIT, "stopping HBase");
        server.awaitEnd("HBase");
    }

    @Override
    public void close() {
        server.destroy();
    }
}

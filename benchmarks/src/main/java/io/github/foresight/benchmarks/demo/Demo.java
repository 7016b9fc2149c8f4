/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.DiskLimits;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.ReadWorkload;
import io.github.foresight.benchmarks.workload.WriteWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.DiskReads;
import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.PageCache;
import io.github.foresight.cluster.ProcessCluster;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link DemoPlan} on one cluster. Each round restarts the DataNodes twice: with stock configuration, and with the jar and the
 * configuration fragment that an operator installs. Where HDFS places the blocks, each round restarts the NameNode too, because the NameNode
 * orders the replicas; and stock HDFS writes the files anew, because the speed of a file follows from its placement.
 */
final class Demo implements Closeable {

    private static final String BEAN = "Hadoop:service=DataNode,name=Foresight";
    private static final String WARM_UP = "/warm-up";
    private static final long WARM_UP_BLOCK = 8 << 20;
    private static final double MIB = 1 << 20;

    /** Longer than the period of one second in which these daemons and clients publish metrics. */
    private static final long METRICS_MILLIS = 2_500;

    private final DemoPlan plan;
    private final Path directory;
    private final Release release;
    private final Installation dataNode;
    private final Installation client;
    private final DiskThrottle throttle;
    private final String hadoopClasspath;
    private final Map<String, String> written = new HashMap<>();

    /** The bytes of blocks of all files, by DataNode. */
    private final Map<String, Long> held = new HashMap<>();

    private final Thread cleanUp = new Thread(this::closeQuietly, "clean-up");
    private volatile @Nullable ProcessCluster cluster;
    private volatile @Nullable ClientProcess workload;
    private volatile boolean keep;
    private volatile boolean stopping;

    /** A demo that writes all its files below a directory, and deletes the directory at the end. */
    Demo(DemoPlan plan, String hadoopClasspath, Path home, Path directory) throws IOException {
        this.plan = plan;
        this.hadoopClasspath = hadoopClasspath;
        this.directory = directory;
        this.release = new Release(home);
        this.dataNode = release.dataNode().with("foresight.datanode.cache.capacity", plan.cache());
        this.client = release.client();
        this.throttle = DiskThrottle.forDataIn(directory, (long) plan.rateMib() << 20);
        Runtime.getRuntime().addShutdownHook(cleanUp);
    }

    /** The reason why disks are neither limited nor counted, or null where they are. */
    @Nullable
    String notThrottled() {
        return throttle.unavailableReason();
    }

    /**
     * Starts the cluster, writes the files, and measures each side in each round.
     *
     * @throws IOException if a process fails, or if a file is not read as it was written
     */
    List<Measurement> run() throws IOException, InterruptedException {
        say("Demo: " + plan.workload() + ", Hadoop " + plan.hadoopVersion());
        if (notThrottled() == null) {
            say("Disks: " + (plan.rateMib() == 0 ? "not limited" : plan.rateMib() + " MiB/s for each DataNode"));
        } else {
            say("Disks: NOT limited: " + notThrottled());
        }
        say("Starting a NameNode and " + plan.dataNodes() + " DataNodes under " + directory);
        ProcessCluster.Builder builder = ProcessCluster.builder()
                .hadoopClasspath(hadoopClasspath)
                .workDir(directory)
                .dataNodes(plan.dataNodes())
                .daemonJava(plan.daemonJava())
                .conf("dfs.replication", String.valueOf(plan.replication()))
                .conf("dfs.blocksize", String.valueOf(plan.blockSize()))
                .throttle(throttle);
        if (plan.isPlacedByHdfs()) {
            ProcessCluster.otherAddress().ifPresent(builder::clientsAt);
        }
        ProcessCluster started = builder.build();
        cluster = started;
        started.start();
        writeFiles(started);
        List<Measurement> measured = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            if (round > 1 && plan.isPlacedByHdfs()) {
                restartDaemons(started, true);
                writeFiles(started);
            }
            boolean stockFirst = round % 2 == 1;
            measured.add(measure(started, round, stockFirst));
            measured.add(measure(started, round, !stockFirst));
        }
        return measured;
    }

    private void writeFiles(ProcessCluster on) throws IOException, InterruptedException {
        write(on, List.of(WARM_UP), WARM_UP_BLOCK * plan.dataNodes(), WARM_UP_BLOCK, 1, WriteWorkload.Placement.DEALT);
        held.clear();
        List<String> files =
                IntStream.range(0, plan.readers()).mapToObj(Demo::file).collect(Collectors.toList());
        say("Writing " + files.size() + (files.size() == 1 ? " file of " : " files of ") + (plan.size() >> 20)
                + " MiB");
        write(on, files, plan.size(), plan.blockSize(), plan.replication(), plan.placement());
    }

    private void write(
            ProcessCluster on,
            List<String> paths,
            long size,
            long blockSize,
            int replication,
            WriteWorkload.Placement placement)
            throws IOException, InterruptedException {
        List<String> command = clientCommand(on, Installation.STOCK, WriteWorkload.class);
        command.addAll(List.of(
                String.valueOf(size), String.valueOf(blockSize), String.valueOf(replication), placement.name()));
        paths.forEach(path -> command.add(on.uri() + path));
        String doing = "writing " + paths.size() + " files from " + paths.get(0) + " on";
        paths.forEach(written::remove);
        ClientProcess process = launch(command, "write.log");
        for (String line = process.readLine(); line != null; line = process.readLine()) {
            if (line.startsWith("WROTE ")) {
                String[] words = line.split(" ", -1);
                written.put(words[1], words[2] + " " + words[3]);
            } else if (line.startsWith("HELD ")) {
                String[] words = line.split(" ", -1);
                held.merge(words[1], Long.parseLong(words[2]), Long::sum);
            }
        }
        process.awaitSuccess(doing);
        if (!written.keySet().containsAll(paths)) {
            throw process.failure(doing);
        }
    }

    private void restartDaemons(ProcessCluster on, boolean stock) throws IOException, InterruptedException {
        if (plan.isPlacedByHdfs()) {
            on.restartNameNode(stock ? Installation.STOCK : release.nameNode());
        }
        on.restartDataNodes(stock ? Installation.STOCK : dataNode);
    }

    private Measurement measure(ProcessCluster on, int round, boolean stock) throws IOException, InterruptedException {
        String name = stock ? Baseline.STOCK : Baseline.FORESIGHT;
        say("Round " + round + " of " + plan.rounds() + ", " + name + ": restarting the DataNodes");
        restartDaemons(on, stock);
        List<String> command = clientCommand(on, stock ? Installation.STOCK : client, ReadWorkload.class);
        command.add(WARM_UP);
        for (int i = 0; i < plan.readers(); i++) {
            command.add(file(i));
        }
        String doing = "reading (" + name + ")";
        ClientProcess process = launch(command, "read.log");
        if (!"READY".equals(process.readLine())) {
            throw process.failure(doing);
        }
        Thread.sleep(METRICS_MILLIS);
        PageCache.drop();
        long[] prefetchBefore = prefetchCounts(on, stock);
        DiskReads readsBefore = diskReads();
        say("Round " + round + " of " + plan.rounds() + ", " + name + ": reading");
        process.signal();
        double seconds = 0;
        int verified = 0;
        for (String line = process.readLine(); line != null; line = process.readLine()) {
            if (line.startsWith("READ ")) {
                verify(line);
                verified++;
            } else if (line.startsWith("SECONDS ")) {
                seconds = Double.parseDouble(line.substring("SECONDS ".length()));
            }
        }
        process.awaitSuccess(doing);
        if (seconds == 0 || verified != plan.readers()) {
            throw process.failure(doing);
        }
        DiskReads reads = diskReads().since(readsBefore);
        Thread.sleep(METRICS_MILLIS);
        long[] prefetchAfter = prefetchCounts(on, stock);
        double mibPerSecond = (double) plan.size() * plan.readers() / MIB / seconds;
        say(String.format(Locale.ROOT, "Round %d of %d, %s: %.1f MiB/s", round, plan.rounds(), name, mibPerSecond));
        Measurement measured = Measurement.of(Workload.of(plan.workload()), name, 1, round)
                .with(DemoCommand.READ, mibPerSecond)
                .with(DemoCommand.SECONDS, seconds);
        if (plan.replication() == 1 && !plan.placement().isErasureCoded() && plan.rateMib() > 0) {
            double fullest = Collections.max(held.values()) / MIB / plan.rateMib();
            measured = measured.with(DemoCommand.OF_FULLEST, fullest / seconds);
        }
        if (notThrottled() == null) {
            measured = measured.with(DemoCommand.DISK_READS, reads.requests())
                    .with(DemoCommand.DISK_MIB, reads.bytes() / MIB);
        }
        return stock
                ? measured
                : measured.with(DemoCommand.PREFETCHED, (prefetchAfter[0] - prefetchBefore[0]) / MIB)
                        .with(DemoCommand.WASTED, (prefetchAfter[1] - prefetchBefore[1]) / MIB);
    }

    private void verify(String line) throws IOException {
        String[] words = line.split(" ", -1);
        String expected = written.get(words[1]);
        String found = words[2] + " " + words[3];
        if (!found.equals(expected)) {
            throw new IOException(words[1] + " was read as " + found + " (bytes, CRC32C) but written as " + expected);
        }
    }

    private DiskReads diskReads() throws IOException {
        return DiskLimits.reads(throttle, plan.dataNodes());
    }

    /** Prefetched and wasted bytes of all DataNodes since their start. */
    private static long[] prefetchCounts(ProcessCluster on, boolean stock) throws IOException {
        long[] counts = new long[2];
        if (!stock) {
            for (Daemon daemon : on.dataNodes()) {
                JsonNode bean = daemon.bean(BEAN);
                if (bean.isMissingNode()) {
                    throw new IOException(daemon.name() + " runs without Foresight; see " + daemon.log());
                }
                counts[0] += bean.path("PrefetchedBytes").asLong();
                counts[1] += bean.path("WastedBytes").asLong();
            }
        }
        return counts;
    }

    /** Leaves the cluster up with the DataNodes of the last round, and prints how to use, stop and remove it. */
    void keepUp() throws IOException {
        ProcessCluster on = cluster;
        if (on == null) {
            throw new IllegalStateException("run() comes first");
        }
        keep = true;
        on.leaveRunning();
        Path conf = on.clientConf("foresight", client);
        String pids = Stream.concat(Stream.of(on.nameNode()), on.dataNodes().stream())
                .map(daemon -> String.valueOf(daemon.pid()))
                .collect(Collectors.joining(" "));
        say("");
        say("  The cluster stays up, with the last round's DataNodes:");
        say("    file system    " + on.uri());
        say("    NameNode       http://127.0.0.1:" + on.nameNode().httpPort());
        on.dataNodes()
                .forEach(daemon -> say("    " + daemon.name() + "     http://127.0.0.1:" + daemon.httpPort() + "/jmx"));
        say("    talk to it     java -cp " + conf + ":" + client.jars().get(0)
                + ":HADOOP-CLASS-PATH org.apache.hadoop.fs.FsShell -ls /");
        say("                   (or HADOOP_CONF_DIR=" + conf + " hdfs dfs -ls /)");
        say("    stop it        kill " + pids);
        String groups = throttle.groups().stream().map(Path::toString).collect(Collectors.joining(" "));
        say("    remove it      " + (groups.isEmpty() ? "" : "rmdir " + groups + "; ") + "rm -r " + directory);
    }

    private List<String> clientCommand(ProcessCluster on, Installation installation, Class<?> main) throws IOException {
        String name = installation == Installation.STOCK ? "stock" : "foresight";
        return on.clientCommand(
                on.clientConf(name, installation), installation, List.of(release.toolsJar()), main.getName());
    }

    private ClientProcess launch(List<String> command, String log) throws IOException {
        ClientProcess process = ClientProcess.launch(command, directory.resolve(log), plan.clientLimit());
        workload = process;
        return process;
    }

    private static String file(int index) {
        return "/demo" + index;
    }

    private static void say(String line) {
        System.out.println(line);
    }

    @Override
    public void close() throws IOException {
        try {
            Runtime.getRuntime().removeShutdownHook(cleanUp);
        } catch (IllegalStateException e) {
            return; // The JVM ends, and its hook stops everything.
        }
        stopEverything();
    }

    /** Whether a signal stops all processes; failures from then on are no news. */
    boolean isStopping() {
        return stopping;
    }

    private void closeQuietly() {
        stopping = true;
        try {
            System.err.println("Stopping and cleaning up");
            stopEverything();
        } catch (IOException e) {
            System.err.println("Cleaning up failed: " + e.getMessage());
        }
    }

    private void stopEverything() throws IOException {
        ClientProcess running = workload;
        if (running != null) {
            running.destroy();
        }
        if (keep) {
            return;
        }
        ProcessCluster started = cluster;
        if (started != null) {
            started.close();
        } else {
            throttle.close();
        }
        FileTree.delete(directory);
    }
}

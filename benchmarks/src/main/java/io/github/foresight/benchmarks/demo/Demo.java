/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link DemoPlan}: one cluster, one set of data, and each round the DataNodes restarted as stock HDFS and with
 * Foresight's jar and configuration fragment, which is all that an operator installs.
 */
final class Demo implements Closeable {

    private static final String BEAN = "Hadoop:service=DataNode,name=Foresight";
    private static final String PROVIDER_KEY = "dfs.client.failover.proxy.provider.mycluster";
    private static final String WARM_UP = "/warm-up";
    private static final long WARM_UP_BLOCK = 8 << 20;
    /** Daemons and clients publish metrics once a second here. */
    private static final long METRICS_MILLIS = 2_500;

    private final DemoPlan plan;
    private final Path directory;
    private final Path toolsJar;
    private final Installation dataNode;
    private final Installation client;
    private final DiskThrottle throttle;
    private final String hadoopClasspath;
    private final Map<String, String> written = new HashMap<>();
    private final Thread cleanUp = new Thread(this::closeQuietly, "clean-up");
    private volatile @Nullable ProcessCluster cluster;
    private volatile @Nullable ClientProcess workload;
    private volatile boolean keep;
    private volatile boolean stopping;

    /** A demo that writes everything into a directory of its own, and deletes that at the end. */
    Demo(DemoPlan plan, String hadoopClasspath, Path home, Path directory) throws IOException {
        this.plan = plan;
        this.hadoopClasspath = hadoopClasspath;
        this.directory = directory;
        this.toolsJar = home.resolve("lib/foresight-benchmarks.jar");
        this.dataNode = Installation.of(
                        home.resolve("lib/foresight-datanode.jar"), home.resolve("conf/foresight-datanode.xml"))
                .with("foresight.datanode.cache.capacity", plan.cache);
        this.client = Installation.of(
                        home.resolve("lib/foresight-client.jar"), home.resolve("conf/foresight-client.xml"))
                .renaming(PROVIDER_KEY, "dfs.client.failover.proxy.provider." + ProcessCluster.host());
        this.throttle = DiskThrottle.forDataIn(directory, (long) plan.rateMib << 20);
        Runtime.getRuntime().addShutdownHook(cleanUp);
    }

    /**
     * Runs the plan and prints what it finds.
     *
     * @throws IOException if anything fails, or a byte that was read is not the byte that was written
     */
    void run(@Nullable Path json, boolean keepCluster) throws IOException, InterruptedException {
        say("Demo: " + plan.describe());
        if (throttle.unavailableReason() == null) {
            say("Disks: " + (plan.rateMib == 0 ? "not limited" : plan.rateMib + " MiB/s for each DataNode"));
        } else {
            say("Disks: NOT limited: " + throttle.unavailableReason());
        }
        say("Starting a NameNode and " + plan.dataNodes + " DataNodes under " + directory);
        ProcessCluster started = ProcessCluster.builder()
                .hadoopClasspath(hadoopClasspath)
                .workDir(directory)
                .dataNodes(plan.dataNodes)
                .conf("dfs.replication", "1")
                .conf("dfs.blocksize", String.valueOf(plan.blockSize))
                .throttle(throttle)
                .build();
        cluster = started;
        started.start();
        writeFiles(started);
        DemoReport report = new DemoReport(plan, throttle.unavailableReason(), PageCache.canDrop());
        for (int round = 1; round <= plan.rounds; round++) {
            boolean stockFirst = round % 2 == 1;
            SideResult first = measure(started, round, stockFirst);
            SideResult second = measure(started, round, !stockFirst);
            report.add(stockFirst ? first : second, stockFirst ? second : first);
        }
        say("");
        System.out.print(report.table());
        if (json != null) {
            report.writeJson(json);
            say("  Results written to " + json);
        }
        if (keepCluster) {
            keepUp(started);
        }
    }

    private void writeFiles(ProcessCluster on) throws IOException, InterruptedException {
        write(on, WARM_UP, WARM_UP_BLOCK * plan.dataNodes, WARM_UP_BLOCK, 0);
        for (int i = 0; i < plan.readers; i++) {
            say("Writing " + file(i) + ", " + (plan.size >> 20) + " MiB");
            write(on, file(i), plan.size, plan.blockSize, i);
        }
    }

    private void write(ProcessCluster on, String path, long size, long blockSize, int index)
            throws IOException, InterruptedException {
        List<String> command = clientCommand(on, Installation.STOCK, WriteWorkload.class);
        command.addAll(List.of(
                on.uri() + path,
                String.valueOf(size),
                String.valueOf(blockSize),
                String.valueOf(index),
                String.valueOf(index)));
        String doing = "writing " + path;
        ClientProcess process = launch(command, "write.log");
        for (String line = process.readLine(); line != null; line = process.readLine()) {
            if (line.startsWith("WROTE ")) {
                String[] words = line.split(" ", -1);
                written.put(path, words[2] + " " + words[3]);
            }
        }
        process.awaitSuccess(doing);
        if (!written.containsKey(path)) {
            throw process.failure(doing);
        }
    }

    private SideResult measure(ProcessCluster on, int round, boolean stock) throws IOException, InterruptedException {
        String name = stock ? "stock HDFS" : "Foresight";
        say("Round " + round + " of " + plan.rounds + ", " + name + ": restarting the DataNodes");
        on.restartDataNodes(stock ? Installation.STOCK : dataNode);
        List<String> command = clientCommand(on, stock ? Installation.STOCK : client, ReadWorkload.class);
        command.add(WARM_UP);
        for (int i = 0; i < plan.readers; i++) {
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
        say("Round " + round + " of " + plan.rounds + ", " + name + ": reading");
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
        if (seconds == 0 || verified != plan.readers) {
            throw process.failure(doing);
        }
        DiskReads reads = diskReads().since(readsBefore);
        Thread.sleep(METRICS_MILLIS);
        long[] prefetchAfter = prefetchCounts(on, stock);
        SideResult result = new SideResult(
                seconds,
                plan.size * plan.readers,
                reads,
                prefetchAfter[0] - prefetchBefore[0],
                prefetchAfter[1] - prefetchBefore[1]);
        say(String.format(
                Locale.ROOT, "Round %d of %d, %s: %.1f MiB/s", round, plan.rounds, name, result.mibPerSecond()));
        return result;
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
        DiskReads sum = throttle.reads(0);
        for (int i = 1; i < plan.dataNodes; i++) {
            sum = sum.plus(throttle.reads(i));
        }
        return sum;
    }

    /** Bytes prefetched and wasted so far, over all DataNodes. */
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

    private void keepUp(ProcessCluster on) throws IOException {
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
        return on.clientCommand(on.clientConf(name, installation), installation, List.of(toolsJar), main.getName());
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
            return; // the JVM is going down and the hook does it
        }
        stopEverything();
    }

    /** Whether everything is being stopped; what fails from then on is no news. */
    boolean isStopping() {
        return stopping;
    }

    private void closeQuietly() {
        try {
            System.err.println("Stopping and cleaning up");
            stopEverything();
        } catch (IOException e) {
            System.err.println("Cleaning up failed: " + e.getMessage());
        }
    }

    private void stopEverything() throws IOException {
        stopping = true;
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

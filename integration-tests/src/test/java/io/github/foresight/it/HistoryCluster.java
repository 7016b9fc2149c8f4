/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.JmxPage;
import io.github.foresight.cluster.client.ClientCounters;
import io.github.foresight.it.HistoryLog.Kind;
import io.github.foresight.it.HistoryLog.Operation;
import io.github.foresight.it.HistoryWorkload.Versions;
import io.github.foresight.it.OperationHistory.Conditions;
import io.github.foresight.it.OperationHistory.Interval;
import io.github.foresight.protocol.conf.HadoopXml;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;

/**
 * An HA cluster with three Foresight clients, a stock client and a WebHDFS client, and the misfortunes of a run. The clients log all their
 * operations. Confined to the test's thread, except for the WebHDFS client.
 */
final class HistoryCluster implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration MARGIN = Duration.ofMillis(500);

    /** The longest time of an operation: a lease, its margin, and a generous time for a failover on a busy machine. */
    private static final Duration LONGEST = LEASE.plus(MARGIN).plusSeconds(40);

    private static final List<String> FORESIGHT_CLIENTS = List.of("client0", "client1", "client2");
    private static final String STOCK_CLIENT = "client3";
    private static final String WEB_CLIENT = "web";
    private static final int THREADS = 2;
    private static final int WEB_SLOT = 4;
    private static final long CLIENT_END_SECONDS = 90;
    private static final String BEAN = "Hadoop:service=NameNode,name=Foresight";
    private static final String HDFS_PROVIDER =
            "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider";

    /** An event that HDFS must survive. */
    enum Misfortune {
        CLIENT_STOPPED,
        FAILOVER,
        CLIENT_KILLED,
        NAMENODE_STOPPED,
        NAMENODE_KILLED
    }

    private static final List<Misfortune> MISFORTUNES = List.of(Misfortune.values());

    private final HaCluster cluster;
    private final long seed;
    private final Map<String, String> foresightConf;
    private final Random random;
    private final List<Path> logs = new ArrayList<>();
    private final Map<String, Path> lastLog = new HashMap<>();
    private final Map<String, Long> highestVersions = new HashMap<>();
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private Thread web;

    private String active = "nn1";
    private String standby = "nn2";

    /** The intervals in which a log's process was stopped, by the log's name. */
    private final Map<String, List<Interval>> stops = new HashMap<>();

    private final List<Interval> failovers = new ArrayList<>();
    private final List<Interval> dumps = new ArrayList<>();
    private final List<String> heldHandlers = new ArrayList<>();
    private final Map<Misfortune, Integer> misfortunes = new TreeMap<>();

    /** The latest value of each metric in each NameNode process, by metric and process. */
    private final Map<String, Map<String, Long>> counted = new TreeMap<>();

    private int nameNodesStarted;

    HistoryCluster(long seed, Map<String, String> foresightConf) throws Exception {
        this.seed = seed;
        this.random = new Random(seed);
        this.cluster = HaCluster.start(Map.of(
                "foresight.namenode.lease.duration", LEASE.toSeconds() + "s",
                "foresight.namenode.lease.margin", MARGIN.toMillis() + "ms",
                "dfs.client.failover.max.attempts", "200",
                "dfs.client.failover.sleep.base.millis", "50",
                "dfs.client.failover.sleep.max.millis", "500",
                "dfs.http.client.failover.max.attempts", "200",
                "dfs.http.client.failover.sleep.max.millis", "500",
                "dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5",
                "dfs.client.retry.window.base", "10"));
        this.foresightConf = foresightConf(foresightConf);
        try (FileSystem fs = cluster.client()) {
            HistoryWorkload.makeDirectories(fs);
        }
        for (String client : FORESIGHT_CLIENTS) {
            startClient(client);
        }
        startClient(STOCK_CLIENT);
        startWeb();
    }

    private void startClient(String client) throws IOException {
        long beyond = versionBeyond(client);
        boolean isStock = client.equals(STOCK_CLIENT);
        Path log = newLog(client);
        cluster.startClient(
                client,
                isStock ? Map.of() : foresightConf,
                isStock ? stockClasspath() : foresightClasspath(),
                HistoryClient.class,
                log.toString(),
                client.substring("client".length()),
                String.valueOf(random.nextLong()),
                String.valueOf(isStock ? 1 : THREADS),
                String.valueOf(beyond));
    }

    /** Returns a version above all that a client has written. A client that was killed early may have written none since its start. */
    private long versionBeyond(String client) throws IOException {
        Path before = lastLog.get(client);
        if (before == null) {
            return 0;
        }
        long highest = highestVersions.getOrDefault(client, 0L);
        for (Operation operation : HistoryLog.read(before)) {
            highest = Math.max(highest, Math.abs(operation.value()));
        }
        highestVersions.put(client, highest);
        return highest + 1000;
    }

    /** Makes an empty log: a client may be killed before it opens its own. */
    private Path newLog(String client) throws IOException {
        Path log = Files.createFile(cluster.work().resolve(client + "-" + logs.size() + ".history"));
        logs.add(log);
        lastLog.put(client, log);
        return log;
    }

    private void startWeb() throws IOException {
        HistoryLog log = new HistoryLog(newLog(WEB_CLIENT));
        Configuration conf = cluster.configuration();
        WebHdfsFileSystem fs =
                (WebHdfsFileSystem) FileSystem.newInstance(URI.create("webhdfs://" + HaCluster.NAMESERVICE), conf);
        web = new Thread(
                new HistoryWorkload(fs, log, new Versions(WEB_SLOT, 0), isStopped, random.nextLong(), null), "web");
        web.setDaemon(true);
        web.start();
    }

    /**
     * Lets the clients work for a time.
     *
     * @param withMisfortunes whether each misfortune happens, a client's stop twice, and random ones after that. They begin when each client has
     *     opened a file, so that a Foresight client which is stopped holds layouts.
     */
    void run(Duration time, boolean withMisfortunes) throws Exception {
        if (withMisfortunes) {
            TestCluster.eventually(this::assertAllHaveOpened);
        }
        long end = System.nanoTime() + time.toNanos();
        List<Misfortune> next = new ArrayList<>(MISFORTUNES);
        next.add(Misfortune.CLIENT_STOPPED);
        while (System.nanoTime() - end < 0) {
            pause(500, 3000);
            if (withMisfortunes) {
                Misfortune misfortune =
                        next.isEmpty() ? MISFORTUNES.get(random.nextInt(MISFORTUNES.size())) : next.remove(0);
                inflict(misfortune);
            }
            count();
        }
    }

    private void assertAllHaveOpened() throws IOException {
        for (Path log : lastLog.values()) {
            assertThat(HistoryLog.read(log))
                    .as("opens in %s", log)
                    .anyMatch(operation -> operation.kind() == Kind.OPEN && operation.isDone());
        }
    }

    private void pause(long leastMillis, long mostMillis) {
        long until = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(leastMillis + random.nextInt((int) (mostMillis - leastMillis)));
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void inflict(Misfortune misfortune) throws Exception {
        misfortunes.merge(misfortune, 1, Integer::sum);
        System.out.println(System.nanoTime() + " " + misfortune + ", active " + active);
        switch (misfortune) {
            case CLIENT_STOPPED -> stopAClient();
            case FAILOVER -> failOver();
            case CLIENT_KILLED -> {
                String client = FORESIGHT_CLIENTS.get(random.nextInt(FORESIGHT_CLIENTS.size()));
                cluster.kill(client);
                startClient(client);
            }
            case NAMENODE_STOPPED -> whileStopped(random.nextInt(4) == 0 ? standby : active, () -> pause(1000, 4000));
            case NAMENODE_KILLED -> killActive();
            default -> throw new IllegalArgumentException(misfortune.name());
        }
    }

    /**
     * Stops a client, the first two times one with Foresight: changes wait for it, and thread dumps are taken. Sometimes a failover or the end of a
     * NameNode happens before the client continues.
     */
    private void stopAClient() throws Exception {
        boolean isAny = misfortunes.get(Misfortune.CLIENT_STOPPED) > 2;
        String client = isAny && random.nextInt(5) == 0
                ? STOCK_CLIENT
                : FORESIGHT_CLIENTS.get(random.nextInt(FORESIGHT_CLIENTS.size()));
        String log = lastLog.get(client).getFileName().toString();
        long begin = System.nanoTime();
        boolean isShort = random.nextBoolean();
        boolean isMore = random.nextInt(3) == 0;
        whileStopped(client, () -> {
            dumpWhileChangesWait(begin + LEASE.toNanos());
            if (isMore) {
                inflict(random.nextBoolean() ? Misfortune.FAILOVER : Misfortune.NAMENODE_KILLED);
            }
            if (!isShort) {
                pause(0, 12_000);
            }
        });
        stops.computeIfAbsent(log, unused -> new ArrayList<>()).add(new Interval(begin, System.nanoTime()));
    }

    private void whileStopped(String process, DaemonProcesses.Action action) throws Exception {
        DaemonProcesses.whileStopped(cluster.process(process), action);
    }

    private void failOver() throws Exception {
        long begin = System.nanoTime();
        transition("-transitionToStandby", active);
        transition("-transitionToActive", standby);
        swap(begin);
    }

    private void killActive() throws Exception {
        long begin = System.nanoTime();
        count();
        cluster.kill(active);
        transition("-transitionToActive", "--forceactive", standby);
        nameNodesStarted++;
        cluster.startNameNode(active);
        transition("-getServiceState", active);
        swap(begin);
    }

    /** Changes a NameNode's HA state, and repeats a failed call. This JVM's connection may lead to a NameNode that was killed meanwhile. */
    private void transition(String... command) {
        TestCluster.eventually(() -> cluster.transition(command));
    }

    private void swap(long begin) {
        String before = active;
        active = standby;
        standby = before;
        failovers.add(new Interval(begin, System.nanoTime()));
    }

    /** Takes thread dumps of the active NameNode until a point of time in nanoseconds. */
    private void dumpWhileChangesWait(long until) throws Exception {
        while (System.nanoTime() - until < 0) {
            pause(100, 400);
            long begin = System.nanoTime();
            List<String> held = DaemonProcesses.handlersHeld(cluster.process(active));
            dumps.add(new Interval(begin, System.nanoTime()));
            heldHandlers.addAll(held);
        }
    }

    private void count() {
        for (String metric :
                List.of("Recalls", "ChangesWaited", "LayoutsGranted", "ChangesByOtherWays", "InternalErrors")) {
            for (String nameNode : List.of("nn1", "nn2")) {
                try {
                    long value = new JmxPage("127.0.0.1", cluster.httpPort(nameNode))
                            .bean(BEAN)
                            .path(metric)
                            .asLong();
                    counted.computeIfAbsent(metric, unused -> new TreeMap<>())
                            .merge(nameNode + "-" + nameNodesStarted, value, Math::max);
                } catch (IOException e) {
                    // The NameNode is being restarted.
                }
            }
        }
    }

    /**
     * Returns a metric's sum over all NameNode processes. A NameNode that outlives the restart of the other NameNode gets a new entry. The last
     * entry of such a NameNode holds its whole count.
     */
    long counted(String metric) {
        long sum = 0;
        for (String nameNode : List.of("nn1", "nn2")) {
            long last = 0;
            for (int i = 0; i <= nameNodesStarted; i++) {
                long value = counted.getOrDefault(metric, Map.of()).getOrDefault(nameNode + "-" + i, 0L);
                if (value < last) {
                    sum += last;
                }
                last = value;
            }
            sum += last;
        }
        return sum;
    }

    /** Ends all clients, and waits for their ends. */
    void end() throws Exception {
        count();
        isStopped.set(true);
        List<String> clients = new ArrayList<>(FORESIGHT_CLIENTS);
        clients.add(STOCK_CLIENT);
        for (String client : clients) {
            cluster.process(client).getOutputStream().close();
        }
        for (String client : clients) {
            assertThat(cluster.process(client).waitFor(CLIENT_END_SECONDS, TimeUnit.SECONDS))
                    .as("%s ends", client)
                    .isTrue();
        }
        web.join(TimeUnit.SECONDS.toMillis(CLIENT_END_SECONDS));
        assertThat(web.isAlive()).as("the WebHDFS client ends").isFalse();
        count();
    }

    OperationHistory history() throws IOException {
        return new OperationHistory(logs, new Conditions(WEB_CLIENT, failovers, LONGEST.toNanos()));
    }

    boolean isOfLivingClient(Operation operation) {
        return lastLog.values().stream()
                .anyMatch(log -> log.getFileName().toString().equals(operation.client()));
    }

    /** Returns an operation's duration, without the time in which its own process was stopped. */
    private long durationNanos(Operation operation) {
        Interval time = new Interval(operation.invoked(), operation.responded());
        long stopped = stops.getOrDefault(operation.client(), List.of()).stream()
                .mapToLong(stop -> stop.overlapNanos(time))
                .sum();
        return operation.responded() - operation.invoked() - stopped;
    }

    long fromMemory() throws IOException {
        long hits = 0;
        for (Path log : logs) {
            hits += HistoryLog.readCounters(log)[0];
        }
        return hits;
    }

    /** Counts the dumps that were taken during a change's wait. */
    long dumpsDuringWaits(OperationHistory history) {
        return dumps.stream()
                .filter(dump -> history.operations().stream()
                        .anyMatch(operation -> operation.kind().isChange()
                                && operation.responded() != HistoryLog.NEVER
                                && durationNanos(operation) > TimeUnit.SECONDS.toNanos(1)
                                && operation.invoked() < dump.begin()
                                && operation.responded() > dump.end()))
                .count();
    }

    /** Prints what has happened, and leaves the seed beside the logs. */
    void print(OperationHistory history) throws IOException {
        System.out.println(history.outcomes());
        System.out.printf(
                "%d opens, %d of them checked, %d from memory; %d changes, %d waited, %d recalls; %d layouts granted; %d changes by"
                        + " other ways; %d failovers; misfortunes %s; %d thread dumps, %d while a change waited; longest operation %d ms%n",
                history.count(operation -> operation.kind() == Kind.OPEN),
                history.checkedOpens(),
                fromMemory(),
                history.count(operation -> operation.kind().isChange() && operation.isDone()),
                counted("ChangesWaited"),
                counted("Recalls"),
                counted("LayoutsGranted"),
                counted("ChangesByOtherWays"),
                failovers.size(),
                misfortunes,
                dumps.size(),
                dumpsDuringWaits(history),
                TimeUnit.NANOSECONDS.toMillis(history.operations().stream()
                        .filter(operation -> operation.responded() != HistoryLog.NEVER)
                        .mapToLong(this::durationNanos)
                        .max()
                        .orElse(0)));
        Files.writeString(cluster.work().resolve("seed"), seed + "\n");
    }

    List<String> heldHandlers() {
        return Collections.unmodifiableList(heldHandlers);
    }

    Map<Misfortune, Integer> misfortunes() {
        return Collections.unmodifiableMap(misfortunes);
    }

    int failoverCount() {
        return failovers.size();
    }

    /** Whether an operation took longer than a lease and a failover. */
    boolean hasHung(Operation operation) {
        return durationNanos(operation) > LONGEST.toNanos();
    }

    @Override
    public void close() throws IOException {
        isStopped.set(true);
        cluster.close();
    }

    /** Returns the configuration of a client with Foresight: the shipped fragment, without hints. */
    static Map<String, String> foresightConf(Map<String, String> besides) throws IOException {
        Map<String, String> conf = new LinkedHashMap<>(
                HadoopXml.read(Path.of(System.getProperty("foresight.release"), "conf", "foresight-client.xml")));
        conf.put("dfs.client.failover.proxy.provider." + HaCluster.NAMESERVICE, HDFS_PROVIDER);
        conf.put("foresight.client.hint.enabled", "false");
        conf.putAll(besides);
        return conf;
    }

    /** Returns the class path entries that precede Hadoop's for a client with Foresight. */
    static List<Path> foresightClasspath() throws IOException {
        List<Path> classpath = new ArrayList<>(stockClasspath());
        classpath.add(Path.of(System.getProperty("foresight.release"), "lib", "foresight-client.jar")
                .toAbsolutePath());
        return classpath;
    }

    private static List<Path> stockClasspath() throws IOException {
        return List.of(home(HistoryClient.class), home(ClientCounters.class));
    }

    private static Path home(Class<?> type) throws IOException {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }
}

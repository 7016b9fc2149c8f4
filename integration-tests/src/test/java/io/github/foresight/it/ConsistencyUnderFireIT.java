/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.client.ClientCounters;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Writers replace, append to, rename and delete files while readers of the same JVM and of stock HDFS open and read them. Meanwhile
 * {@link DataNodeMisfortunes} befall the DataNodes. No reader sees two versions in one read, and none sees a version that was
 * replaced before it opened the file. Readers get the errors that readers of stock HDFS get, and no more of them.
 *
 * <p>{@code -Dforesight.fire.seconds} sets the duration; hedged reads are on in its second half. {@code -Dforesight.fire.seed} determines the
 * operations and misfortunes, but not the interleaving of threads.
 */
final class ConsistencyUnderFireIT {

    private static final int SECONDS = Integer.getInteger("foresight.fire.seconds", 120);
    private static final long SEED = Long.getLong("foresight.fire.seed", System.nanoTime());
    private static final int READERS = 3;
    private static final int SLOW_READERS = 12;
    private static final int PAUSE_MAX_MILLIS = 5000;
    private static final int WRITERS = 3;
    private static final int PATHS_OF_WRITER = 6;
    private static final int DATA_NODES = 4;

    private static final List<WayToRead> WAYS = List.of(WayToRead.values());

    /** The largest number of longs in one write, which is 3/64 of a block. */
    private static final int NUMBERS_MAX = 3 * TestCluster.BLOCK / 4 / Long.BYTES / 16;

    private static DataNodeMisfortunes.Means means;
    private static TestCluster cluster;

    private final FileVersions versions = new FileVersions();
    private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
    private final List<String> wrong = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        DefaultMetricsSystem.initialize("fire");
        TestCluster.Plan plan = TestCluster.plan("fire")
                .dataNodes(DATA_NODES)
                .onAll(Map.of(
                        "dfs.replication", "3",
                        "dfs.heartbeat.interval", "1",
                        "dfs.namenode.redundancy.interval.seconds", "1",
                        "dfs.client.block.write.replace-datanode-on-failure.best-effort", "true",
                        "dfs.client.retry.window.base", "10"));
        means = DataNodeMisfortunes.Means.of(plan);
        cluster = plan.start();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
        means.close();
    }

    /** An access to the files, made anew for each thread. */
    @FunctionalInterface
    private interface Client {
        FileAccess make() throws IOException;
    }

    private static Client stock(Map<String, String> conf) {
        return () -> FileAccess.of(cluster.stockClientWith(conf));
    }

    private static Client foresight(Map<String, String> conf) {
        return () -> FileAccess.of(cluster.foresightClientWith(conf));
    }

    private static Client context(Map<String, String> conf) {
        return () -> {
            Configuration configuration = cluster.clientConf();
            cluster.clientInstallation().conf().forEach(configuration::set);
            conf.forEach(configuration::set);
            return FileAccess.of(FileContext.getFileContext(configuration));
        };
    }

    @Test
    void readers_amongWritersAndFailures_seeOneVersionAndNoneThatWasReplaced() throws Exception {
        System.out.println("fire: -Dforesight.fire.seed=" + SEED + " -Dforesight.fire.seconds=" + SECONDS);
        try (DistributedFileSystem fs = cluster.stockClient()) {
            DataNodeMisfortunes misfortunes = new DataNodeMisfortunes(cluster, means, fs, SEED);
            burn(misfortunes, Map.of());
            // The pool of hedged reads belongs to the JVM: from now on all clients have it.
            burn(
                    misfortunes,
                    Map.of(
                            "dfs.client.hedged.read.threadpool.size",
                            "8",
                            "dfs.client.hedged.read.threshold.millis",
                            "5"));
        }
        meetStockErrors();
        System.out.println("fire: " + new TreeMap<>(outcomes));
        System.out.println("fire: from memory " + ClientCounters.value("MetadataHits") + ", found stale "
                + ClientCounters.value("MetadataStale") + ", opened again "
                + ClientCounters.value("StaleOpensRepeated"));
        assertThat(wrong).as("seed %s", SEED).isEmpty();
        assertThat(counted("foresight read")).isGreaterThan(4L * SECONDS);
        assertThat(counted("foresight context read")).isGreaterThan(4L * SECONDS);
        assertThat(means.possible()).as("misfortunes").allMatch(kind -> counted("misfortune " + kind) > 0);
        assertThat(cluster.metric("InternalErrors"))
                .as("failures of Foresight in DataNodes")
                .isZero();
        assertThat(ClientCounters.value("InternalErrors"))
                .as("failures of Foresight in clients")
                .isZero();
        assertThat(ClientCounters.value("MetadataHits")).isPositive();
        assertThat(outcomes.keySet().stream().filter(outcome -> outcome.matches("foresight.* error .*")))
                .as("all errors are those of stock streams")
                .allMatch(error -> outcomes.containsKey(error.replaceFirst("foresight.* error", "slow stock error")));
        assertThat(counted("stock read")).isGreaterThan(4L * SECONDS);
        assertThat(errors("foresight") + errors("foresight context"))
                .as("errors of readers")
                .isLessThan(expectedErrors(counted("foresight read") + counted("foresight context read")));
    }

    /** The most errors of so many reads that chance explains, if a read fails as often as a read of stock HDFS. */
    private long expectedErrors(long reads) {
        double stock = errors("stock");
        return (long) (reads * (stock + 3 * Math.sqrt(stock) + 3) / counted("stock read"));
    }

    /** Runs writers, readers and misfortunes for half of the time. */
    private void burn(DataNodeMisfortunes misfortunes, Map<String, String> conf) throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500L * SECONDS);
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> running = new ArrayList<>();
        List<Client> writers = List.of(stock(conf), foresight(conf), context(conf));
        for (int i = 0; i < WRITERS; i++) {
            running.add(threads.submit(writer(writers.get(i), i, end)));
        }
        for (int i = 0; i < READERS; i++) {
            running.add(threads.submit(reader("foresight", foresight(conf), i, end)));
            running.add(threads.submit(reader("foresight context", context(conf), i, end)));
        }
        running.add(threads.submit(reader("stock", stock(conf), 0, end)));
        for (int i = 0; i < SLOW_READERS; i++) {
            running.add(threads.submit(reader("slow stock", stock(conf), i, end)));
        }
        running.add(threads.submit(() -> befall(misfortunes, end)));
        threads.shutdown();
        for (Future<?> future : running) {
            future.get();
        }
    }

    private long counted(String outcome) {
        LongAdder times = outcomes.get(outcome);
        return times == null ? 0 : times.sum();
    }

    private long errors(String kind) {
        return outcomes.entrySet().stream()
                .filter(outcome -> outcome.getKey().startsWith(kind + " error"))
                .mapToLong(outcome -> outcome.getValue().sum())
                .sum();
    }

    private static Path path(int writer, int number) {
        return new Path("/fire/w" + writer + "/f" + number);
    }

    private Callable<Void> writer(Client client, int writer, long end) {
        return () -> {
            Random random = new Random(SEED + writer);
            try (FileAccess files = client.make()) {
                while (System.nanoTime() - end < 0) {
                    Path path = path(writer, random.nextInt(PATHS_OF_WRITER));
                    Path other = path(writer, random.nextInt(PATHS_OF_WRITER));
                    try {
                        change(files, random, path, other);
                    } catch (FileNotFoundException e) {
                        throw e;
                    } catch (IOException e) {
                        // A pipeline has lost its DataNodes. The next writer of the path begins anew.
                        count("writer's error " + e.getClass().getSimpleName());
                        files.delete(path);
                        versions.becomes(path, FileVersions.NONE);
                    }
                }
            }
            return null;
        };
    }

    private void change(FileAccess files, Random random, Path path, Path other) throws IOException {
        long version = versions.current(path);
        int dice = random.nextInt(6);
        if (dice == 0) {
            files.delete(path);
            versions.becomes(path, FileVersions.NONE);
        } else if (dice == 1 && version != FileVersions.NONE && !path.equals(other)) {
            versions.begins(other, version);
            files.rename(path, other);
            versions.becomes(other, version);
            versions.becomes(path, FileVersions.NONE);
        } else if (dice == 2 && version != FileVersions.NONE) {
            write(files.append(path), version, random);
        } else {
            long next = versions.next();
            versions.begins(path, next);
            write(files.create(path), next, random);
            versions.becomes(path, next);
        }
    }

    private static void write(OutputStream to, long version, Random random) throws IOException {
        try (OutputStream out = to) {
            FileVersions.write(out, version, 1 + random.nextInt(NUMBERS_MAX));
        }
    }

    private Callable<Void> reader(String kind, Client client, int reader, long end) {
        return () -> {
            Random random = new Random(SEED + 1000L * kind.hashCode() + reader);
            try (FileAccess files = client.make()) {
                // Readers read a writer's files in a fixed order, so that there is an order to learn.
                int writer = 0;
                int number = 0;
                while (System.nanoTime() - end < 0) {
                    number = (number + 1 + reader) % PATHS_OF_WRITER;
                    if (random.nextInt(20) == 0) {
                        writer = random.nextInt(WRITERS);
                    }
                    readOne(kind, files, path(writer, number), random);
                }
            }
            return null;
        };
    }

    private void readOne(String kind, FileAccess files, Path path, Random random) throws InterruptedException {
        WayToRead way = WAYS.get(random.nextInt(WAYS.size()));
        long opening = System.nanoTime();
        try (FSDataInputStream in = files.open(path)) {
            if (kind.startsWith("slow")) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(PAUSE_MAX_MILLIS));
            }
            long version = way.version(in, random);
            count(kind + (version == FileVersions.NONE ? " empty" : " read"));
            if (version == FileVersions.MIXED) {
                fail(kind + " mixed versions of " + path + ", " + way);
            } else if (version != FileVersions.NONE) {
                String contradiction = versions.contradiction(path, version, opening);
                if (contradiction != null) {
                    fail(kind + ' ' + contradiction + ", " + way);
                }
            }
        } catch (FileNotFoundException e) {
            count(kind + " missing");
        } catch (IOException e) {
            count(errorOf(kind, e));
        }
    }

    private Void befall(DataNodeMisfortunes misfortunes, long end) throws Exception {
        Random random = new Random(SEED);
        while (System.nanoTime() - end < 0) {
            Path path = path(random.nextInt(WRITERS), random.nextInt(PATHS_OF_WRITER));
            DataNodeMisfortunes.Kind kind = misfortunes.next(path.toString());
            if (kind != null) {
                count("misfortune " + kind);
            }
        }
        return null;
    }

    /** Has stock streams meet the errors of stock HDFS that the main run meets too rarely to show each of them in each run. */
    private void meetStockErrors() throws IOException, InterruptedException {
        try (DistributedFileSystem fs = cluster.stockClient()) {
            for (WayToRead way : WAYS) {
                overtake(fs, way);
            }
            openWithoutReplica(fs);
        }
    }

    /** Opens streams, replaces their file by an empty file, and then reads them. */
    private void overtake(DistributedFileSystem fs, WayToRead way) throws IOException {
        Path path = new Path("/fire/overtaken-" + way);
        write(fs.create(path), versions.next(), new Random(1));
        Deque<FSDataInputStream> opened = new ArrayDeque<>();
        for (int i = 0; i < 300; i++) {
            opened.add(fs.open(path));
        }
        try (OutputStream empty = fs.create(path, true)) {
            // The DataNodes delete the old block after their next heartbeat.
            Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> !canBeRead(opened.remove(), way));
            empty.write(1);
        }
        for (FSDataInputStream left : opened) {
            left.close();
        }
    }

    /** Opens a file that is being written, while its only DataNode is dead. */
    private void openWithoutReplica(DistributedFileSystem fs) throws IOException, InterruptedException {
        Path path = new Path("/fire/without-replica");
        InetSocketAddress[] only = {
            new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), cluster.processes().dataPort(DataNodeMisfortunes.AWAY))
        };
        FsPermission permission = FsPermission.getFileDefault();
        try (FSDataOutputStream out =
                fs.create(path, permission, true, 4096, (short) 1, TestCluster.BLOCK, null, only)) {
            FileVersions.write(out, versions.next(), 1);
            out.hflush();
            cluster.processes().dataNodes().get(DataNodeMisfortunes.AWAY).kill();
            assertThat(canBeOpened(fs, path)).isFalse();
            fs.delete(path, false);
        } catch (IOException e) {
            // The file was deleted, and its DataNode is dead.
            count("writer's error " + e.getClass().getSimpleName());
        } finally {
            cluster.processes().restartDataNode(DataNodeMisfortunes.AWAY, cluster.dataNodeInstallation());
        }
    }

    private boolean canBeOpened(DistributedFileSystem fs, Path path) {
        try {
            fs.open(path).close();
            return true;
        } catch (IOException e) {
            count(errorOf("slow stock", e));
            return false;
        }
    }

    private boolean canBeRead(FSDataInputStream opened, WayToRead way) {
        try (FSDataInputStream in = opened) {
            way.version(in, new Random(1));
            return true;
        } catch (IOException e) {
            count(errorOf("slow stock", e));
            return false;
        }
    }

    private static String errorOf(String kind, IOException e) {
        return kind + " error " + e.getClass().getSimpleName() + " " + shape(e);
    }

    private static String shape(IOException e) {
        String message = String.valueOf(e.getMessage()).split("\n", -1)[0];
        return message.replaceAll("/fire\\S*", "PATH")
                .replaceAll("BP-\\S*|blk_\\S*", "BLOCK")
                .replaceAll("[0-9]+", "N")
                .replaceAll("(?s)(No live nodes|Dead nodes|from any node|offset).*", "$1");
    }

    private void count(String outcome) {
        outcomes.computeIfAbsent(outcome, unused -> new LongAdder()).increment();
    }

    private void fail(String what) {
        synchronized (wrong) {
            if (wrong.size() < 20) {
                wrong.add(what);
            }
        }
    }
}

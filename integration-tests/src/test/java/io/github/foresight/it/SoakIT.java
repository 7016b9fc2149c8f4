/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/**
 * A cluster of small daemons under mixed load for minutes, while DataNodes are killed. No byte read is wrong. The NameNode's and a DataNode's heap,
 * descriptors, mappings, threads and locked memory do not grow.
 *
 * <p>The first DataNode is never killed. {@link SoakLook} measures this DataNode and the NameNode. {@code foresight.soak.minutes} sets the duration;
 * {@code foresight.soak.seed} repeats a run's choices.
 */
final class SoakIT {

    private static final int MINUTES = Integer.getInteger("foresight.soak.minutes", 3);
    private static final long SEED = Long.getLong("foresight.soak.seed", System.nanoTime());
    private static final int DATA_NODES = 4;
    private static final long KILL_SECONDS = 20;
    private static final long LOOK_SECONDS = 5;
    private static final long CACHE_BYTES = 32 << 20;
    private static final int BIG_FILES = 3;
    private static final int BIG_BYTES = 3 * BLOCK + 12_345;
    private static final int SMALL_FILES = 150;
    private static final int CHUNK = 64 << 10;

    /** A pattern of prime length, so that no two blocks of a file are equal. */
    private static final byte[] PATTERN = pattern(1_048_583);

    /** The largest percentage of operations that may fail because a killed node held the replicas. */
    private static final int UNAVAILABLE_PERCENT_MAX = 5;

    private final Map<String, LongAdder> done = new ConcurrentSkipListMap<>();
    private final Map<String, LongAdder> unavailable = new ConcurrentSkipListMap<>();
    private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, List<SoakLook>> looks = new ConcurrentSkipListMap<>();
    private final Random victims = new Random(SEED);
    private volatile boolean ended;
    private TestCluster cluster;

    /** The operation of one load thread. */
    @FunctionalInterface
    private interface Load {
        void once(FileSystem fs, Random random) throws IOException;
    }

    private static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static void fill(byte[] into, int length, String path, long offset) {
        int from = (int) ((Math.floorMod((long) path.hashCode(), PATTERN.length) + offset) % PATTERN.length);
        for (int at = 0; at < length; ) {
            int n = Math.min(length - at, PATTERN.length - from);
            System.arraycopy(PATTERN, from, into, at, n);
            at += n;
            from = 0;
        }
    }

    @Test
    void mixedLoad_whileDataNodesAreKilled_readsRightAndLeaksNothing() throws Exception {
        System.out.println("soak: -Dforesight.soak.seed=" + SEED + " -Dforesight.soak.minutes=" + MINUTES);
        cluster = TestCluster.plan("soak")
                .dataNodes(DATA_NODES)
                .withPlacement()
                .onNameNode(Map.of("foresight.namenode.graph.capacity", "8m"))
                .onDataNodes(Map.of(
                        "foresight.datanode.cache.capacity", String.valueOf(CACHE_BYTES),
                        "foresight.datanode.cache.idle.time", "2s",
                        "foresight.datanode.sessions.idle.time", "3s",
                        "foresight.datanode.packs.delay.time", "1s"))
                .onAll(Map.of(
                        "dfs.replication", "3",
                        "dfs.heartbeat.interval", "1",
                        "dfs.namenode.redundancy.interval.seconds", "1",
                        "dfs.client.socket-timeout", "10000",
                        "dfs.client.retry.window.base", "200"))
                .processes(processes ->
                        processes.daemonHeap("128m").launchPrefix(List.of("prlimit", "--nofile=1024:1024")))
                .start();
        ExecutorService threads = Executors.newCachedThreadPool();
        ScheduledExecutorService control = Executors.newSingleThreadScheduledExecutor();
        try {
            prepare();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                running.add(load(threads, "sequential reader", i, this::readSequentially));
                running.add(load(threads, "random reader", i, this::readRandomly));
                Deque<String> kept = new ArrayDeque<>();
                int writer = i;
                running.add(load(threads, "writer", i, (fs, random) -> write(fs, random, writer, kept)));
            }
            running.add(load(threads, "reader of small files", 0, (fs, random) -> readSmallFiles(fs)));
            ScheduledFuture<?> looking =
                    control.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
            ScheduledFuture<?> killing =
                    control.scheduleWithFixedDelay(this::killOne, KILL_SECONDS, KILL_SECONDS, TimeUnit.SECONDS);
            ScheduledFuture<?> ending = control.schedule(() -> ended = true, MINUTES, TimeUnit.MINUTES);
            for (Future<?> future : running) {
                future.get();
            }
            ending.cancel(false);
            killing.cancel(false);
            looking.cancel(false);
            control.shutdown();
            assertThat(control.awaitTermination(3, TimeUnit.MINUTES)).isTrue();
            report();
            verdict();
        } finally {
            ended = true;
            threads.shutdown();
            control.shutdownNow();
            cluster.close();
        }
    }

    private void prepare() throws IOException {
        try (FileSystem fs = cluster.stockClient()) {
            for (int i = 0; i < BIG_FILES; i++) {
                create(fs, big(i), BIG_BYTES);
            }
            for (int i = 0; i < SMALL_FILES; i++) {
                create(fs, small(i), smallBytes(i));
            }
        }
    }

    private static String big(int index) {
        return "/big/" + index;
    }

    private static String small(int index) {
        return "/small/" + Integer.toHexString((index + 1) * 0x9e3779b9) + "x";
    }

    private static int smallBytes(int index) {
        return (int) Math.exp(8 + 1.2 * new Random(index).nextGaussian()) + 1;
    }

    private static void create(FileSystem fs, String path, int length) throws IOException {
        try (OutputStream out = fs.create(new Path(path))) {
            append(out, path, 0, length);
        }
    }

    private static void append(OutputStream out, String path, int from, int length) throws IOException {
        byte[] bytes = new byte[length];
        fill(bytes, length, path, from);
        out.write(bytes);
    }

    private Future<?> load(ExecutorService threads, String role, int number, Load load) {
        Random random = new Random(SEED + 31L * role.hashCode() + number);
        return threads.submit(() -> {
            while (!ended) {
                // A client lives as long as a task's client.
                try (FileSystem fs = cluster.foresightClient()) {
                    for (int i = 0; i < 20 && !ended; i++) {
                        operate(role, () -> load.once(fs, random));
                    }
                } catch (IOException e) {
                    failures.add("a client of the " + role + ": " + e);
                }
            }
        });
    }

    @FunctionalInterface
    private interface Operation {
        void run() throws IOException;
    }

    private void operate(String role, Operation operation) {
        done.computeIfAbsent(role, unused -> new LongAdder()).increment();
        try {
            operation.run();
        } catch (ChecksumException e) {
            wrong.add(role + ": " + e);
        } catch (IOException e) {
            unavailable.computeIfAbsent(role, unused -> new LongAdder()).increment();
            System.out.println("soak: " + role + ": " + e);
        } catch (RuntimeException e) {
            failures.add(role + ": " + e);
        }
    }

    private void readSequentially(FileSystem fs, Random random) throws IOException {
        readWhole(fs, big(random.nextInt(BIG_FILES)), BIG_BYTES);
    }

    private void readSmallFiles(FileSystem fs) throws IOException {
        for (int i = 0; i < SMALL_FILES && !ended; i++) {
            readWhole(fs, small(i), smallBytes(i));
        }
    }

    private void readRandomly(FileSystem fs, Random random) throws IOException {
        String path = big(random.nextInt(BIG_FILES));
        byte[] buffer = new byte[16 << 10];
        try (FSDataInputStream in = fs.open(new Path(path))) {
            int about = random.nextInt(BIG_BYTES - (1 << 20));
            for (int i = 0; i < 100; i++) {
                int offset = about + random.nextInt((1 << 20) - buffer.length);
                in.readFully(offset, buffer);
                compare(path, offset, buffer, buffer.length);
            }
        }
    }

    private void readWhole(FileSystem fs, String path, int length) throws IOException {
        byte[] buffer = new byte[CHUNK];
        int offset = 0;
        try (InputStream in = fs.open(new Path(path))) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                compare(path, offset, buffer, n);
                offset += n;
            }
        }
        if (offset != length) {
            wrong.add(path + " has " + offset + " bytes instead of " + length);
        }
    }

    private void compare(String path, int offset, byte[] read, int length) {
        byte[] expected = new byte[length];
        fill(expected, length, path, offset);
        if (!Arrays.equals(expected, 0, length, read, 0, length)) {
            wrong.add(path + " at " + offset + ": " + length + " bytes with a wrong one");
        }
    }

    private void write(FileSystem fs, Random random, int writer, Deque<String> kept) throws IOException {
        String path = "/written/" + writer + "/" + Long.toHexString(random.nextLong());
        int length = 0;
        try (FSDataOutputStream out = fs.create(new Path(path))) {
            for (int chunks = 1 + random.nextInt(8); chunks > 0; chunks--) {
                int bytes = 1 + random.nextInt(4 * CHUNK);
                append(out, path, length, bytes);
                length += bytes;
                out.hsync();
                readWhat(fs, path, length);
            }
        }
        readWhole(fs, path, length);
        int more = 1 + random.nextInt(2 * CHUNK);
        try (FSDataOutputStream out = fs.append(new Path(path))) {
            append(out, path, length, more);
        }
        length += more;
        readWhole(fs, path, length);
        kept.add(path);
        if (kept.size() > 5) {
            fs.delete(new Path(kept.remove()), false);
        }
    }

    /** Reads the synced part of a file that is being written. */
    private void readWhat(FileSystem fs, String path, int synced) throws IOException {
        byte[] buffer = new byte[synced];
        try (FSDataInputStream in = fs.open(new Path(path))) {
            in.readFully(0, buffer);
        }
        compare(path, 0, buffer, synced);
    }

    private void look() {
        try {
            looks.computeIfAbsent("NameNode", unused -> new ArrayList<>())
                    .add(SoakLook.at(cluster.processes().nameNode()));
            looks.computeIfAbsent("DataNode", unused -> new ArrayList<>())
                    .add(SoakLook.at(cluster.processes().dataNodes().get(0)));
        } catch (IOException | RuntimeException e) {
            failures.add("looking: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void killOne() {
        int victim = 1 + victims.nextInt(DATA_NODES - 1);
        try {
            cluster.processes().dataNodes().get(victim).kill();
            cluster.processes().restartDataNode(victim, cluster.dataNodeInstallation());
            done.computeIfAbsent("killed DataNode", unused -> new LongAdder()).increment();
        } catch (IOException | RuntimeException e) {
            failures.add("killing DataNode " + victim + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report() throws IOException {
        System.out.println("soak: done " + done + ", unavailable " + unavailable);
        looks.forEach((daemon, all) -> System.out.println("soak: " + daemon + ", " + all.size() + " looks:"
                + all.stream().map(look -> "\n  " + look).collect(Collectors.joining())));
        System.out.println(
                "soak: hints " + cluster.metric("Hints") + ", prefetched " + cluster.metric("PrefetchedBytes")
                        + ", granted " + cluster.nameNodeMetric("Returned") + ", refusals " + cluster.refusals());
    }

    private void verdict() throws IOException {
        assertThat(wrong).as("wrong bytes").isEmpty();
        assertThat(failures).as("failures of the load").isEmpty();
        done.forEach((role, number) -> assertThat(
                        unavailable.getOrDefault(role, new LongAdder()).sum())
                .as("operations of the %s that found no replica, of %s", role, number)
                .isLessThanOrEqualTo(1 + number.sum() * UNAVAILABLE_PERCENT_MAX / 100));
        looks.forEach((daemon, all) -> assertThat(SoakLook.leaks(all, CACHE_BYTES))
                .as("%s leaks", daemon)
                .isEmpty());
        assertThat(cluster.metric("Hints")).as("hints").isPositive();
        assertThat(cluster.metric("InternalErrors")).as("DataNodes' errors").isZero();
        assertThat(cluster.nameNodeMetric("InternalErrors"))
                .as("the NameNode's errors")
                .isZero();
        eventually(() -> assertThat(cluster.lockedBytes())
                .as("locked when nobody reads any more")
                .containsOnly(0L));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.client.ClientCounters;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Writers overwrite, append, rename and delete while readers open files with cached layouts. No reader sees two versions in one read. No reader sees
 * a version that was replaced longer ago than an entry's maximum age. No reader gets an error that stock HDFS would not give.
 *
 * <p>An open with a cached layout equals a stock open at an earlier time; the difference is the layout's age. The equivalent in stock HDFS is a
 * reader that waits as long between its open and its read. Readers with Foresight may meet the same errors as such stock readers, and no more of
 * them.
 *
 * <p>Each version of a file is a number, written again and again; an append writes the number more times. Each path belongs to one writer, and the
 * writer notes the time of each change of the path.
 */
final class ConsistencyUnderFireIT {

    private static final int SECONDS = Integer.getInteger("foresight.fire.seconds", 120);
    private static final long AGE_MILLIS = 5000;
    private static final int WRITERS = 3;
    private static final int READERS = 4;
    private static final int SLOW_READERS = 16;
    private static final int PATHS_OF_WRITER = 6;

    /** The largest number of longs in one write, which is 3/64 of a block. */
    private static final int MOST_NUMBERS = 3 * TestCluster.BLOCK / 4 / Long.BYTES / 16;

    private static TestCluster cluster;

    private final AtomicLong lastVersion = new AtomicLong();

    /** The versions of each path, by the time of their beginning in nanoseconds; 0 for no version. */
    private final Map<Path, ConcurrentSkipListMap<Long, Long>> history = new ConcurrentHashMap<>();

    /** The versions that may be seen at each path. */
    private final Map<Path, Set<Long>> seenAt = new ConcurrentHashMap<>();

    /** The version of each path whose change has begun and is not yet noted as done. */
    private final Map<Path, Long> pending = new ConcurrentHashMap<>();

    private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
    private final List<String> wrong = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        DefaultMetricsSystem.initialize("fire");
        cluster = TestCluster.start(
                "fire",
                2,
                Map.of(),
                Map.of(),
                Map.of(
                        "dfs.replication", "2",
                        "dfs.heartbeat.interval", "1",
                        "dfs.client.retry.window.base", "10",
                        "foresight.client.metadata.age", AGE_MILLIS + "ms"));
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    void readers_amongWriters_seeOneVersionAndNoneThatIsTooOld() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            running.add(threads.submit(() -> write(writer, end)));
        }
        for (int i = 0; i < READERS; i++) {
            int reader = i;
            running.add(threads.submit(() -> read("foresight", cluster.foresightClient(), reader, end)));
            if (i % 2 == 0) {
                running.add(threads.submit(() -> read("stock", cluster.stockClient(), reader, end)));
            }
        }
        for (int i = 0; i < SLOW_READERS; i++) {
            int reader = i;
            running.add(threads.submit(() -> read("slow stock", cluster.stockClient(), reader, end)));
        }
        for (Future<?> future : running) {
            future.get();
        }
        threads.shutdown();
        overtakeStockReaders();
        System.out.println("Outcomes: " + new TreeMap<>(outcomes));
        System.out.println("Served from what was kept: " + ClientCounters.value("MetadataHits") + ", found stale: "
                + ClientCounters.value("MetadataStale") + ", opened again: "
                + ClientCounters.value("StaleOpensRepeated"));
        assertThat(wrong).isEmpty();
        assertThat(outcomes.get("foresight read").sum()).isGreaterThan(10L * SECONDS);
        assertThat(outcomes.keySet())
                .as("errors of stock streams that were opened as long ago are all that is seen")
                .allMatch(outcome -> !outcome.startsWith("foresight error")
                        || outcomes.containsKey(outcome.replace("foresight", "slow stock")));
        assertThat(1000 * errors("foresight"))
                .as("errors of readers")
                .isLessThan(outcomes.get("foresight read").sum());
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

    private Void write(int writer, long end) throws IOException {
        Random random = new Random(writer);
        try (DistributedFileSystem fs = cluster.stockClient()) {
            while (System.nanoTime() - end < 0) {
                Path path = path(writer, random.nextInt(PATHS_OF_WRITER));
                Path other = path(writer, random.nextInt(PATHS_OF_WRITER));
                change(fs, random, path, other);
            }
        }
        return null;
    }

    private void change(DistributedFileSystem fs, Random random, Path path, Path other) throws IOException {
        long version = current(path);
        int dice = random.nextInt(6);
        if (dice == 0) {
            fs.delete(path, true);
            becomes(path, 0);
        } else if (dice == 1 && version != 0 && !path.equals(other)) {
            begins(other, version);
            fs.rename(path, other, Options.Rename.OVERWRITE);
            becomes(other, version);
            becomes(path, 0);
        } else if (dice == 2 && version != 0) {
            append(fs.append(path), version, random);
        } else {
            long next = lastVersion.incrementAndGet();
            begins(path, next);
            append(fs.create(path, true), next, random);
            becomes(path, next);
        }
    }

    private static void append(DataOutputStream to, long version, Random random) throws IOException {
        try (DataOutputStream out = to) {
            int numbers = 1 + random.nextInt(MOST_NUMBERS);
            byte[] bytes = new byte[numbers * Long.BYTES];
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                buffer.putLong(version);
            }
            out.write(bytes);
        }
    }

    private ConcurrentSkipListMap<Long, Long> historyOf(Path path) {
        return history.computeIfAbsent(path, unused -> new ConcurrentSkipListMap<>());
    }

    private long current(Path path) {
        Map.Entry<Long, Long> last = historyOf(path).lastEntry();
        return last == null ? 0 : last.getValue();
    }

    /** Records that a version may be seen at a path from now on. */
    private void begins(Path path, long version) {
        pending.put(path, version);
        seenAt.computeIfAbsent(path, unused -> ConcurrentHashMap.newKeySet()).add(version);
    }

    /** Records that the change to a version is done. */
    private void becomes(Path path, long version) {
        begins(path, version);
        historyOf(path).put(System.nanoTime(), version);
        pending.remove(path);
    }

    private Void read(String kind, DistributedFileSystem client, int reader, long end) throws IOException {
        Random random = new Random(1000 + reader);
        try (FileSystem fs = client) {
            // Readers read a writer's files in a fixed order, so that there is an order to learn.
            int writer = 0;
            int number = 0;
            while (System.nanoTime() - end < 0) {
                number = (number + 1 + reader) % PATHS_OF_WRITER;
                if (random.nextInt(20) == 0) {
                    writer = random.nextInt(WRITERS);
                }
                readOne(kind, fs, path(writer, number), random);
            }
        }
        return null;
    }

    /**
     * Opens stock streams, replaces their file by an empty file, and then reads them. The main run meets their errors too rarely to show each error
     * in each run. Stock HDFS has the same errors.
     */
    private void overtakeStockReaders() throws IOException {
        try (DistributedFileSystem fs = cluster.stockClient()) {
            for (Reading reading : List.of(Reading.ALL, Reading.POSITIONED)) {
                Path path = new Path("/fire/overtaken-" + reading);
                append(fs.create(path), 1, new Random(1));
                Deque<FSDataInputStream> opened = new ArrayDeque<>();
                for (int i = 0; i < 300; i++) {
                    opened.add(fs.open(path));
                }
                try (FSDataOutputStream empty = fs.create(path, true)) {
                    // The DataNodes delete the old block after their next heartbeat.
                    Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> !canBeRead(opened.remove(), reading));
                    empty.write(1);
                }
                for (FSDataInputStream left : opened) {
                    left.close();
                }
            }
        }
    }

    private boolean canBeRead(FSDataInputStream opened, Reading reading) {
        try (FSDataInputStream in = opened) {
            reading.version(in, new Random(1));
            return true;
        } catch (IOException e) {
            count(errorOf("slow stock", e));
            return false;
        }
    }

    private void readOne(String kind, FileSystem fs, Path path, Random random) {
        long begin = System.nanoTime();
        try (FSDataInputStream in = fs.open(path)) {
            if (kind.startsWith("slow")) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt((int) AGE_MILLIS));
            }
            long version = (random.nextBoolean() ? Reading.ALL : Reading.POSITIONED).version(in, random);
            count(kind + (version == 0 ? " empty" : " read"));
            if (version < 0) {
                fail(kind + " mixed versions of " + path);
            } else if (version > 0) {
                judge(kind, path, version, begin);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (FileNotFoundException e) {
            count(kind + " missing");
        } catch (IOException e) {
            count(errorOf(kind, e));
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

    /** A way to read a file. The result is the version of all bytes, 0 for no bytes, and -1 for several versions. */
    private enum Reading {
        ALL {
            @Override
            long version(FSDataInputStream in, Random random) throws IOException {
                byte[] bytes = in.readAllBytes();
                return oneVersionIn(bytes, bytes.length);
            }
        },
        POSITIONED {
            @Override
            long version(FSDataInputStream in, Random random) throws IOException {
                byte[] bytes = new byte[4096];
                long version = 0;
                for (int i = 0; i < 4; i++) {
                    int read = in.read((long) random.nextInt(4) * bytes.length, bytes, 0, bytes.length);
                    long here = oneVersionIn(bytes, Math.max(0, read));
                    if (here != 0 && version != 0 && here != version) {
                        return -1;
                    }
                    version = here == 0 ? version : here;
                }
                return version;
            }
        };

        abstract long version(FSDataInputStream in, Random random) throws IOException;
    }

    private static long oneVersionIn(byte[] bytes, int length) throws IOException {
        long version = 0;
        try (DataInputStream numbers =
                new DataInputStream(new ByteArrayInputStream(bytes, 0, length / Long.BYTES * Long.BYTES))) {
            while (true) {
                long next = numbers.readLong();
                if (version != 0 && next != version) {
                    return -1;
                }
                version = next;
            }
        } catch (EOFException end) {
            return version;
        }
    }

    private void judge(String kind, Path path, long version, long begin) {
        if (!seenAt.getOrDefault(path, Set.of()).contains(version)) {
            fail(kind + " version " + version + " was never at " + path);
            return;
        }
        if (pending.getOrDefault(path, 0L) == version) {
            return;
        }
        // The first change that was done after the version had become current replaced the version.
        Long began = null;
        for (Map.Entry<Long, Long> entry : historyOf(path).entrySet()) {
            if (entry.getValue() == version) {
                began = entry.getKey();
            }
        }
        if (began == null) {
            return;
        }
        Map.Entry<Long, Long> replaced = historyOf(path).higherEntry(began);
        if (replaced != null) {
            long lateMillis = TimeUnit.NANOSECONDS.toMillis(begin - replaced.getKey());
            long most = kind.equals("foresight") ? AGE_MILLIS : 0;
            if (lateMillis > most) {
                fail(kind + " version " + version + " of " + path + " was opened " + lateMillis
                        + " ms after it had been replaced");
            }
            if (lateMillis > 0) {
                count(kind + " read late");
            }
        }
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

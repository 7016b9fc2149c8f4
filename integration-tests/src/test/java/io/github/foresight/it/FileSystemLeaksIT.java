/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * An application that makes and closes many file systems keeps nothing of them: no threads, no descriptors, no heap.
 *
 * <p>{@code foresight.leaks.systems} sets their number. Each opens {@value #OPENS} files.
 */
final class FileSystemLeaksIT {

    private static final int SYSTEMS = Integer.getInteger("foresight.leaks.systems", 1000);
    private static final int OPENS = 10;
    private static final int THREADS_MORE = 8;
    private static final int DESCRIPTORS_MORE = 16;
    private static final long HEAP_MORE = 8 << 20;
    private static final long SETTLE_SECONDS = 60;

    /** This JVM's resources. */
    private record Look(int threads, long descriptors, long heapBytes) {

        static Look now() throws IOException {
            // The heap is measured after a collection, because garbage does not matter. Caffeine and HDFS free some of
            // theirs in a second one.
            System.gc();
            System.gc();
            try (Stream<java.nio.file.Path> open = Files.list(java.nio.file.Path.of("/proc/self/fd"))) {
                return new Look(
                        ManagementFactory.getThreadMXBean().getThreadCount(),
                        open.count(),
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            }
        }

        boolean isNoMoreThan(Look first) {
            return threads <= first.threads + THREADS_MORE
                    && descriptors <= first.descriptors + DESCRIPTORS_MORE
                    && heapBytes <= first.heapBytes + HEAP_MORE;
        }
    }

    private static List<Path> written(FileSystem fs) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < OPENS; i++) {
            Path file = new Path("/leaks/" + i);
            try (FSDataOutputStream out = fs.create(file)) {
                out.write(file.toString().getBytes(StandardCharsets.UTF_8));
            }
            files.add(file);
        }
        return files;
    }

    private static void openAll(Configuration conf, List<Path> files) throws IOException {
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            for (Path file : files) {
                try (FSDataInputStream in = fs.open(file)) {
                    assertThat(in.read()).isEqualTo('/');
                }
            }
        }
    }

    @Test
    void fileSystems_thatAreClosed_leaveNothing() throws Exception {
        try (TestCluster cluster = TestCluster.start("leaks", 1, Map.of(), Map.of("dfs.replication", "1"))) {
            Configuration conf = cluster.clientConf();
            conf.set("fs.hdfs.impl", "io.github.foresight.client.ForesightFileSystem");
            List<Path> files;
            try (FileSystem stock = cluster.stockClient()) {
                files = written(stock);
            }
            for (int i = 0; i < SYSTEMS / 5; i++) {
                openAll(conf, files);
            }
            Look first = Look.now();
            for (int i = 0; i < SYSTEMS; i++) {
                openAll(conf, files);
            }
            // Idle threads end after ten seconds.
            Awaitility.await().atMost(SETTLE_SECONDS, TimeUnit.SECONDS).untilAsserted(() -> {
                Look last = Look.now();
                assertThat(last).as("first %s", first).matches(look -> look.isNoMoreThan(first));
            });
            System.out.println(SYSTEMS + " file systems: " + first + ", then " + Look.now());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.cluster.client.ClientCounters;
import io.github.foresight.it.HistoryWorkload.Versions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A client of {@link ConsistencyHistoryIT} in a separate JVM. The client ends at the end of its standard input. */
public final class HistoryClient {

    private static final long COUNT_MILLIS = 200;

    private HistoryClient() {}

    /**
     * Runs the client.
     *
     * @param args the log, the number of this client, a seed, the number of threads, and a version below all new versions
     */
    public static void main(String[] args) throws Exception {
        int slot = Integer.parseInt(args[1]);
        Random seeds = new Random(Long.parseLong(args[2]));
        int threads = Integer.parseInt(args[3]);
        Versions versions = new Versions(slot, Long.parseLong(args[4]));
        DefaultMetricsSystem.initialize("history");
        Configuration conf = new HdfsConfiguration();
        AtomicBoolean isStopped = new AtomicBoolean();
        endWithInput(isStopped);
        try (HistoryLog log = new HistoryLog(Path.of(args[0]))) {
            List<Thread> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                FileSystem fs = FileSystem.newInstance(conf);
                String ownDirectory = i == 0 ? HistoryWorkload.directory(slot) : null;
                HistoryWorkload workload =
                        new HistoryWorkload(fs, log, versions, isStopped, seeds.nextLong(), ownDirectory);
                Thread thread = new Thread(
                        () -> {
                            workload.bringBack();
                            workload.run();
                        },
                        "workload-" + i);
                thread.start();
                running.add(thread);
            }
            for (Thread thread : running) {
                while (thread.isAlive()) {
                    thread.join(COUNT_MILLIS);
                    log.counters(ClientCounters.value("MetadataHits"), ClientCounters.value("MetadataMisses"));
                }
            }
        }
        System.exit(0);
    }

    private static void endWithInput(AtomicBoolean isStopped) {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // The input's content has no meaning; only its end has.
                        }
                    } catch (java.io.IOException e) {
                        // The test's process has ended.
                    }
                    isStopped.set(true);
                    try {
                        TimeUnit.MINUTES.sleep(2);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    // A hanging operation has no end in the log, and the test detects it there.
                    Runtime.getRuntime().halt(1);
                },
                "end-with-input");
        watch.setDaemon(true);
        watch.start();
    }
}

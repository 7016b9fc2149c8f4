/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads files from beginning to end at the same time, each with a thread of its own.
 *
 * <p>Arguments: a file to warm up with, then the files. Reads the first file {@value #WARM_UPS} times, so that the code of this JVM and of the
 * DataNodes is compiled; prints {@code READY}, and waits for a line on standard input. Then reads the other files, and prints {@code READ path
 * bytes crc32c} for each. Last prints {@code SECONDS s}, the time from the first open to the last byte.
 */
public final class ReadWorkload {

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int WARM_UPS = 16;

    private ReadWorkload() {}

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        Configuration conf = new Configuration();
        ExecutorService readers = Executors.newFixedThreadPool(Math.max(1, args.length - 1));
        try (FileSystem fs = FileSystem.get(conf)) {
            for (int i = 0; i < WARM_UPS; i++) {
                read(fs, args[0]);
            }
            System.out.println("READY");
            if (System.in.read() < 0) {
                return;
            }
            List<Future<String>> results = new ArrayList<>();
            long begin = System.nanoTime();
            for (int i = 1; i < args.length; i++) {
                String path = args[i];
                results.add(readers.submit(() -> read(fs, path)));
            }
            List<String> lines = new ArrayList<>();
            for (Future<String> result : results) {
                lines.add(result.get());
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            lines.forEach(System.out::println);
            System.out.println("SECONDS " + seconds);
        } finally {
            readers.shutdownNow();
        }
    }

    private static String read(FileSystem fs, String path) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[BUFFER_BYTES];
        long bytes = 0;
        try (InputStream in = fs.open(new Path(path))) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                crc.update(buffer, 0, n);
                bytes += n;
            }
        }
        return "READ " + path + " " + bytes + " " + crc.getValue();
    }
}

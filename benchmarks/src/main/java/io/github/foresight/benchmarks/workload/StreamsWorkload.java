/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Writes many files at the same time, each with a client of its own, in writes of 64 KiB.
 *
 * <p>Arguments: folder, number of files, bytes of each, block size, {@link Sync}. Writes a small file first, prints {@code READY},
 * and waits for a line on standard input. Then writes the files, and prints {@code SECONDS s}, the time from the first create to the last close.
 */
public final class StreamsWorkload {

    /** The call of a writer after each write. */
    public enum Sync {
        PLAIN,
        HFLUSH,
        HSYNC
    }

    private static final int WRITE_BYTES = 64 << 10;

    private StreamsWorkload() {}

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        int count = Integer.parseInt(args[1]);
        long bytes = Long.parseLong(args[2]);
        long blockBytes = Long.parseLong(args[3]);
        Sync sync = Sync.valueOf(args[4]);
        Configuration conf = new Configuration();
        List<FileSystem> clients = new ArrayList<>();
        ExecutorService writers = Executors.newFixedThreadPool(count);
        try {
            for (int i = 0; i < count; i++) {
                clients.add(FileSystem.newInstance(conf));
            }
            write(clients.get(0), new Path(args[0], "warm"), WRITE_BYTES, blockBytes, Sync.HSYNC);
            System.out.println("READY");
            if (System.in.read() < 0) {
                return;
            }
            long begin = System.nanoTime();
            List<Future<Void>> written = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                FileSystem client = clients.get(i);
                Path path = new Path(args[0], "stream" + i);
                written.add(writers.submit(() -> {
                    write(client, path, bytes, blockBytes, sync);
                    return null;
                }));
            }
            for (Future<Void> file : written) {
                file.get();
            }
            System.out.println("SECONDS " + (System.nanoTime() - begin) / 1e9);
        } finally {
            writers.shutdownNow();
            for (FileSystem client : clients) {
                client.close();
            }
        }
    }

    private static void write(FileSystem client, Path path, long bytes, long blockBytes, Sync sync) throws IOException {
        byte[] buffer = new byte[WRITE_BYTES];
        new Random(path.hashCode()).nextBytes(buffer);
        try (FSDataOutputStream out = client.create(path, true, WRITE_BYTES, (short) 1, blockBytes)) {
            for (long left = bytes; left > 0; left -= WRITE_BYTES) {
                out.write(buffer, 0, (int) Math.min(left, WRITE_BYTES));
                if (sync == Sync.HFLUSH) {
                    out.hflush();
                } else if (sync == Sync.HSYNC) {
                    out.hsync();
                }
            }
        }
    }
}

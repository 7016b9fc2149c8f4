/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Readers that come whether or not those before them are done. Each opens a file and reads it from front to back, or stops early.
 *
 * <p>A reader's time counts from the moment when it should have come. So time that it waits for a thread, or for the process, is part of it.
 * Argument: the most readers at once. Prints {@code READY}. Each line of standard input is a command that ends with a line {@code DONE}:
 *
 * <ul>
 *   <li>{@code write FOLDER FILES FILE_BYTES} writes the files.
 *   <li>{@code read FOLDER FILES FILE_BYTES RATE SECONDS SEED} lets readers come. It ends with {@code DONE readers bytes p50 p95 p99
 *       first-p95}, times in milliseconds; the last to the first bytes. The first and the last eight bytes of each MiB are compared with the
 *       bytes that were written.
 * </ul>
 *
 * <p>The process ends with its input.
 */
public final class StressWorkload {

    private static final int PIECE_BYTES = 1 << 20;
    private static final int DIGITS = 3;

    private final ExecutorService threads;
    private final Configuration conf = new Configuration();

    private StressWorkload(int readersMax) {
        threads = Executors.newFixedThreadPool(readersMax);
    }

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        StressWorkload workload = new StressWorkload(Integer.parseInt(args[0]));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("READY");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            WindowFiles set = new WindowFiles(words[1]);
            int files = Integer.parseInt(words[2]);
            long fileBytes = Long.parseLong(words[3]);
            if (words[0].equals("write")) {
                workload.write(set, files, fileBytes);
                System.out.println("DONE");
            } else {
                Random random = new Random(Long.parseLong(words[6]));
                List<Integer> order = IntStream.range(0, files).boxed().collect(Collectors.toList());
                Collections.shuffle(order, random);
                workload.read(
                        set,
                        StressArrivals.of(
                                Double.parseDouble(words[4]),
                                Double.parseDouble(words[5]),
                                order,
                                fileBytes,
                                PIECE_BYTES,
                                random));
            }
        }
        workload.threads.shutdownNow();
    }

    private void write(WindowFiles set, int files, long fileBytes) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            for (int file = 0; file < files; file++) {
                try (OutputStream out = fs.create(set.path(file))) {
                    for (long at = 0; at < fileBytes; at += piece.length) {
                        WindowFiles.fill(file, at, piece);
                        out.write(piece);
                    }
                }
            }
        }
    }

    private void read(WindowFiles set, List<StressArrivals.Reader> readers)
            throws IOException, InterruptedException, ExecutionException {
        Histogram whole = new ConcurrentHistogram(DIGITS);
        Histogram first = new ConcurrentHistogram(DIGITS);
        // A new file system: the knowledge of one pass must not help the next pass.
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            List<Future<Long>> read = new ArrayList<>();
            long begin = System.nanoTime();
            for (StressArrivals.Reader reader : readers) {
                long at = begin + reader.atNanos();
                TimeUnit.NANOSECONDS.sleep(at - System.nanoTime());
                read.add(threads.submit(() -> read(fs, set.path(reader.file()), reader, at, whole, first)));
            }
            long bytes = 0;
            for (Future<Long> each : read) {
                bytes += each.get();
            }
            System.out.printf(
                    Locale.ROOT,
                    "DONE %d %d %.3f %.3f %.3f %.3f%n",
                    readers.size(),
                    bytes,
                    whole.getValueAtPercentile(50) / 1e6,
                    whole.getValueAtPercentile(95) / 1e6,
                    whole.getValueAtPercentile(99) / 1e6,
                    first.getValueAtPercentile(95) / 1e6);
        }
    }

    private static long read(
            FileSystem fs, Path path, StressArrivals.Reader reader, long since, Histogram whole, Histogram first)
            throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (FSDataInputStream in = fs.open(path)) {
            for (long at = 0; at < reader.bytes(); at += piece.length) {
                in.readFully(piece);
                if (at == 0) {
                    first.recordValue(System.nanoTime() - since);
                }
                if (!WindowFiles.matches(reader.file(), at, piece)) {
                    throw new IOException(path + " has other bytes at " + at + " than were written");
                }
            }
        }
        whole.recordValue(System.nanoTime() - since);
        return reader.bytes();
    }
}

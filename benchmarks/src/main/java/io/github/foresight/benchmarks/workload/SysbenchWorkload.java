/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads as {@code sysbench fileio} reads: a request of a thread is a read by position of an open file, and all threads share the streams.
 *
 * <p>Arguments: number of files, bytes of a request. Prints {@code READY}. Each line of standard input is a command that ends with a line
 * {@code DONE}:
 *
 * <ul>
 *   <li>{@code write FOLDER FILE_BYTES BLOCK_BYTES} writes the files.
 *   <li>{@code read FOLDER FILE_BYTES MODE THREADS SECONDS SEED} reads until the time is over, or in mode {@code SEQRD} until the end of
 *       the last file. It ends with {@code DONE seconds requests latency-p95-ms}. The first and the last eight bytes of each request are
 *       compared with the bytes that were written.
 * </ul>
 *
 * <p>The process ends with its input.
 */
public final class SysbenchWorkload {

    private static final int WRITE_BYTES = 1 << 20;
    private static final double PERCENTILE = 95;
    private static final int DIGITS = 3;

    private final int files;
    private final int requestBytes;
    private final Configuration conf = new Configuration();

    private SysbenchWorkload(String[] args) {
        files = Integer.parseInt(args[0]);
        requestBytes = Integer.parseInt(args[1]);
    }

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        SysbenchWorkload workload = new SysbenchWorkload(args);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("READY");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            WindowFiles set = new WindowFiles(words[1]);
            long fileBytes = Long.parseLong(words[2]);
            if (words[0].equals("write")) {
                workload.write(set, fileBytes, Long.parseLong(words[3]));
                System.out.println("DONE");
            } else {
                SysbenchRequests requests = new SysbenchRequests(
                        SysbenchRequests.Mode.valueOf(words[3]),
                        workload.files,
                        fileBytes / workload.requestBytes,
                        Long.parseLong(words[6]));
                workload.read(set, requests, Integer.parseInt(words[4]), Double.parseDouble(words[5]));
            }
        }
    }

    private void write(WindowFiles set, long fileBytes, long blockBytes) throws IOException {
        byte[] buffer = new byte[WRITE_BYTES];
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            for (int file = 0; file < files; file++) {
                Path path = set.path(file);
                try (OutputStream out =
                        fs.create(path, true, WRITE_BYTES, fs.getDefaultReplication(path), blockBytes)) {
                    for (long at = 0; at < fileBytes; at += buffer.length) {
                        WindowFiles.fill(file, at, buffer);
                        out.write(buffer, 0, (int) Math.min(buffer.length, fileBytes - at));
                    }
                }
            }
        }
    }

    private void read(WindowFiles set, SysbenchRequests requests, int threads, double seconds)
            throws IOException, InterruptedException, ExecutionException {
        ExecutorService readers = Executors.newFixedThreadPool(threads);
        List<FSDataInputStream> streams = new ArrayList<>();
        // A new file system: the knowledge of one pass must not help the next pass.
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            for (int file = 0; file < files; file++) {
                streams.add(fs.open(set.path(file)));
            }
            long begin = System.nanoTime();
            long end = begin + (long) (seconds * 1e9);
            List<Callable<Histogram>> tasks = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                tasks.add(() -> read(streams, requests, end));
            }
            Histogram latencies = new Histogram(DIGITS);
            for (Future<Histogram> reader : readers.invokeAll(tasks)) {
                latencies.add(reader.get());
            }
            double elapsed = (System.nanoTime() - begin) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "DONE %.6f %d %.3f%n",
                    elapsed,
                    latencies.getTotalCount(),
                    latencies.getValueAtPercentile(PERCENTILE) / 1e6);
            for (FSDataInputStream stream : streams) {
                stream.close();
            }
        } finally {
            readers.shutdownNow();
        }
    }

    private Histogram read(List<FSDataInputStream> streams, SysbenchRequests requests, long end) throws IOException {
        Histogram latencies = new Histogram(DIGITS);
        byte[] buffer = new byte[requestBytes];
        for (long now = System.nanoTime(); now < end; ) {
            long request = requests.next();
            if (request < 0) {
                break;
            }
            int file = requests.file(request);
            long offset = requests.place(request) * requestBytes;
            streams.get(file).readFully(offset, buffer);
            long done = System.nanoTime();
            latencies.recordValue(done - now);
            if (!WindowFiles.matches(file, offset, buffer)) {
                throw new IOException("file " + file + " has other bytes at " + offset + " than were written");
            }
            now = System.nanoTime();
        }
        return latencies;
    }
}

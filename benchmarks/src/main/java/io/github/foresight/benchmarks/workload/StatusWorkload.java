/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A client that asks the NameNode for the status of a folder, every few milliseconds, and measures how long each answer takes.
 *
 * <p>Arguments: folder of the client's configuration, folder to ask about. It connects, and prints {@code READY}. A line of standard input
 * starts the requests, and the next line ends them; it prints {@code STATUS requests p50 p99}, the times in milliseconds, and waits for the
 * next start. The end of the input ends the process.
 */
public final class StatusWorkload {

    private static final int DIGITS = 3;
    private static final long PAUSE_MILLIS = 5;
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;

    private StatusWorkload() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path asked = new Path(args[1]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (FileSystem fs = FileSystem.newInstance(ClientConfiguration.in(java.nio.file.Path.of(args[0])))) {
            fs.getFileStatus(asked);
            System.out.println("READY");
            while (in.readLine() != null) {
                Histogram nanos = ask(fs, asked, in);
                System.out.printf(
                        Locale.ROOT,
                        "STATUS %d %.3f %.3f%n",
                        nanos.getTotalCount(),
                        nanos.getValueAtPercentile(MEDIAN) / 1e6,
                        nanos.getValueAtPercentile(TAIL) / 1e6);
            }
        }
    }

    /** Asks until a line comes. */
    private static Histogram ask(FileSystem fs, Path asked, BufferedReader in)
            throws IOException, InterruptedException {
        Histogram nanos = new Histogram(DIGITS);
        do {
            long begin = System.nanoTime();
            fs.getFileStatus(asked);
            nanos.recordValue(System.nanoTime() - begin);
            Thread.sleep(PAUSE_MILLIS);
        } while (!in.ready());
        in.readLine();
        return nanos;
    }
}

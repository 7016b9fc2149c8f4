/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import io.github.foresight.cluster.client.ClientCounters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/**
 * Reads small pieces of several large files by position, the files in turn (NBJLOFS, section 4). It reads each file from its beginning, or at
 * random.
 *
 * <p>Arguments: number of files, bytes of a read, bytes of an object, objects of the rival's window (0: no rival), the folder of the
 * client's configuration. Prints {@code READY}. Each line {@code folder file-bytes PATTERN reads seed} of standard input is a pass, which ends
 * with a line {@code DONE seconds requests refusals hits trail-hits misses}. The process ends with its input.
 */
public final class WindowWorkload {

    /** The places of reads in a file. */
    public enum Pattern {
        SEQUENTIAL {
            @Override
            long offset(long round, long places, Random random) {
                return round % places;
            }
        },
        RANDOM {
            @Override
            long offset(long round, long places, Random random) {
                return (long) (random.nextDouble() * places);
            }
        };

        /** The number of a piece of the file. */
        abstract long offset(long round, long places, Random random);
    }

    private final int count;
    private final int readBytes;
    private final long objectBytes;
    private final int rivalObjects;
    private final Configuration conf;

    private WindowWorkload(String[] args) {
        count = Integer.parseInt(args[0]);
        readBytes = Integer.parseInt(args[1]);
        objectBytes = Long.parseLong(args[2]);
        rivalObjects = Integer.parseInt(args[3]);
        conf = ClientConfiguration.in(Path.of(args[4]));
    }

    public static void main(String[] args) throws IOException {
        WindowWorkload workload = new WindowWorkload(args);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("READY");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            workload.run(
                    new WindowFiles(words[0]),
                    Long.parseLong(words[1]),
                    Pattern.valueOf(words[2]),
                    Integer.parseInt(words[3]),
                    new Random(Long.parseLong(words[4])));
        }
    }

    private void run(WindowFiles files, long fileBytes, Pattern pattern, int reads, Random random) throws IOException {
        long[] before = counters();
        FSDataInputStream[] streams = new FSDataInputStream[count];
        // A new file system: the knowledge of one pass must not help the next pass.
        try (FileSystem fs = FileSystem.newInstance(conf);
                SpatialReadAhead rival = new SpatialReadAhead(conf, objectBytes, rivalObjects)) {
            SpatialReadAhead.File[] rivals = new SpatialReadAhead.File[count];
            for (int file = 0; file < count; file++) {
                streams[file] = fs.open(files.path(file));
                if (rivalObjects > 0) {
                    rivals[file] =
                            rival.new File(file, ((HdfsDataInputStream) streams[file]).getAllBlocks(), fileBytes);
                }
            }
            double seconds = read(i -> pattern.offset(i, fileBytes / readBytes, random), reads, streams, rivals);
            long[] after = counters();
            System.out.printf(
                    Locale.ROOT,
                    "DONE %.6f %d %d %d %d %d%n",
                    seconds,
                    after[0] - before[0] + rival.requests(),
                    after[1] - before[1] + rival.refused(),
                    after[2] - before[2],
                    after[3] - before[3],
                    after[4] - before[4]);
        }
    }

    private double read(
            LongUnaryOperator places, int reads, FSDataInputStream[] streams, SpatialReadAhead.File[] rivals)
            throws IOException {
        byte[] buffer = new byte[readBytes];
        long begin = System.nanoTime();
        for (int i = 0; i < reads; i++) {
            int file = i % count;
            long offset = readBytes * places.applyAsLong(i / count);
            if (rivals[file] != null) {
                rivals[file].beforeRead(offset);
            }
            streams[file].readFully(offset, buffer);
            if (!WindowFiles.matches(file, offset, buffer)) {
                throw new IOException("file " + file + " has other bytes at " + offset + " than were written");
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        for (FSDataInputStream stream : streams) {
            stream.close();
        }
        return seconds;
    }

    private static long[] counters() {
        return Stream.of("WindowRequests", "WindowRefusals", "WindowHits", "WindowTrailHits", "WindowMisses")
                .mapToLong(ClientCounters::value)
                .toArray();
    }
}

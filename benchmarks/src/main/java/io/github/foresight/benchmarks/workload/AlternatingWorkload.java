/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Does the same work on several clusters in turn, in one JVM. A change of the machine's speed therefore affects all clusters.
 *
 * <p>Arguments: file size in bytes, block size in bytes, rounds, then the configuration folders of the clusters. Each round does each kind of
 * work once on each cluster, in a random order. As many rounds come first and are not printed: all sides share HDFS's code, but only one side
 * runs Foresight's, which is compiled later. Prints {@code TIME work cluster round seconds}, where the cluster is the index of its folder, and
 * {@code END} at last.
 */
public final class AlternatingWorkload {

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int POSITIONED_BYTES = 16 << 10;
    private static final int POSITIONED_READS = 1500;
    private static final int SMALL_BYTES = 64 << 10;
    private static final int SMALL_FILES = 150;

    private static final String LARGE = "large";

    /** One kind of work. */
    private enum Work {
        /** Reads a file from beginning to end. */
        READ {
            @Override
            void run(FileSystem fs, String folder, long size, long blockSize) throws IOException {
                readThrough(fs, in(folder, LARGE), size);
            }
        },
        /** Reads small pieces at random places of a file. */
        POSITIONED {
            @Override
            void run(FileSystem fs, String folder, long size, long blockSize) throws IOException {
                Random random = new Random(size);
                byte[] buffer = new byte[POSITIONED_BYTES];
                try (FSDataInputStream in = fs.open(in(folder, LARGE))) {
                    for (int i = 0; i < POSITIONED_READS; i++) {
                        in.readFully((long) (random.nextDouble() * (size - buffer.length)), buffer);
                    }
                }
            }
        },
        /** Reads small files, one after another. */
        SMALL {
            @Override
            void run(FileSystem fs, String folder, long size, long blockSize) throws IOException {
                for (int i = 0; i < SMALL_FILES; i++) {
                    readThrough(fs, in(folder, small(i)), SMALL_BYTES);
                }
            }
        },
        /** Writes a file of a quarter of the size. */
        WRITE {
            @Override
            void run(FileSystem fs, String folder, long size, long blockSize) throws IOException {
                write(fs, in(folder, "new"), size / 4, blockSize);
            }
        };

        abstract void run(FileSystem fs, String folder, long size, long blockSize) throws IOException;
    }

    private AlternatingWorkload() {}

    public static void main(String[] args) throws IOException {
        long size = Long.parseLong(args[0]);
        long blockSize = Long.parseLong(args[1]);
        int rounds = Integer.parseInt(args[2]);
        List<String> folders = Arrays.asList(args).subList(3, args.length);
        FileSystem[] clusters = new FileSystem[folders.size()];
        for (int i = 0; i < clusters.length; i++) {
            clusters[i] = open(Path.of(folders.get(i)));
            prepare(clusters[i], folder(i), size, blockSize);
        }
        Random random = new Random(rounds);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < clusters.length; i++) {
            order.add(i);
        }
        for (Work work : Work.values()) {
            for (int round = -rounds; round < rounds; round++) {
                Collections.shuffle(order, random);
                for (int cluster : order) {
                    long begin = System.nanoTime();
                    work.run(clusters[cluster], folder(cluster), size, blockSize);
                    if (round >= 0) {
                        double seconds = (System.nanoTime() - begin) / 1e9;
                        System.out.printf(Locale.ROOT, "TIME %s %d %d %.6f%n", work, cluster, round, seconds);
                    }
                }
            }
        }
        for (FileSystem cluster : clusters) {
            cluster.close();
        }
        System.out.println("END");
    }

    private static FileSystem open(Path folder) throws IOException {
        return FileSystem.newInstance(ClientConfiguration.in(folder));
    }

    private static void prepare(FileSystem fs, String folder, long size, long blockSize) throws IOException {
        write(fs, in(folder, LARGE), size, blockSize);
        for (int i = 0; i < SMALL_FILES; i++) {
            write(fs, in(folder, small(i)), SMALL_BYTES, blockSize);
        }
    }

    /** The folder of a configuration: two configurations may use one cluster. */
    private static String folder(int place) {
        return "/overhead" + place;
    }

    private static String small(int index) {
        return "small" + index;
    }

    private static org.apache.hadoop.fs.Path in(String folder, String name) {
        return new org.apache.hadoop.fs.Path(folder, name);
    }

    private static void write(FileSystem fs, org.apache.hadoop.fs.Path path, long size, long blockSize)
            throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        new Random(path.hashCode()).nextBytes(buffer);
        try (OutputStream out = fs.create(path, true, BUFFER_BYTES, (short) 1, blockSize)) {
            for (long left = size; left > 0; left -= buffer.length) {
                out.write(buffer, 0, (int) Math.min(left, buffer.length));
            }
        }
    }

    private static void readThrough(FileSystem fs, org.apache.hadoop.fs.Path path, long size) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long bytes = 0;
        try (InputStream in = fs.open(path)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                bytes += n;
            }
        }
        if (bytes != size) {
            throw new IOException(path + " has " + size + " bytes and " + bytes + " were read");
        }
    }
}

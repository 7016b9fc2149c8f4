/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads or writes files of its own, as each line of its input asks.
 *
 * <p>Arguments: file size in bytes, block size in bytes, URI of a folder for its files. It writes the files, and prints {@code READY}. Each line of
 * standard input names a {@link Work}; it does this work once, and prints {@code TIME seconds}. The end of the input ends the process.
 */
public final class OverheadWorkload {

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int POSITIONED_BYTES = 16 << 10;
    private static final int POSITIONED_READS = 1500;
    private static final int SMALL_BYTES = 64 << 10;
    private static final int SMALL_FILES = 150;

    private static final String LARGE = "large";

    /** One kind of work. */
    public enum Work {
        /** Reads a file from beginning to end. */
        READ {
            @Override
            void run(FileSystem fs, Path folder, long size, long blockSize) throws IOException {
                readThrough(fs, new Path(folder, LARGE), size);
            }
        },
        /** Reads small pieces at random places of a file. */
        POSITIONED {
            @Override
            void run(FileSystem fs, Path folder, long size, long blockSize) throws IOException {
                Random random = new Random(size);
                byte[] buffer = new byte[POSITIONED_BYTES];
                try (FSDataInputStream in = fs.open(new Path(folder, LARGE))) {
                    for (int i = 0; i < POSITIONED_READS; i++) {
                        in.readFully((long) (random.nextDouble() * (size - buffer.length)), buffer);
                    }
                }
            }
        },
        /** Reads small files, one after another. */
        SMALL {
            @Override
            void run(FileSystem fs, Path folder, long size, long blockSize) throws IOException {
                for (int i = 0; i < SMALL_FILES; i++) {
                    readThrough(fs, small(folder, i), SMALL_BYTES);
                }
            }
        },
        /** Writes a file of a quarter of the size. */
        WRITE {
            @Override
            void run(FileSystem fs, Path folder, long size, long blockSize) throws IOException {
                write(fs, new Path(folder, "new"), size / 4, blockSize);
            }
        };

        abstract void run(FileSystem fs, Path folder, long size, long blockSize) throws IOException;
    }

    private OverheadWorkload() {}

    public static void main(String[] args) throws IOException {
        long size = Long.parseLong(args[0]);
        long blockSize = Long.parseLong(args[1]);
        Path folder = new Path(args[2]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (FileSystem fs = FileSystem.get(folder.toUri(), new Configuration())) {
            write(fs, new Path(folder, LARGE), size, blockSize);
            for (int i = 0; i < SMALL_FILES; i++) {
                write(fs, small(folder, i), SMALL_BYTES, blockSize);
            }
            System.out.println("READY");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                long begin = System.nanoTime();
                Work.valueOf(line).run(fs, folder, size, blockSize);
                System.out.printf(Locale.ROOT, "TIME %.6f%n", (System.nanoTime() - begin) / 1e9);
            }
        }
    }

    private static Path small(Path folder, int index) {
        return new Path(folder, "small" + index);
    }

    private static void write(FileSystem fs, Path path, long size, long blockSize) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        new Random(path.hashCode()).nextBytes(buffer);
        try (OutputStream out = fs.create(path, true, BUFFER_BYTES, (short) 1, blockSize)) {
            for (long left = size; left > 0; left -= buffer.length) {
                out.write(buffer, 0, (int) Math.min(left, buffer.length));
            }
        }
    }

    private static void readThrough(FileSystem fs, Path path, long size) throws IOException {
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

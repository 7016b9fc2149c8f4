/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads many ranges of each of several files by one vectored read a file, as a reader of Parquet reads the chunks of its columns.
 *
 * <p>Arguments: folder, number of files, bytes of a file, ranges of a file, bytes of a range. With a further argument {@code write} it writes
 * the files. Otherwise it prints {@code READY}. Each line of input then makes it read all files, and it prints {@code
 * DONE seconds crc32c}. Ends with its input.
 */
public final class VectoredWorkload {

    private static final int BUFFER_BYTES = 1 << 20;

    private final String folder;
    private final int files;
    private final long fileBytes;
    private final int ranges;
    private final int rangeBytes;

    private VectoredWorkload(String[] args) {
        folder = args[0];
        files = Integer.parseInt(args[1]);
        fileBytes = Long.parseLong(args[2]);
        ranges = Integer.parseInt(args[3]);
        rangeBytes = Integer.parseInt(args[4]);
    }

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        VectoredWorkload workload = new VectoredWorkload(args);
        try (FileSystem fs = FileSystem.get(new Configuration())) {
            if (args.length > 5) {
                workload.write(fs);
                return;
            }
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            System.out.println("READY");
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                workload.read(fs);
            }
        }
    }

    private Path path(int file) {
        return new Path(folder, "file-" + file);
    }

    private void write(FileSystem fs) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int file = 0; file < files; file++) {
            Random random = new Random(file);
            try (OutputStream out = fs.create(path(file))) {
                for (long left = fileBytes; left > 0; left -= buffer.length) {
                    random.nextBytes(buffer);
                    out.write(buffer, 0, (int) Math.min(left, buffer.length));
                }
            }
        }
    }

    private void read(FileSystem fs) throws IOException, InterruptedException, ExecutionException {
        CRC32C crc = new CRC32C();
        long begin = System.nanoTime();
        for (int file = 0; file < files; file++) {
            try (FSDataInputStream in = fs.open(path(file))) {
                List<FileRange> wanted = new ArrayList<>(ranges);
                for (int i = 0; i < ranges; i++) {
                    wanted.add(FileRange.createFileRange(fileBytes / ranges * i, rangeBytes));
                }
                in.readVectored(wanted, ByteBuffer::allocate);
                for (FileRange range : wanted) {
                    crc.update(range.getData().get());
                }
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(Locale.ROOT, "DONE %.6f %d%n", seconds, crc.getValue());
    }
}

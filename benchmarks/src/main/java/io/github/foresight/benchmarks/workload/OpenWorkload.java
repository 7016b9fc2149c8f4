/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * Opens small files one after another, in passes. Each pass is a new HDFS client of one of several clusters.
 *
 * <p>Arguments: folder, bytes of each file, number of files, opens in a pass, {@link OpenOrders.Kind}, {@link Depth}, then the configuration
 * folders of the clusters.
 *
 * <p>Each line {@code cluster round pass client parts} of standard input starts a pass. The pass connects to the cluster, and prints {@code
 * READY}. For each part it waits for a line, opens its share of the files, and prints {@code OPENED seconds}. Then it disconnects. An empty line
 * ends the process.
 */
public final class OpenWorkload {

    /** How much of a file is read. */
    public enum Depth {
        /** Nothing: the client only gets the layout. */
        OPEN,
        /** The first bytes. */
        BEGINNING,
        /** All bytes, which are compared with the written bytes. */
        WHOLE
    }

    private static final int BEGINNING_BYTES = 16;

    private final SmallFiles files;
    private final Depth depth;
    private final OpenOrders orders;
    private final List<String> folders;

    private OpenWorkload(String[] args) {
        this.files = new SmallFiles(args[0], FileLengths.parse(args[1]), SmallFiles.Naming.LETTERS);
        this.orders =
                new OpenOrders(OpenOrders.Kind.valueOf(args[4]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        this.depth = Depth.valueOf(args[5]);
        this.folders = Arrays.asList(args).subList(6, args.length);
    }

    public static void main(String[] args) throws IOException {
        OpenWorkload workload = new OpenWorkload(args);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            workload.pass(line.split(" ", -1), in);
        }
    }

    private void pass(String[] words, BufferedReader in) throws IOException {
        Configuration conf = ClientConfiguration.in(Path.of(folders.get(Integer.parseInt(words[0]))));
        int[] order = orders.of(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
        int parts = Integer.parseInt(words[4]);
        try (FileSystem fs = FileSystem.newInstance(conf)) {
            fs.getFileStatus(new org.apache.hadoop.fs.Path("/"));
            System.out.println("READY");
            for (int part = 0; part < parts && in.readLine() != null; part++) {
                long begin = System.nanoTime();
                open(fs, Arrays.copyOfRange(order, part(order, part, parts), part(order, part + 1, parts)));
                double seconds = (System.nanoTime() - begin) / 1e9;
                System.out.println(String.format(Locale.ROOT, "OPENED %.6f", seconds));
            }
        }
    }

    /** The index at which a part begins. */
    private static int part(int[] order, int part, int parts) {
        return Math.toIntExact((long) order.length * part / parts);
    }

    private void open(FileSystem fs, int[] order) throws IOException {
        byte[] beginning = new byte[BEGINNING_BYTES];
        for (int file : order) {
            byte[] buffer = depth == Depth.WHOLE ? new byte[files.bytes(file)] : beginning;
            try (FSDataInputStream in = fs.open(files.path(file))) {
                if (depth != Depth.OPEN) {
                    in.readFully(buffer, 0, Math.min(buffer.length, files.bytes(file)));
                }
                if (depth == Depth.WHOLE && (in.read() >= 0 || !Arrays.equals(buffer, files.content(file)))) {
                    throw new IOException(
                            files.path(file) + " has not the " + buffer.length + " bytes that were written");
                }
            }
        }
    }
}

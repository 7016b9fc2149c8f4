/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Writes many small files, several at once. Each file has one replica; the DataNodes get the files in turn.
 *
 * <p>Arguments: folder, number of files, {@link FileLengths}, their {@link SmallFiles.Naming}. Prints {@code WROTE files}.
 */
public final class SmallFilesWorkload {

    private static final int WRITERS = 16;
    private static final long BLOCK_BYTES = 64L << 20;

    private SmallFilesWorkload() {}

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        int count = Integer.parseInt(args[1]);
        SmallFiles files = new SmallFiles(args[0], FileLengths.parse(args[2]), SmallFiles.Naming.valueOf(args[3]));
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.get(new Configuration())) {
            InetSocketAddress[] nodes = dataNodes(fs);
            List<Future<Void>> parts = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int first = writer;
                parts.add(writers.submit(() -> {
                    for (int file = first; file < count; file += WRITERS) {
                        write(fs, files, file, nodes[file % nodes.length]);
                    }
                    return null;
                }));
            }
            for (Future<Void> part : parts) {
                part.get();
            }
        } finally {
            writers.shutdownNow();
        }
        System.out.println("WROTE " + count);
    }

    private static InetSocketAddress[] dataNodes(DistributedFileSystem fs) throws IOException {
        DatanodeInfo[] nodes = fs.getDataNodeStats();
        Arrays.sort(nodes, Comparator.comparingInt(DatanodeInfo::getXferPort));
        return Arrays.stream(nodes)
                .map(node -> new InetSocketAddress(node.getIpAddr(), node.getXferPort()))
                .toArray(InetSocketAddress[]::new);
    }

    private static void write(DistributedFileSystem fs, SmallFiles files, int file, InetSocketAddress node)
            throws IOException {
        byte[] content = files.content(file);
        try (OutputStream out = fs.create(
                files.path(file),
                FsPermission.getFileDefault(),
                true,
                content.length,
                (short) 1,
                BLOCK_BYTES,
                null,
                new InetSocketAddress[] {node})) {
            out.write(content);
        }
    }
}

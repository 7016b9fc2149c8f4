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
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/**
 * Writes files in the orthogonal layout, or as HDFS places them. In the orthogonal layout one node, another for each file, holds a replica of
 * every block. The other nodes hold the original replicas in turn. Each block is first a file of its own on favoured nodes; {@code concat}
 * joins these files.
 *
 * <p>Arguments: folder, number of files, bytes of each, bytes of a block, replicas of each block, at least two, {@link Placement}. Prints
 * {@code WROTE files}.
 */
public final class WindowFilesWorkload {

    /** Who chooses the DataNodes of a block. */
    public enum Placement {
        /** This program, with favoured nodes. */
        ORTHOGONAL,
        /** HDFS's own policy. */
        HDFS
    }

    private static final int WRITERS = 8;
    private static final int PIECE_BYTES = 1 << 20;

    /** Ten seconds. */
    private static final int LOOKS = 100;

    private static final int LOOK_MILLIS = 100;

    private WindowFilesWorkload() {}

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        WindowFiles files = new WindowFiles(args[0]);
        int count = Integer.parseInt(args[1]);
        long fileBytes = Long.parseLong(args[2]);
        int blockBytes = Integer.parseInt(args[3]);
        int replicas = Integer.parseInt(args[4]);
        boolean isOrthogonal = Placement.valueOf(args[5]) == Placement.ORTHOGONAL;
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.get(new Configuration())) {
            InetSocketAddress[] nodes = isOrthogonal ? dataNodes(fs, replicas) : new InetSocketAddress[0];
            for (int file = 0; file < count; file++) {
                write(fs, files, file, fileBytes, blockBytes, replicas, nodes, writers);
                if (isOrthogonal) {
                    check(fs, files.path(file), nodes[file % nodes.length], replicas);
                }
            }
        } finally {
            writers.shutdownNow();
        }
        System.out.println("WROTE " + count);
    }

    private static InetSocketAddress[] dataNodes(DistributedFileSystem fs, int replicas) throws IOException {
        DatanodeInfo[] nodes = fs.getDataNodeStats();
        if (nodes.length < replicas) {
            throw new IOException("files with " + replicas + " replicas need as many DataNodes: " + nodes.length);
        }
        Arrays.sort(nodes, Comparator.comparingInt(DatanodeInfo::getXferPort));
        return Arrays.stream(nodes)
                .map(node -> new InetSocketAddress(node.getIpAddr(), node.getXferPort()))
                .toArray(InetSocketAddress[]::new);
    }

    private static void write(
            DistributedFileSystem fs,
            WindowFiles files,
            int file,
            long fileBytes,
            int blockBytes,
            int replicas,
            InetSocketAddress[] nodes,
            ExecutorService writers)
            throws IOException, InterruptedException, ExecutionException {
        long blocks = (fileBytes + blockBytes - 1) / blockBytes;
        List<Path> parts = new ArrayList<>();
        List<Future<Void>> written = new ArrayList<>();
        for (long block = 0; block < blocks; block++) {
            Path part = block == 0 ? files.path(file) : files.part(file, block);
            long offset = block * blockBytes;
            long end = Math.min(offset + blockBytes, fileBytes);
            InetSocketAddress @Nullable [] favoured = nodes.length == 0 ? null : favoured(nodes, file, block, replicas);
            parts.add(part);
            written.add(writers.submit(() -> {
                try (OutputStream out = fs.create(
                        part,
                        FsPermission.getFileDefault(),
                        true,
                        PIECE_BYTES,
                        (short) replicas,
                        blockBytes,
                        null,
                        favoured)) {
                    write(out, file, offset, end);
                }
                return null;
            }));
        }
        for (Future<Void> each : written) {
            each.get();
        }
        if (blocks > 1) {
            fs.concat(parts.get(0), parts.subList(1, parts.size()).toArray(new Path[0]));
        }
    }

    private static void write(OutputStream out, int file, long from, long end) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        for (long at = from; at < end; at += piece.length) {
            WindowFiles.fill(file, at, piece);
            out.write(piece, 0, (int) Math.min(piece.length, end - at));
        }
    }

    private static InetSocketAddress[] favoured(InetSocketAddress[] nodes, int file, long block, int replicas) {
        int replicaNode = file % nodes.length;
        InetSocketAddress[] favoured = new InetSocketAddress[replicas];
        for (int i = 0; i < replicas - 1; i++) {
            favoured[i] = nodes[(int) ((replicaNode + 1 + (block + i) % (nodes.length - 1)) % nodes.length)];
        }
        favoured[replicas - 1] = nodes[replicaNode];
        return favoured;
    }

    /** Checks the layout, because the NameNode need not heed favoured nodes. The last DataNodes report their replicas a little later. */
    private static void check(DistributedFileSystem fs, Path path, InetSocketAddress replicaNode, int replicas)
            throws IOException, InterruptedException {
        LocatedBlock wrong = wrongBlock(fs, path, replicaNode, replicas);
        for (int look = 0; wrong != null && look < LOOKS; look++) {
            Thread.sleep(LOOK_MILLIS);
            wrong = wrongBlock(fs, path, replicaNode, replicas);
        }
        if (wrong != null) {
            throw new IOException(path + " is not laid out as it should be: " + wrong);
        }
    }

    private static @Nullable LocatedBlock wrongBlock(
            DistributedFileSystem fs, Path path, InetSocketAddress replicaNode, int replicas) throws IOException {
        for (LocatedBlock block : fs.getClient()
                .getLocatedBlocks(path.toString(), 0, Long.MAX_VALUE)
                .getLocatedBlocks()) {
            boolean there =
                    Arrays.stream(block.getLocations()).anyMatch(node -> node.getXferPort() == replicaNode.getPort());
            if (!there || block.getLocations().length != replicas) {
                return block;
            }
        }
        return null;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Writes files of incompressible, seeded bytes, one after the other.
 *
 * <p>Arguments: size of each file in bytes, block size in bytes, replication, {@link Placement} of single replicas, and the paths. The
 * index of a path is its file's seed and, where blocks are dealt, the index of its first DataNode. A block to be dealt is first a file of its
 * own that favours its DataNode; {@code concat} joins these files, and the DataNode of every block is checked. Prints for each file
 * {@code HELD DataNode bytes} for each DataNode with blocks of it, and {@code WROTE path bytes crc32c}.
 */
public final class WriteWorkload {

    private static final int BUFFER_BYTES = 1 << 20;

    /** How the DataNodes of a block are chosen. */
    public enum Placement {
        /** In turn, one for each block. */
        DEALT,
        /** By HDFS's own policy. */
        HDFS,
        /** By HDFS, as block groups of three data blocks and two parity blocks. */
        RS_3_2,
        /** By HDFS, as block groups of six data blocks and three parity blocks. */
        RS_6_3;

        /** Whether blocks are erasure-coded. */
        public boolean isErasureCoded() {
            return this == RS_3_2 || this == RS_6_3;
        }

        private String policy() {
            return name().replace('_', '-') + "-1024k";
        }
    }

    private WriteWorkload() {}

    public static void main(String[] args) throws IOException {
        long size = Long.parseLong(args[0]);
        long blockSize = Long.parseLong(args[1]);
        short replication = Short.parseShort(args[2]);
        Placement placement = Placement.valueOf(args[3]);
        List<Path> paths = Arrays.stream(args).skip(4).map(Path::new).collect(Collectors.toList());
        try (DistributedFileSystem fs =
                (DistributedFileSystem) FileSystem.get(paths.get(0).toUri(), new Configuration())) {
            for (int i = 0; i < paths.size(); i++) {
                Path path = paths.get(i);
                Random random = new Random(i);
                CRC32C crc = new CRC32C();
                if (replication == 1 && placement == Placement.DEALT) {
                    deal(fs, path, size, blockSize, i, random, crc);
                } else {
                    try (OutputStream out = create(fs, path, replication, blockSize, placement)) {
                        write(out, size, random, crc);
                    }
                }
                printHolders(fs, path);
                System.out.println("WROTE " + path.toUri().getPath() + " " + size + " " + crc.getValue());
            }
        }
    }

    private static void printHolders(DistributedFileSystem fs, Path path) throws IOException {
        Map<String, Long> held = new TreeMap<>();
        for (BlockLocation block : fs.getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
            for (String node : block.getNames()) {
                held.merge(node, block.getLength(), Long::sum);
            }
        }
        held.forEach((node, bytes) -> System.out.println("HELD " + node + " " + bytes));
    }

    private static OutputStream create(
            DistributedFileSystem fs, Path path, short replication, long blockSize, Placement placement)
            throws IOException {
        if (!placement.isErasureCoded()) {
            return fs.create(path, true, BUFFER_BYTES, replication, blockSize);
        }
        fs.enableErasureCodingPolicy(placement.policy());
        return fs.createFile(path)
                .ecPolicyName(placement.policy())
                .overwrite(true)
                .bufferSize(BUFFER_BYTES)
                .blockSize(blockSize)
                .build();
    }

    private static void deal(
            DistributedFileSystem fs, Path path, long size, long blockSize, int first, Random random, CRC32C crc)
            throws IOException {
        InetSocketAddress[] nodes = dataNodes(fs);
        List<Path> parts = new ArrayList<>();
        for (long at = 0; at < size; at += blockSize) {
            Path part = at == 0 ? path : new Path(path + ".part" + at / blockSize);
            InetSocketAddress node = nodes[(int) ((first + at / blockSize) % nodes.length)];
            try (OutputStream out = create(fs, part, blockSize, node)) {
                write(out, Math.min(blockSize, size - at), random, crc);
            }
            if (at > 0) {
                parts.add(part);
            }
        }
        if (!parts.isEmpty()) {
            fs.concat(path, parts.toArray(new Path[0]));
        }
        verifyPlacement(fs, path, nodes, first);
    }

    private static InetSocketAddress[] dataNodes(DistributedFileSystem fs) throws IOException {
        DatanodeInfo[] nodes = fs.getDataNodeStats();
        Arrays.sort(nodes, Comparator.comparingInt(DatanodeInfo::getXferPort));
        return Arrays.stream(nodes)
                .map(node -> new InetSocketAddress(node.getIpAddr(), node.getXferPort()))
                .toArray(InetSocketAddress[]::new);
    }

    private static OutputStream create(DistributedFileSystem fs, Path path, long blockSize, InetSocketAddress node)
            throws IOException {
        return fs.create(
                path,
                FsPermission.getFileDefault(),
                true,
                BUFFER_BYTES,
                (short) 1,
                blockSize,
                null,
                new InetSocketAddress[] {node});
    }

    private static void write(OutputStream out, long bytes, Random random, CRC32C crc) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (long left = bytes; left > 0; ) {
            random.nextBytes(buffer);
            int n = (int) Math.min(left, buffer.length);
            crc.update(buffer, 0, n);
            out.write(buffer, 0, n);
            left -= n;
        }
    }

    private static void verifyPlacement(DistributedFileSystem fs, Path path, InetSocketAddress[] nodes, int first)
            throws IOException {
        BlockLocation[] blocks = fs.getFileBlockLocations(path, 0, Long.MAX_VALUE);
        for (int i = 0; i < blocks.length; i++) {
            int port = nodes[(first + i) % nodes.length].getPort();
            if (!blocks[i].getNames()[0].endsWith(":" + port)) {
                throw new IOException("block " + i + " of " + path + " went to "
                        + blocks[i].getNames()[0] + " instead of port " + port + "; is that DataNode full?");
            }
        }
    }
}

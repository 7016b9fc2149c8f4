/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.SmallFiles;
import io.github.foresight.cluster.FileTree;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.LoopDisk;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What many small files take of a disk, as its file system counts it, right after they were written and some time later; stock
 * HDFS, Foresight without preallocation, and Foresight as shipped, one DataNode each on a disk of its own, a loop device.
 */
@Command(
        name = "space",
        description = "Disk space of many small files, right after writing and later.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SpaceCommand implements Callable<Integer> {

    private static final long DISK_BYTES = 16L << 30;
    private static final int READ_AHEAD_KIB = 4096;
    private static final String ROW = "  %-16s %14s %8s %14s %8s%n";

    @Option(names = "--files", defaultValue = "10000", description = "Files (${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--size",
            defaultValue = "10k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each file (${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--fs",
            defaultValue = "ext4",
            description = "The disks' file system, ext4 or xfs (${DEFAULT-VALUE}).")
    private String fileSystem = "";

    @Option(names = "--later", defaultValue = "60", description = "Seconds until later (${DEFAULT-VALUE}).")
    private int laterSeconds;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    /** What the files of one side take, bytes. */
    private static final class Taken {
        final String side;
        final long atOnce;
        final long later;

        Taken(String side, long atOnce, long later) {
            this.side = side;
            this.atOnce = atOnce;
            this.later = later;
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        cluster.require("--files", files, 1);
        cluster.require("--size", size, 1);
        cluster.require("--later", laterSeconds, 0);
        Path directory = cluster.newTemporaryDirectory("foresight-space");
        try {
            Release release = new Release(cluster.home());
            Installation foresight = release.dataNode();
            List<Taken> sides = List.of(
                    taken("stock", Installation.STOCK, release, directory),
                    taken(
                            "no preallocation",
                            foresight.with("foresight.datanode.preallocate.mode", "off"),
                            release,
                            directory),
                    taken("foresight", foresight, release, directory));
            System.out.print(table(sides));
            Path json = cluster.json();
            if (json != null) {
                writeJson(sides, json);
            }
        } finally {
            FileTree.delete(directory);
        }
        return 0;
    }

    private Taken taken(String side, Installation dataNode, Release release, Path directory)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(directory.resolve(side.replace(' ', '-')));
        try (LoopDisk disk = LoopDisk.create(folder, fileSystem, DISK_BYTES, READ_AHEAD_KIB);
                ProcessCluster hdfs = ProcessCluster.builder()
                        .hadoopClasspath(cluster.hadoopClasspath())
                        .workDir(Files.createDirectories(folder.resolve("cluster")))
                        .dataNodes(1)
                        .conf("dfs.replication", "1")
                        .dataNodeInstallation(dataNode.with(
                                "dfs.datanode.data.dir",
                                disk.mount().resolve("data").toUri().toString()))
                        .start()) {
            long before = used(disk);
            new SmallFileSet("/space", files, Math.toIntExact(size), SmallFiles.Naming.LETTERS).writeTo(hdfs, release);
            long atOnce = used(disk) - before;
            Thread.sleep(laterSeconds * 1000L);
            return new Taken(side, atOnce, used(disk) - before);
        }
    }

    /** What has been promised to files and not been placed yet is estimated by file systems: it is placed first. */
    private static long used(LoopDisk disk) throws IOException, InterruptedException {
        new ProcessBuilder("sync").start().waitFor();
        return disk.mount().toFile().getTotalSpace() - disk.mount().toFile().getFreeSpace();
    }

    private String table(List<Taken> sides) {
        StringBuilder table = new StringBuilder(format(
                "%n  %d files of %d bytes on %s, Hadoop %s: what they take of the disk.%n%n",
                files, size, fileSystem, cluster.hadoopVersion()));
        table.append(format(ROW, "side", "at once, KiB", "of stock", "after " + laterSeconds + " s", "of stock"));
        Taken stock = sides.get(0);
        for (Taken side : sides) {
            table.append(format(
                    ROW,
                    side.side,
                    side.atOnce >> 10,
                    format("%.4f", (double) side.atOnce / stock.atOnce),
                    side.later >> 10,
                    format("%.4f", (double) side.later / stock.later)));
        }
        return table.toString();
    }

    private void writeJson(List<Taken> sides, Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode()
                .put("hadoopVersion", cluster.hadoopVersion())
                .put("fileSystem", fileSystem)
                .put("files", files)
                .put("fileBytes", size)
                .put("laterSeconds", laterSeconds);
        ArrayNode array = root.putArray("sides");
        for (Taken side : sides) {
            array.addObject()
                    .put("side", side.side)
                    .put("bytesAtOnce", side.atOnce)
                    .put("bytesLater", side.later);
        }
        mapper.writeValue(file.toFile(), root);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}

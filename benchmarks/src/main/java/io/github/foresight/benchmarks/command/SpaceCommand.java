/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static io.github.foresight.benchmarks.report.Comparison.OF_STOCK;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.Workload;
import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.Benchmark;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the disk space of many small files in the file system, right after they are written and later. The sides are stock HDFS, Foresight
 * without preallocation, and Foresight as shipped. Each side has one DataNode with a loop device as its disk.
 */
@Command(
        name = "space",
        description = "Disk space of many small files, right after writing and later.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SpaceCommand extends Benchmark {

    static final Column AT_ONCE = new Column("at once", "KiB", 0, OF_STOCK, "disk space right after the last close");
    static final Column LATER = new Column("later", "KiB", 0, OF_STOCK, "disk space after the seconds of --later");

    private static final long DISK_BYTES = 16L << 30;
    private static final double KIB = 1 << 10;
    private static final int READ_AHEAD_KIB = 4096;

    @Option(names = "--files", defaultValue = "10000", description = "Files (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(
            names = "--size",
            defaultValue = "10k",
            converter = ClusterOptions.Size.class,
            description = "Bytes of each file (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private long size;

    @Option(
            names = "--fs",
            defaultValue = "ext4",
            description = "The disks' file system, ext4 or xfs (${DEFAULT-VALUE}).")
    private String fileSystem = "";

    @Option(
            names = "--later",
            defaultValue = "60",
            description = "Seconds between the two measurements (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int laterSeconds;

    @Override
    public List<Column> columns() {
        return List.of(AT_ONCE, LATER);
    }

    @Override
    protected BenchReport measure() throws IOException, InterruptedException {
        Path directory = cluster().newTemporaryDirectory("foresight-space");
        try {
            Release release = new Release(cluster().home());
            Installation foresight = release.dataNode();
            Installation unallocated = foresight.with("foresight.datanode.preallocate.mode", "off");
            List<Measurement> measured = List.of(
                    measure(Baseline.STOCK, Installation.STOCK, release, directory),
                    measure("Foresight, no preallocation", unallocated, release, directory),
                    measure(Baseline.FORESIGHT, foresight, release, directory));
            return report(RunConditions.NONE, measured, Baseline.stock());
        } finally {
            FileTree.delete(directory);
        }
    }

    private Measurement measure(String side, Installation dataNode, Release release, Path directory)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(directory.resolve(side.replaceAll("\\W+", "-")));
        try (LoopDisk disk = LoopDisk.create(folder, fileSystem, DISK_BYTES, READ_AHEAD_KIB);
                ProcessCluster hdfs = ProcessCluster.builder()
                        .hadoopClasspath(cluster().hadoopClasspath())
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
            Workload workload = Workload.of(files + " files of " + size + " bytes on " + fileSystem);
            return Measurement.of(workload, side, 1, 1)
                    .with(AT_ONCE, atOnce / KIB)
                    .with(LATER, (used(disk) - before) / KIB);
        }
    }

    /** Syncs the disk first: a file system only estimates the space of data that it has not allocated yet. */
    private static long used(LoopDisk disk) throws IOException, InterruptedException {
        new ProcessBuilder("sync").start().waitFor();
        return disk.mount().toFile().getTotalSpace() - disk.mount().toFile().getFreeSpace();
    }
}

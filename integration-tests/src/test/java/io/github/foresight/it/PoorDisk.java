/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.LoopDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The disk of one DataNode, which can be slow or full for a while, or fail: a file system on a loop device of its own. Needs root. Closed after its
 * cluster. Not thread-safe.
 */
final class PoorDisk implements Closeable {

    private static final long BYTES = 2L << 30;
    private static final int READ_AHEAD_KIB = 128;
    private static final long SLOW_BYTES_PER_SECOND = 1 << 20;
    private static final int SLOW_READS_PER_SECOND = 5;

    private final int node;
    private final LoopDisk disk;
    private final DiskThrottle throttle;

    private PoorDisk(int node, LoopDisk disk, DiskThrottle throttle) {
        this.node = node;
        this.disk = disk;
        this.throttle = throttle;
    }

    /**
     * Puts the data of a DataNode onto a disk of its own.
     *
     * @throws IOException with the reason, if no loop device or no control group can be had here
     */
    static PoorDisk of(int node, TestCluster.Plan plan) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(plan.work().getParent(), "disk");
        LoopDisk disk = LoopDisk.create(folder, "ext4", BYTES, READ_AHEAD_KIB);
        try {
            DiskThrottle throttle = DiskThrottle.forDataIn(disk.mount(), 0);
            String reason = throttle.unavailableReason();
            if (reason != null) {
                throw new IOException(reason);
            }
            PoorDisk poor = new PoorDisk(node, disk, throttle);
            Files.createDirectory(poor.data());
            Path home = Files.createDirectories(plan.work().resolve("datanode" + node));
            Files.createSymbolicLink(home.resolve("data"), poor.data());
            plan.processes(processes -> processes.throttle(throttle));
            return poor;
        } catch (IOException | RuntimeException e) {
            disk.close();
            throw e;
        }
    }

    private Path data() {
        return disk.mount().resolve("data");
    }

    /** Runs an action while the disk serves 1 MiB and five reads a second, with nothing of it in the page cache. */
    void whileSlow(DaemonProcesses.Action action) throws Exception {
        throttle.limit(node, SLOW_BYTES_PER_SECOND, SLOW_READS_PER_SECOND);
        try {
            forget();
            action.run();
        } finally {
            throttle.limit(node, 0, 0);
        }
    }

    private void forget() throws IOException, InterruptedException {
        run("sync", "-f", disk.mount().toString());
        run(
                "find",
                disk.mount().toString(),
                "-type",
                "f",
                "-name",
                "blk_*",
                "-exec",
                "dd",
                "if={}",
                "iflag=nocache",
                "count=0",
                "status=none",
                ";");
    }

    /** Runs a command; if a file has gone before the command comes to it, the command fails for that file. */
    private static void run(String... command) throws IOException, InterruptedException {
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** Runs an action while the disk has no free block. */
    void whileFull(DaemonProcesses.Action action) throws Exception {
        Path filler = disk.mount().resolve("filler");
        try {
            fill(filler);
            action.run();
        } finally {
            Files.deleteIfExists(filler);
        }
    }

    private void fill(Path filler) throws IOException, InterruptedException {
        long free = disk.mount().toFile().getUsableSpace();
        // If the DataNode takes blocks meanwhile, fallocate fails, but keeps the blocks that it has taken.
        run("fallocate", "-l", String.valueOf(free), filler.toString());
        if (disk.mount().toFile().getUsableSpace() > free / 2) {
            throw new IOException(disk.mount() + " could not be filled");
        }
    }

    /**
     * Runs an action while each read and write of the disk fails. Then an empty disk takes its place.
     *
     * @param end ends the DataNode, which may have ended by itself
     */
    void whileFailed(DaemonProcesses.Action action, DaemonProcesses.Action end) throws Exception {
        forget();
        disk.fail();
        action.run();
        end.run();
        disk.replace();
        Files.createDirectory(data());
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }
}

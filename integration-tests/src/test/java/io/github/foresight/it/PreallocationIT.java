/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.LoopDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Preallocation on real daemons: files in few pieces, no preallocated space left over, and HDFS's guarantees kept. */
final class PreallocationIT {

    private static final int PACKET = 64 << 10;

    /** The length in bytes of a whole block's checksum file: a header of 7 bytes, and 4 bytes for each 512 bytes of the block. */
    private static final long BLOCK_CHECKSUMS = 7 + BLOCK / 512 * 4;

    private static final long DISK_BYTES = 256L << 20;
    private static final Pattern HELD = Pattern.compile("(\\d+) (\\d+) (.+)");
    private static final Pattern EXTENTS = Pattern.compile("(\\d+) extents? found");

    private static TestCluster cluster;
    private static DistributedFileSystem fs;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                "preallocation",
                2,
                Map.of(
                        "foresight.datanode.cache.capacity", "16m",
                        "foresight.datanode.preallocate.free.min", "0"),
                Map.of(
                        "dfs.client.socket-timeout", "10000",
                        "dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER",
                        "dfs.heartbeat.interval", "1",
                        "dfs.namenode.heartbeat.recheck-interval", "1000"));
        fs = cluster.stockClient();
    }

    @AfterAll
    static void stop() throws Exception {
        fs.close();
        cluster.close();
    }

    @Test
    void syncedWriters_atTheSameTime_leaveWholeBlocksAndNothingElse() throws Exception {
        long preallocated = cluster.metric("PreallocatedBytes");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<Long>> written = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String path = "/synced" + i;
            written.add(threads.submit(() -> write(path, 2 * BLOCK + 12_345, true)));
        }
        Map<String, Long> checksums = new HashMap<>();
        for (int i = 0; i < 8; i++) {
            checksums.put("/synced" + i, written.get(i).get());
        }
        threads.shutdown();
        for (Map.Entry<String, Long> file : checksums.entrySet()) {
            assertThat(read(fs, file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
        }
        eventually(() -> assertThat(cluster.metric("PreallocatedBytes") - preallocated)
                .as("every block that was filled")
                .isGreaterThan(8L * 2 * BLOCK));
        assertThat(tails()).isEmpty();
        assertThat(meanExtents("blk_\\d+", BLOCK)).as("pieces per whole block").isLessThanOrEqualTo(2);
        assertThat(meanExtents("blk_\\d+_\\d+\\.meta", BLOCK_CHECKSUMS))
                .as("pieces of a whole block's checksums")
                .isLessThanOrEqualTo(2);
    }

    /** The tool strace injects the error of {@code fallocate}, because no disk here fails on demand. */
    @ParameterizedTest
    @ValueSource(strings = {"ENOSPC", "EIO"})
    void fallocate_thatFails_costsTheWriterNothing(String error) throws Exception {
        try {
            cluster.processes().restartDataNodes(cluster.dataNodeInstallation());
            try (Failing failing = Failing.fallocate(cluster.processes().dataNodes(), error)) {
                for (int i = 0; i < 3; i++) {
                    String path = "/" + error + i;
                    long checksum = write(path, 2 * BLOCK + 12_345, i % 2 == 0);
                    assertThat(read(fs, path)).isEqualTo(checksum);
                }
                assertThat(failing.tracers).allMatch(Process::isAlive);
            }
            if (error.equals("EIO")) {
                eventually(() -> {
                    assertThat(cluster.metric("PreallocationErrors")).isPositive();
                    assertThat(cluster.metric("PreallocationVolumesOff")).isEqualTo(2);
                });
            } else {
                eventually(() ->
                        assertThat(cluster.metric("PreallocationsRefused")).isPositive());
                assertThat(cluster.metric("PreallocationVolumesOff")).isZero();
                long before = cluster.metric("Preallocations");
                long checksum = write("/after-" + error, BLOCK, true);
                assertThat(read(fs, "/after-" + error)).isEqualTo(checksum);
                eventually(() -> assertThat(cluster.metric("Preallocations")).isGreaterThan(before));
            }
            assertThat(cluster.metric("InternalErrors")).isZero();
            eventually(() -> assertThat(tails()).isEmpty());
            fsckIsHealthy();
        } finally {
            cluster.processes().restartDataNodes(cluster.dataNodeInstallation());
        }
    }

    @Test
    void fullDisk_isHdfsOwnAffair() throws Exception {
        try (LoopDisk disk = smallDisk();
                TestCluster full = TestCluster.start(
                        "full",
                        1,
                        Map.of(
                                "foresight.datanode.cache.capacity", "16m",
                                "foresight.datanode.preallocate.free.min", "0",
                                "dfs.datanode.data.dir",
                                        disk.mount().resolve("data").toUri().toString()),
                        Map.of(
                                "dfs.replication", "1",
                                "dfs.heartbeat.interval", "1",
                                "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0"));
                DistributedFileSystem client = full.stockClient()) {
            Map<String, Long> whole = new HashMap<>();
            OptionalLong written = tryWrite(client, "/full0", 2 * BLOCK);
            while (written.isPresent()) {
                whole.put("/full" + whole.size(), written.getAsLong());
                assertThat(whole).as("files on a disk of %s bytes", DISK_BYTES).hasSizeLessThan((int)
                        (DISK_BYTES / BLOCK));
                written = tryWrite(client, "/full" + whole.size(), 2 * BLOCK);
            }
            assertThat(whole).hasSizeGreaterThan(3);
            for (Map.Entry<String, Long> file : whole.entrySet()) {
                assertThat(read(client, file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
            }
            eventually(() -> assertThat(tails(disk.mount())).isEmpty());
            assertThat(full.metric("PreallocatedBytes")).isPositive();
            assertThat(full.metric("InternalErrors")).isZero();
            client.delete(new org.apache.hadoop.fs.Path("/full0"), false);
            client.delete(new org.apache.hadoop.fs.Path("/full1"), false);
            eventually(() -> {
                OptionalLong again = tryWrite(client, "/again", BLOCK);
                assertThat(again).as("there is room again").isPresent();
                assertThat(read(client, "/again")).isEqualTo(again.getAsLong());
            });
            fsckIsHealthy(full);
        }
    }

    private static LoopDisk smallDisk() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(Path.of(System.getProperty("foresight.work")), "disk");
        try {
            return LoopDisk.create(folder, "ext4", DISK_BYTES, 128);
        } catch (IOException e) {
            return Assumptions.abort("no loop disk can be had here: " + e.getMessage());
        }
    }

    @Test
    void append_hflushAndPipelineRecovery_keepEveryByte() throws Exception {
        String path = "/appended";
        CRC32C crc = new CRC32C();
        Random random = new Random(3);
        try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path), true, 4096, (short) 2, BLOCK)) {
            put(out, random, crc, BLOCK / 2 + 777);
            out.hflush();
            assertThat(read(fs, path)).as("what was flushed").isEqualTo(crc.getValue());
            cluster.processes().dataNodes().get(1).kill();
            put(out, random, crc, BLOCK / 4 + 3);
            out.hsync();
            put(out, random, crc, BLOCK);
        }
        cluster.processes().restartDataNode(1, cluster.dataNodeInstallation());
        assertThat(read(fs, path)).isEqualTo(crc.getValue());
        for (int i = 0; i < 5; i++) {
            try (FSDataOutputStream out = fs.append(new org.apache.hadoop.fs.Path(path))) {
                put(out, random, crc, 100_000 + 7 * i);
                out.hflush();
                put(out, random, crc, 1);
            }
            assertThat(read(fs, path)).as("after append " + i).isEqualTo(crc.getValue());
        }
        eventually(() -> assertThat(tails()).isEmpty());
        fsckIsHealthy();
    }

    @Test
    void kill_inTheMiddleOfWriting_leavesNoTailAfterTheRestart() throws Exception {
        Random random = new Random(4);
        CRC32C crc = new CRC32C();
        String path = "/killed";
        FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path), true, 4096, (short) 1, BLOCK);
        // The packets' checksums fill more than a page.
        put(out, random, crc, 12 * PACKET);
        out.hsync();
        eventually(() -> assertThat(tails())
                .as("something is preallocated while it is written")
                .anyMatch(tail -> tail.contains(".meta "))
                .anyMatch(tail -> !tail.contains(".meta ")));
        for (int node = 0; node < 2; node++) {
            cluster.processes().dataNodes().get(node).kill();
        }
        assertThat(tails()).as("what the kill left").isNotEmpty();
        cluster.processes().restartDataNodes(cluster.dataNodeInstallation());
        eventually(() -> assertThat(tails()).isEmpty());
        try {
            out.close();
        } catch (IOException e) {
            // The only DataNode of the stream was killed; the lease is recovered below.
        }
        eventually(() ->
                assertThat(fs.recoverLease(new org.apache.hadoop.fs.Path(path))).isTrue());
        assertThat(read(fs, path)).as("what was synced").isEqualTo(crc.getValue());
        fsckIsHealthy();
    }

    @Test
    void stockThenOursThenStock_onTheSameDisks_readEverything() throws Exception {
        Map<String, Long> files = new HashMap<>();
        Installation[] turns = {Installation.STOCK, cluster.dataNodeInstallation(), Installation.STOCK};
        try {
            for (int turn = 0; turn < turns.length; turn++) {
                cluster.processes().restartDataNodes(turns[turn]);
                String path = "/turn" + turn;
                files.put(path, write(path, BLOCK + 54_321, turn == 1));
                for (Map.Entry<String, Long> file : files.entrySet()) {
                    assertThat(read(fs, file.getKey()))
                            .as(file.getKey() + " in turn " + turn)
                            .isEqualTo(file.getValue());
                }
                fsckIsHealthy();
            }
        } finally {
            cluster.processes().restartDataNodes(cluster.dataNodeInstallation());
        }
    }

    /** Writes and syncs a file, and returns its checksum; empty if HDFS has no room for the file. */
    private static OptionalLong tryWrite(DistributedFileSystem client, String path, int bytes) throws IOException {
        try {
            return OptionalLong.of(write(client, path, bytes, true, (short) 1));
        } catch (IOException | IllegalArgumentException e) {
            // At its close, HDFS's stream throws the same exception object again. Java then throws an
            // IllegalArgumentException.
            client.delete(new org.apache.hadoop.fs.Path(path), false);
            return OptionalLong.empty();
        }
    }

    private static long write(String path, int bytes, boolean sync) throws IOException {
        return write(fs, path, bytes, sync, (short) 2);
    }

    private static long write(DistributedFileSystem client, String path, int bytes, boolean sync, short replication)
            throws IOException {
        CRC32C crc = new CRC32C();
        try (FSDataOutputStream out =
                client.create(new org.apache.hadoop.fs.Path(path), true, 4096, replication, BLOCK)) {
            Random random = new Random(path.hashCode());
            for (int left = bytes; left > 0; left -= PACKET) {
                put(out, random, crc, Math.min(PACKET, left));
                if (sync) {
                    out.hsync();
                }
            }
        }
        return crc.getValue();
    }

    private static void put(FSDataOutputStream out, Random random, CRC32C crc, int bytes) throws IOException {
        byte[] buffer = new byte[bytes];
        random.nextBytes(buffer);
        crc.update(buffer);
        out.write(buffer);
    }

    private static void fsckIsHealthy() {
        fsckIsHealthy(cluster);
    }

    private static void fsckIsHealthy(TestCluster hdfs) {
        eventually(() -> {
            org.apache.hadoop.conf.Configuration conf = hdfs.clientConf();
            conf.set(
                    "dfs.namenode.http-address",
                    "127.0.0.1:" + hdfs.processes().nameNode().httpPort());
            assertThat(ToolRunner.run(new DFSck(conf), new String[] {"/"})).isZero();
        });
    }

    /** Returns the files of blocks and checksums that hold more disk space than their length needs. */
    private static List<String> tails() throws IOException, InterruptedException {
        return tails(cluster.processes().workDir());
    }

    private static List<String> tails(Path below) throws IOException, InterruptedException {
        List<String> tails = new ArrayList<>();
        for (Path file : files(below, "blk_\\d+(_\\d+\\.meta)?")) {
            Matcher held = HELD.matcher(output("stat", "-c", "%s %b %n", file.toString()));
            if (held.matches()) {
                long size = Long.parseLong(held.group(1));
                long onDisk = Long.parseLong(held.group(2)) * 512;
                // A file in many pieces has an additional disk block for its map of pieces.
                long slack = file.toString().endsWith(".meta") ? 4096 : PACKET;
                if (onDisk > (size + 4095) / 4096 * 4096 + slack) {
                    tails.add(file + " has " + size + " bytes and holds " + onDisk);
                }
            }
        }
        return tails;
    }

    private static double meanExtents(String names, long length) throws IOException, InterruptedException {
        long files = 0;
        long extents = 0;
        for (Path file : files(cluster.processes().workDir(), names)) {
            if (Files.size(file) == length) {
                Matcher found = EXTENTS.matcher(filefrag(file));
                assertThat(found.find()).isTrue();
                files++;
                extents += Long.parseLong(found.group(1));
            }
        }
        assertThat(files).isPositive();
        return (double) extents / files;
    }

    private static String filefrag(Path file) throws InterruptedException {
        try {
            return output("filefrag", file.toString());
        } catch (IOException e) {
            return Assumptions.abort("filefrag is not installed here");
        }
    }

    private static List<Path> files(Path below, String names) throws IOException {
        try (Stream<Path> all = Files.find(
                below, 20, (file, attributes) -> file.getFileName().toString().matches(names))) {
            return all.collect(Collectors.toList());
        }
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.trim();
    }

    /** Daemons with injected failures of a system call, until this object is closed. */
    private static final class Failing implements AutoCloseable {

        private final List<Process> tracers = new ArrayList<>();

        static Failing fallocate(List<Daemon> daemons, String error) throws Exception {
            Failing failing = new Failing();
            for (Daemon daemon : daemons) {
                Path log = Files.createTempFile(Path.of(System.getProperty("foresight.work")), "strace", ".log");
                List<String> command = List.of(
                        "strace",
                        "-f",
                        "-e",
                        "inject=fallocate:error=" + error,
                        "-e",
                        "trace=fallocate",
                        "-o",
                        "/dev/null",
                        "-p",
                        String.valueOf(daemon.pid()));
                try {
                    failing.tracers.add(new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start());
                } catch (IOException e) {
                    failing.close();
                    return Assumptions.abort("strace is not installed here");
                }
                failing.awaitAttached(log);
            }
            return failing;
        }

        private void awaitAttached(Path log) throws Exception {
            Process tracer = tracers.get(tracers.size() - 1);
            eventually(
                    () -> assertThat(!tracer.isAlive() || Files.readString(log).contains("attached"))
                            .isTrue());
            if (!tracer.isAlive()) {
                String said = Files.readString(log);
                close();
                Assumptions.abort("strace cannot attach here: " + said);
            }
        }

        @Override
        public void close() {
            for (Process tracer : tracers) {
                tracer.destroy();
                tracer.onExit().join();
            }
        }
    }
}

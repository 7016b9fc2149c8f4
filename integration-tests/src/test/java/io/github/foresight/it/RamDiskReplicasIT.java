/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.foresight.cluster.Daemon;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lazily written files lie on a memory disk until HDFS evicts them. Foresight does not prefetch replicas there, because they are in memory already.
 * When the replicas move to a disk, Foresight keeps none of their files open. Needs the right to mount.
 */
final class RamDiskReplicasIT {

    private static final int BLOCKS = 2;

    /** The length is a multiple of the chunk size. Without checksums HDFS cannot read a partial last chunk of a lazily written replica. */
    private static final int SMALL_BYTES = 24 * 512;

    /** HDFS's limit for memory disks in bytes: four blocks. */
    private static final long RAM_BYTES = 4L * BLOCK;

    @TempDir
    private Path folder;

    private Path ram;
    private Path disk;
    private TestCluster cluster;
    private FileSystem stock;

    @BeforeEach
    void start() throws Exception {
        ram = Files.createDirectories(folder.resolve("ram"));
        disk = Files.createDirectories(folder.resolve("disk"));
        boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=256m", "none", ram.toString()) == 0;
        if (!mounted) {
            System.out.println("SKIPPED: RamDiskReplicasIT may not mount a tmpfs here");
        }
        assumeTrue(mounted, "may not mount a tmpfs");
        String agent = NoMlockAgent.option(folder);
        cluster = TestCluster.plan("ram-disk")
                .dataNodes(1)
                .onDataNodes(Map.of(
                        "foresight.datanode.cache.capacity", "64m",
                        "foresight.datanode.packs.delay.time", "200ms",
                        "foresight.datanode.sessions.idle.time", "1h",
                        "foresight.datanode.cache.unaccessed.time", "1h",
                        "dfs.datanode.max.locked.memory", String.valueOf(RAM_BYTES),
                        // Without this setting HDFS leaves 1 GiB of a volume free.
                        "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0",
                        "dfs.datanode.lazywriter.interval.sec", "1",
                        "dfs.datanode.data.dir",
                                "[DISK]" + disk.resolve("data").toUri() + ",[RAM_DISK]"
                                        + ram.resolve("data").toUri()))
                .onAll(Map.of("dfs.replication", "1", "dfs.heartbeat.interval", "1"))
                .processes(processes -> processes.javaOption(agent))
                .start();
        stock = cluster.stockClient();
    }

    @AfterEach
    void stop() throws Exception {
        if (cluster != null) {
            stock.close();
            cluster.close();
        }
        if (isMounted(ram)) {
            assertThat(run("umount", ram.toString())).isZero();
        }
    }

    @Test
    void replicasOnAMemoryDisk_areLeftAloneAndNothingOfThemIsHeldAfterwards() throws Exception {
        long written = writeLazily("/lazy", BLOCKS * BLOCK);
        long small = writeLazily("/small", SMALL_BYTES);
        List<LocatedBlock> blocks = TestCluster.blocks(stock, "/lazy");
        List<String> names =
                blocks.stream().map(block -> block.getBlock().getBlockName()).collect(Collectors.toList());
        assertThat(names).as("on the memory disk").allMatch(name -> isFinalizedBelow(ram, name));

        hint(blocks).forEach(response -> {
            assertThat(response.getAccepted()).isZero();
            assertThat(response.getRefusals(0).getReason()).isEqualTo(Reason.NO_REPLICA);
        });
        try (FileSystem fs = cluster.foresightClient()) {
            assertThat(read(fs, "/lazy")).isEqualTo(written);
            assertThat(read(fs, "/small")).isEqualTo(small);
        }
        assertThat(cluster.hintedBytesInMemory()).isZero();
        assertThat(cluster.lockedBytes()).containsOnly(0L);
        eventually(() -> assertThat(held(ram)).isEmpty());

        eventually(
                () -> assertThat(names).as("saved to the disk").allMatch(name -> isBelow(disk, "lazypersist", name)));
        assertThat(notBlocks(ram)).as("packs on the memory disk").isEmpty();
        eventually(() -> assertThat(held(ram)).isEmpty());

        for (int i = 0; i < 3; i++) {
            writeLazily("/more" + i, BLOCKS * BLOCK);
        }
        eventually(() -> assertThat(names).as("evicted").noneMatch(name -> isFinalizedBelow(ram, name)));
        eventually(() -> assertThat(held(ram)).isEmpty());

        hint(blocks).forEach(response -> assertThat(response.getAccepted()).isOne());
        eventually(() -> assertThat(cluster.metric("PrefetchedBlocks")).isEqualTo(BLOCKS));
        assertThat(held(disk))
                .as("what is on the disk now is held as any other replica")
                .isNotEmpty();
        try (FileSystem fs = cluster.foresightClient()) {
            assertThat(read(fs, "/lazy")).isEqualTo(written);
            assertThat(read(fs, "/small")).isEqualTo(small);
        }
        for (int i = 0; i < blocks.size(); i++) {
            cluster.hintProxy(0).hint(null, request(OpType.RELEASE, i).build());
        }
        stock.delete(new org.apache.hadoop.fs.Path("/lazy"), false);
        eventually(() -> assertThat(held(disk)).isEmpty());
        eventually(() -> assertThat(held(ram)).isEmpty());
        assertThat(cluster.metric("InternalErrors")).isZero();
    }

    private long writeLazily(String path, int length) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] bytes = new byte[length];
        new Random(path.hashCode()).nextBytes(bytes);
        crc.update(bytes, 0, length);
        try (OutputStream out = stock.create(
                new org.apache.hadoop.fs.Path(path),
                FsPermission.getFileDefault(),
                EnumSet.of(CreateFlag.CREATE, CreateFlag.LAZY_PERSIST),
                1 << 16,
                (short) 1,
                BLOCK,
                null)) {
            out.write(bytes);
        }
        return crc.getValue();
    }

    private static HintRequestProto.Builder request(OpType type, long file) {
        return HintRequestProto.newBuilder().setOpType(type).setClientId(1).setFileId(file);
    }

    /** Hints each block in a separate hint session. */
    private List<HintResponseProto> hint(List<LocatedBlock> blocks) throws Exception {
        List<HintResponseProto> responses = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            LocatedBlock block = blocks.get(i);
            HintRequestProto request = request(OpType.HINT, i)
                    .setBlockPoolId(block.getBlock().getBlockPoolId())
                    .setSequential(true)
                    .setBlockNum(1)
                    .addBlocks(HintedBlockProto.newBuilder()
                            .setBlockId(block.getBlock().getBlockId())
                            .setGenerationStamp(block.getBlock().getGenerationStamp())
                            .setLength(block.getBlockSize()))
                    .build();
            responses.add(cluster.hintProxy(0).hint(null, request));
        }
        return responses;
    }

    private static boolean isFinalizedBelow(Path volume, String name) {
        return isBelow(volume, "finalized", name);
    }

    private static boolean isBelow(Path volume, String state, String name) {
        try {
            return files(volume).stream()
                    .anyMatch(file -> file.getFileName().toString().equals(name)
                            && file.toString().contains("/" + state + "/"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Returns the files among a volume's blocks that are not HDFS's files. */
    private static List<Path> notBlocks(Path volume) throws IOException {
        return files(volume).stream()
                .filter(file -> file.toString().contains("/finalized/"))
                .filter(file -> !file.getFileName().toString().startsWith("blk_"))
                .collect(Collectors.toList());
    }

    /** Returns the files below a folder. Files may be created and deleted during the walk, so a failed walk is repeated. */
    private static List<Path> files(Path below) throws IOException {
        for (int attempt = 0; ; attempt++) {
            try (Stream<Path> all = Files.walk(below)) {
                return all.filter(Files::isRegularFile).collect(Collectors.toList());
            } catch (java.io.UncheckedIOException | NoSuchFileException e) {
                if (attempt == 10) {
                    throw e;
                }
            }
        }
    }

    /** Returns the block files of a volume that the DataNode has open or mapped. */
    private List<String> held(Path volume) throws IOException {
        Daemon node = cluster.processes().dataNodes().get(0);
        Path process = Path.of("/proc/" + node.pid());
        List<String> held = new ArrayList<>();
        for (String line : Files.readAllLines(process.resolve("maps"))) {
            if (line.contains(volume.toString()) && line.contains("blk_")) {
                held.add("mapped " + line);
            }
        }
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            for (Path descriptor : descriptors.collect(Collectors.toList())) {
                String file = target(descriptor);
                if (file.startsWith(volume.toString()) && file.contains("blk_")) {
                    held.add("open " + file);
                }
            }
        }
        return held;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private static boolean isMounted(Path folder) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .anyMatch(line -> line.split(" ")[1].equals(folder.toString()));
    }
}

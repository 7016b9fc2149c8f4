/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.packs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.pack.Pack;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.settings.DataNodeSettings;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksumPacksTest {

    private static final String POOL = "BP-1";
    private static final String SENDING = "DataXceiver for client C at /127.0.0.1:1 [Sending block BP-1:blk_1_1]";

    @TempDir
    private Path folder;

    private final ReadAheadMetrics metrics = new ReadAheadMetrics();
    private final Map<Long, BlockFiles> replicas = new ConcurrentHashMap<>();
    private final FsVolumeSpi volume = volume();
    private ChecksumPacks packs = packs(Map.of());

    @AfterEach
    void close() {
        packs.close();
        metrics.unregister();
    }

    @Test
    void metadata_afterPacking_comesFromThePack() throws IOException {
        byte[] expected = write(1, 1000, 64 << 10);
        assertThat(read(1)).as("before it is packed").isNull();
        packs.packWaiting();
        assertThat(read(1)).isEqualTo(expected);
        assertThat(metrics.packHits.value()).isEqualTo(1);
        assertThat(metrics.packMisses.value()).isEqualTo(1);
        restart(Map.of());
        assertThat(read(1)).as("after a restart").isEqualTo(expected);
    }

    @Test
    void metadata_manyBlocks_readOnePackOnce() throws IOException {
        Map<Long, byte[]> expected = new HashMap<>();
        for (long id = 1; id <= 100; id++) {
            expected.put(id, write(id, 1000, 10_000));
            packs.finalized(POOL, id, 10_000);
        }
        packs.packWaiting();
        restart(Map.of());
        long before = metrics.packsRead.value();
        for (long id = 1; id <= 100; id++) {
            assertThat(read(id)).isEqualTo(expected.get(id));
        }
        assertThat(metrics.packsRead.value() - before).isEqualTo(1);
    }

    @Test
    void metadata_forOthersThanRemoteReaders_isHdfsOwn() throws IOException {
        write(1, 1000, 1000);
        packs.finalized(POOL, 1, 1000);
        packs.packWaiting();
        for (String thread : new String[] {
            "VolumeScannerThread(/data)",
            "DataXceiver for client C at /127.0.0.1:1 [Passing file descriptors for block BP-1:blk_1_1]",
            "DataXceiver for client C at /127.0.0.1:1 [Waiting for operation #1]",
            "main"
        }) {
            assertThat(as(thread, 1)).as(thread).isNull();
        }
        assertThat(read(1)).isNotNull();
    }

    @Test
    void metadata_ofAnotherGenerationOrLength_isHdfsOwn() throws IOException {
        write(1, 1000, 1000);
        packs.finalized(POOL, 1, 1000);
        packs.packWaiting();
        byte[] appended = write(1, 1001, 1500);
        assertThat(read(1)).isNull();
        packs.packWaiting();
        assertThat(read(1)).isEqualTo(appended);
        // Back to the older one, as after a rollback.
        write(1, 1000, 1000);
        assertThat(read(1)).isNull();
        replicas.remove(1L);
        assertThat(read(1)).as("deleted").isNull();
    }

    /** As after a rollback of the NameNode, which gives ids and stamps out again. */
    @Test
    void metadata_ofAnotherBlockWithTheSameIdStampAndLength_isHdfsOwn() throws IOException {
        write(1, 1000, 1000);
        packs.finalized(POOL, 1, 1000);
        packs.packWaiting();
        assertThat(read(1)).isNotNull();
        Files.delete(meta(1, 1000));
        byte[] other = write(1, 1000, 1000, 42);
        restart(Map.of());
        assertThat(read(1)).isNull();
        packs.packWaiting();
        assertThat(read(1)).isEqualTo(other);
        restart(Map.of());
        assertThat(read(1)).isEqualTo(other);
    }

    @Test
    void metadata_ofABlockThatIsReplacedWhileTheDataNodeRuns_isHdfsOwn() throws IOException {
        write(1, 1000, 1000);
        packs.finalized(POOL, 1, 1000);
        packs.packWaiting();
        assertThat(read(1)).isNotNull();
        packs.changed(POOL, 1);
        Files.delete(meta(1, 1000));
        byte[] other = write(1, 1000, 1000, 42);
        assertThat(read(1)).isNull();
        packs.finalized(POOL, 1, 1000);
        packs.packWaiting();
        assertThat(read(1)).isEqualTo(other);
    }

    @Test
    void metadata_whoseFileIsGone_isHdfsOwn() throws IOException {
        write(1, 1000, 1000);
        packs.finalized(POOL, 1, 1000);
        packs.packWaiting();
        Files.delete(meta(1, 1000));
        assertThat(read(1)).isNull();
    }

    @Test
    void lastChecksum_ofALengthThatIsNoMultipleOfAChunk_comesFromThePack() throws IOException {
        byte[] metadata = write(1, 1000, 65_000);
        write(2, 1000, 64 << 10);
        for (long id = 1; id <= 2; id++) {
            packs.finalized(POOL, id, replicas.get(id).lengthBytes());
        }
        assertThat(packs.lastPartialChecksum(POOL, 1)).as("not packed yet").isNull();
        packs.packWaiting();
        assertThat(packs.lastPartialChecksum(POOL, 1))
                .isEqualTo(Arrays.copyOfRange(metadata, metadata.length - 4, metadata.length));
        assertThat(packs.lastPartialChecksum(POOL, 2))
                .as("its last chunk is whole")
                .isNull();
        assertThat(packs.lastPartialChecksum(POOL, 3)).as("no such block").isNull();
        assertThat(packs.mayHoldLastChecksum(65_000)).isTrue();
        assertThat(packs.mayHoldLastChecksum(64 << 10)).isFalse();
        assertThat(packs.mayHoldLastChecksum((4 << 20) + 1)).isFalse();
    }

    @Test
    void pack_truncatedAtEveryByte_servesRightOrNothingAndIsMended() throws IOException {
        Map<Long, byte[]> expected = new HashMap<>();
        for (long id = 1; id <= 5; id++) {
            expected.put(id, write(id, 1000, 2000));
            packs.finalized(POOL, id, 2000);
        }
        packs.packWaiting();
        byte[] whole = Files.readAllBytes(pack());
        for (int length = 0; length <= whole.length; length++) {
            Files.write(pack(), Arrays.copyOf(whole, length));
            restart(Map.of("foresight.datanode.packs.delay.time", "1h"));
            for (long id = 1; id <= 5; id++) {
                byte[] found = read(id);
                if (found != null) {
                    assertThat(found).isEqualTo(expected.get(id));
                }
            }
            packs.packWaiting();
            for (long id = 1; id <= 5; id++) {
                assertThat(read(id)).as("mended after a cut at " + length).isEqualTo(expected.get(id));
            }
            assertThat(Pack.read(Files.readAllBytes(pack())).size()).isEqualTo(5);
        }
    }

    @Test
    void pack_garbageOrDeletedOrTooLarge_isOnlySlower() throws IOException {
        byte[] expected = write(1, 1000, 2000);
        packs.finalized(POOL, 1, 2000);
        packs.packWaiting();
        byte[] garbage = new byte[5000];
        new Random(1).nextBytes(garbage);
        for (byte[] content : new byte[][] {garbage, new byte[0], new byte[2 << 20]}) {
            Files.write(pack(), content);
            restart(Map.of());
            assertThat(read(1)).isNull();
            packs.packWaiting();
            assertThat(read(1)).isEqualTo(expected);
        }
        Files.delete(pack());
        assertThat(read(1)).as("still in memory").isEqualTo(expected);
        byte[] second = write(2, 1000, 3000);
        packs.finalized(POOL, 2, 3000);
        packs.packWaiting();
        restart(Map.of());
        assertThat(read(1)).as("written anew").isEqualTo(expected);
        assertThat(read(2)).isEqualTo(second);
    }

    @Test
    void packing_metadataThatIsNotWhole_isLeftOut() throws IOException {
        write(1, 1000, 2000);
        Files.write(meta(1, 1000), new byte[] {0, 1, 2}, StandardOpenOption.TRUNCATE_EXISTING);
        write(2, 1000, 2000);
        byte[] header = Arrays.copyOf(Files.readAllBytes(meta(2, 1000)), 7);
        Files.write(meta(2, 1000), header, StandardOpenOption.TRUNCATE_EXISTING);
        write(3, 1000, 2000);
        Files.delete(meta(3, 1000));
        for (long id = 1; id <= 3; id++) {
            packs.finalized(POOL, id, 2000);
        }
        packs.packWaiting();
        assertThat(metrics.packedBlocks.value()).isZero();
        assertThat(pack()).doesNotExist();
    }

    @Test
    void packing_largeBlocks_areLeftOut() throws IOException {
        write(1, 1000, 4 << 20);
        packs.finalized(POOL, 1, 4 << 20);
        assertThat(read(1)).isNull();
        packs.packWaiting();
        assertThat(metrics.packedBlocks.value()).isZero();
        assertThat(metrics.packMisses.value()).isZero();
    }

    @Test
    void pack_ofMostlyDeletedBlocks_isWrittenAnew() throws IOException {
        for (long id = 1; id <= 100; id++) {
            write(id, 1000, 64 << 10);
            packs.finalized(POOL, id, 64 << 10);
        }
        packs.packWaiting();
        long full = Files.size(pack());
        for (long id = 1; id <= 90; id++) {
            replicas.remove(id);
        }
        byte[] expected = write(101, 1000, 64 << 10);
        packs.finalized(POOL, 101, 64 << 10);
        packs.packWaiting();
        assertThat(Files.size(pack())).isLessThan(full / 4);
        assertThat(metrics.packsCompacted.value()).isEqualTo(1);
        assertThat(read(101)).isEqualTo(expected);
        assertThat(read(95)).isNotNull();
    }

    @Test
    void pack_ofManyBlocks_staysWithinItsSizeAndKeepsTheLast() throws IOException {
        restart(Map.of("foresight.datanode.packs.size.max", "64k"));
        for (long id = 1; id <= 500; id++) {
            write(id, 1000, 64 << 10);
            packs.finalized(POOL, id, 64 << 10);
            if (id % 20 == 0) {
                packs.packWaiting();
                assertThat(Files.size(pack())).isLessThanOrEqualTo(64 << 10);
            }
        }
        assertThat(read(500)).isNotNull();
        assertThat(read(1)).isNull();
    }

    @Test
    void queue_whenFull_dropsAndCounts() throws IOException {
        restart(Map.of("foresight.datanode.packs.queue.max", "2", "foresight.datanode.packs.delay.time", "1h"));
        for (long id = 1; id <= 5; id++) {
            packs.finalized(POOL, id, 1000);
        }
        assertThat(metrics.packsDropped.value()).isEqualTo(3);
    }

    @Test
    void holds_packedBlock_forThePrefetcher() throws IOException {
        write(1, 1000, 2000);
        BlockKey key = new BlockKey(POOL, 1);
        assertThat(packs.holds(key, replicas.get(1L))).isFalse();
        packs.finalized(POOL, 1, 2000);
        packs.packWaiting();
        assertThat(packs.holds(key, replicas.get(1L))).isTrue();
    }

    @Test
    void deleteBelow_aFolder_leavesNoPack() throws IOException {
        write(1, 1000, 2000);
        packs.finalized(POOL, 1, 2000);
        packs.packWaiting();
        assertThat(pack()).exists();
        packs.deleteBelow(folder.getParent());
        assertThat(pack()).doesNotExist();
        assertThat(read(1)).isNull();
    }

    private Path pack() {
        return folder.resolve(PackFile.NAME);
    }

    private Path meta(long id, long generationStamp) {
        return folder.resolve("blk_" + id + "_" + generationStamp + ".meta");
    }

    private byte[] read(long id) {
        return as(SENDING, id);
    }

    private byte[] as(String thread, long id) {
        String before = Thread.currentThread().getName();
        Thread.currentThread().setName(thread);
        try {
            return packs.metadata(POOL, id);
        } finally {
            Thread.currentThread().setName(before);
        }
    }

    /** Writes a block's metadata, CRC-32C over 512 bytes each, as HDFS does; the checksums themselves are any. */
    private byte[] write(long id, long generationStamp, int lengthBytes) throws IOException {
        return write(id, generationStamp, lengthBytes, 0);
    }

    private byte[] write(long id, long generationStamp, int lengthBytes, long seed) throws IOException {
        int chunks = (lengthBytes + 511) / 512;
        byte[] checksums = new byte[4 * chunks];
        new Random(id * 31 + generationStamp + seed).nextBytes(checksums);
        byte[] metadata = ByteBuffer.allocate(7 + checksums.length)
                .putShort((short) 1)
                .put((byte) 2)
                .putInt(512)
                .put(checksums)
                .array();
        Files.write(meta(id, generationStamp), metadata);
        replicas.put(
                id,
                new BlockFiles(
                        volume,
                        () -> folder.resolve("blk_" + id),
                        () -> meta(id, generationStamp),
                        generationStamp,
                        lengthBytes));
        return metadata;
    }

    private void restart(Map<String, String> configured) {
        packs.close();
        packs = packs(configured);
    }

    private ChecksumPacks packs(Map<String, String> configured) {
        Map<String, String> all = new HashMap<>(
                Map.of("foresight.datanode.cache.capacity", "64m", "foresight.datanode.packs.delay.time", "1h"));
        all.putAll(configured);
        return new ChecksumPacks(DataNodeSettings.read(all::get, 0), new Replicas(), metrics);
    }

    private final class Replicas implements BlockFiles.Finder {

        @Override
        public boolean serves(String blockPool) {
            return true;
        }

        @Override
        public Optional<BlockFiles> find(String blockPool, long blockId) {
            return Optional.ofNullable(replicas.get(blockId));
        }

        @Override
        public FsVolumeSpi volumeOf(String blockPool, long blockId) {
            return volume;
        }
    }

    private static FsVolumeSpi volume() {
        ClassLoader loader = ChecksumPacksTest.class.getClassLoader();
        return (FsVolumeSpi) Proxy.newProxyInstance(
                loader, new Class<?>[] {FsVolumeSpi.class}, (self, method, args) -> switch (method.getName()) {
                    case "getAvailable" -> 1L << 40;
                    case "obtainReference" ->
                        Proxy.newProxyInstance(
                                loader,
                                new Class<?>[] {FsVolumeReference.class},
                                (reference, of, with) -> of.getName().equals("getVolume") ? self : null);
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == args[0];
                    case "toString" -> "volume";
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.packs.ChecksumPacks;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.settings.DataNodeSettings;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code BlockSender} does with a replica: looks at its last checksum, and has it loaded where there is none. */
class PackedReplicaTest {

    private static final String POOL = "BP-1";
    private static final int LENGTH = 1000;
    private static final byte[] LAST = {5, 6, 7, 8};

    @TempDir
    private Path folder;

    private final ReadAheadMetrics metrics = new ReadAheadMetrics();

    /** How often HDFS has opened a {@code .meta} file for a last checksum. */
    private final AtomicInteger opened = new AtomicInteger();

    private FinalizedReplica replica;
    private ChecksumPacks packs;

    @BeforeEach
    void block() throws IOException {
        FsVolumeSpi volume = volume();
        replica = new FinalizedReplica(1, LENGTH, 1000, volume, folder.toFile());
        Path meta = folder.resolve("blk_1_1000.meta");
        Files.write(
                meta,
                ByteBuffer.allocate(7 + 8)
                        .putShort((short) 1)
                        .put((byte) 2)
                        .putInt(512)
                        .put(new byte[] {1, 2, 3, 4})
                        .put(LAST)
                        .array());
        BlockFiles files = new BlockFiles(volume, () -> folder.resolve("blk_1"), () -> meta, 1000, LENGTH);
        packs = new ChecksumPacks(
                DataNodeSettings.read(
                        Map.of(
                                "foresight.datanode.cache.capacity", "64m",
                                "foresight.datanode.packs.delay.time", "10ms")::get,
                        0),
                new BlockFiles.Finder() {
                    @Override
                    public boolean serves(String blockPool) {
                        return true;
                    }

                    @Override
                    public Optional<BlockFiles> find(String blockPool, long blockId) {
                        return Optional.of(files);
                    }

                    @Override
                    public FsVolumeSpi volumeOf(String blockPool, long blockId) {
                        return volume;
                    }
                },
                metrics);
    }

    @AfterEach
    void close() {
        packs.close();
        metrics.unregister();
    }

    @Test
    void lastChecksum_packed_isLoadedWithoutOpeningTheFile() throws IOException {
        packs.finalized(POOL, 1, LENGTH);
        Awaitility.await().until(() -> metrics.packedBlocks.value() == 1);
        PackedReplica packed = new PackedReplica(replica, POOL, packs);

        packed.loadLastPartialChunkChecksum();

        assertThat(packed.getLastPartialChunkChecksum()).isEqualTo(LAST);
        assertThat(replica.getLastPartialChunkChecksum()).as("remembered").isEqualTo(LAST);
        assertThat(opened).hasValue(0);
    }

    @Test
    void lastChecksum_notPacked_isLoadedAsEver() throws IOException {
        PackedReplica packed = new PackedReplica(replica, POOL, packs);

        packed.loadLastPartialChunkChecksum();

        assertThat(packed.getLastPartialChunkChecksum()).isEqualTo(LAST);
        assertThat(replica.getLastPartialChunkChecksum()).isEqualTo(LAST);
        assertThat(opened).hasValue(1);
    }

    @Test
    void replica_isOnlyHandedOutToSendersWhileTheChecksumIsNotKnown() {
        String before = Thread.currentThread().getName();
        try {
            assertThat(PackedReplica.helps(replica, packs)).isFalse();
            Thread.currentThread().setName("DataXceiver for client C at /127.0.0.1:1 [Sending block BP-1:blk_1_1000]");
            assertThat(PackedReplica.helps(replica, packs)).isTrue();
            replica.setLastPartialChunkChecksum(LAST);
            assertThat(PackedReplica.helps(replica, packs)).isFalse();
        } finally {
            Thread.currentThread().setName(before);
        }
    }

    private FsVolumeSpi volume() {
        ClassLoader loader = PackedReplicaTest.class.getClassLoader();
        return (FsVolumeSpi) Proxy.newProxyInstance(
                loader, new Class<?>[] {FsVolumeSpi.class}, (self, method, args) -> switch (method.getName()) {
                    case "getAvailable" -> 1L << 40;
                    case "getStorageID" -> "DS-1";
                    case "isTransientStorage" -> false;
                    case "loadLastPartialChunkChecksum" -> {
                        opened.incrementAndGet();
                        assertThat(((File) args[1]).getName()).isEqualTo("blk_1_1000.meta");
                        yield LAST.clone();
                    }
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

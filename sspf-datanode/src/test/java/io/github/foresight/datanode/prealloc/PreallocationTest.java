/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.datanode.space.SpaceFile;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The space of blocks that are written, with the disk's failures. */
class PreallocationTest extends PreallocationFixture {

    /** Longer than the millisecond from which on a disk counts as slow here. */
    private static final long SLOW_NANOS = 2_000_000;

    @Test
    void write_wholeBlock_isTakenAtOnce() throws IOException {
        Path file = write(BLOCK, BLOCK, () -> taken(1));
        assertThat(metrics.preallocations.value()).isEqualTo(1);
        assertThat(metrics.preallocatedBytes.value()).isEqualTo(BLOCK);
        assertThat(metrics.preallocatedBytesFreed.value()).isZero();
        assertThat(preallocation.unusedBytes(volume)).isZero();
        assertThat(tail(file)).isLessThanOrEqualTo(0);
    }

    @Test
    void write_whereStreamsEndEarly_isTakenInTwoSteps_andTheWritersNextBlockAtOnce() throws IOException {
        for (int i = 0; i < 3; i++) {
            write(2 * PACKET, BLOCK);
        }
        long before = metrics.preallocations.value();
        write(BLOCK, BLOCK, () -> taken(before + 2));
        write(BLOCK, BLOCK);
        assertThat(metrics.preallocations.value()).isEqualTo(before + 2 + 1);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void close_early_freesTheTailBeforeTheFileIsClosed() throws IOException {
        Path file = write(3 * PACKET + 17, BLOCK, () -> taken(1));
        assertThat(metrics.preallocatedBytes.value()).isEqualTo(BLOCK);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(metrics.preallocatedBytesFreed.value()).isGreaterThan(BLOCK - 5L * PACKET);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void write_smallFile_takesNothing() throws IOException {
        write(10_000, BLOCK);
        assertThat(metrics.preallocations.value()).isZero();
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void whileWritten_whatIsTakenInAdvanceIsKnown() throws IOException {
        Path file = Files.createFile(directory.resolve("blk_1"));
        try (FileOutputStream out = watch(file, 0, BLOCK)) {
            out.write(new byte[PACKET]);
            out.write(new byte[PACKET]);
            taken(1);
            assertThat(preallocation.unusedBytes(volume)).isEqualTo(BLOCK - 2L * PACKET);
            try (SpaceFile space = SpaceFile.open(file)) {
                assertThat(space.tailBytes()).isGreaterThan(BLOCK - 4L * PACKET);
            }
        }
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void checksums_areTakenAtOnceAndTheirTailIsFreed_howeverOftenAChunkIsWrittenOver() throws IOException {
        Path file = Files.createFile(directory.resolve("blk_1_1.meta"));
        int limit = 1 << 20;
        byte[] packet = bytes(512);
        try (FileOutputStream out = preallocation.watchChecksums(KEY, volume, file, stock(file), 0, limit)) {
            out.write(packet, 0, 7);
            assertThat(metrics.preallocations.value()).isZero();
            for (int i = 0; i < 16; i++) {
                out.write(packet);
            }
            taken(1);
            assertThat(tail(file)).isGreaterThan(limit / 2);
            assertThat(preallocation.unusedBytes(volume))
                    .as("HDFS reserves nothing for checksums")
                    .isZero();
            for (int i = 0; i < 3 * limit / packet.length; i++) {
                out.getChannel().position(out.getChannel().position() - packet.length);
                out.write(packet);
            }
        }
        assertThat(Files.size(file)).isEqualTo(7 + 16 * packet.length);
        assertThat(metrics.preallocatedBytes.value()).isEqualTo(limit);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
    }

    @Test
    void checksums_ofTinyChunks_stayWithinTheVolumesCap() throws IOException {
        preallocation.close();
        preallocation = preallocation(Map.of("foresight.datanode.preallocate.volume.max", "4m"));
        Path file = Files.createFile(directory.resolve("blk_1_1.meta"));
        try (FileOutputStream out = preallocation.watchChecksums(KEY, volume, file, stock(file), 0, 512L << 20)) {
            out.write(bytes(PACKET));
            taken(1);
            assertThat(tail(file)).isBetween(1L, 4L << 20);
        }
        assertThat(tail(file)).isLessThanOrEqualTo(0);
    }

    @Test
    void append_beginsAtTheEnd() throws IOException {
        Path file = write(5 * PACKET + 100, BLOCK);
        byte[] before = Files.readAllBytes(file);
        try (FileOutputStream out = watch(file, before.length, BLOCK)) {
            out.getChannel().position(before.length);
            out.write(bytes(PACKET));
            out.write(bytes(PACKET));
        }
        assertThat(Files.readAllBytes(file))
                .hasSize(before.length + 2 * PACKET)
                .startsWith(before)
                .endsWith(bytes(PACKET));
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void write_diskFullDuringFallocate_isWrittenAllTheSame() throws IOException {
        taker = (file, offset, length) -> {
            // A disk keeps the space that was taken before it was full.
            file.take(offset, length / 2);
            throw new SpaceFile.NoSpaceException(directory, "on purpose");
        };
        write(BLOCK, BLOCK);
        assertThat(tail(write(3 * PACKET, BLOCK))).isLessThanOrEqualTo(0);
        assertThat(metrics.preallocationsRefused.value()).isPositive();
        assertThat(metrics.preallocationErrors.value()).isZero();
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void write_errorFromFallocate_isWrittenAndTheVolumeIsLeftAlone() throws IOException {
        AtomicLong calls = new AtomicLong();
        taker = (file, offset, length) -> {
            calls.incrementAndGet();
            throw new FileSystemException(file.toString(), null, "fallocate failed with errno 5");
        };
        write(BLOCK, BLOCK);
        write(BLOCK, BLOCK);
        assertThat(calls).hasValue(1);
        assertThat(metrics.preallocationErrors.value()).isEqualTo(1);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void write_fileSystemWithoutFallocate_isAskedOnce() throws IOException {
        AtomicLong calls = new AtomicLong();
        taker = (file, offset, length) -> {
            calls.incrementAndGet();
            throw new SpaceFile.UnsupportedException(directory, "on purpose");
        };
        write(BLOCK, BLOCK);
        write(BLOCK, BLOCK);
        assertThat(calls).hasValue(1);
        assertThat(metrics.preallocationErrors.value()).isZero();
    }

    @Test
    void write_defectInTaking_isWrittenAllTheSame() throws IOException {
        taker = (file, offset, length) -> {
            throw new IllegalStateException("on purpose");
        };
        write(BLOCK, BLOCK);
        assertThat(metrics.internalErrors.value()).isPositive();
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void close_whileSpaceIsBeingTaken_waitsAndFreesIt() throws IOException {
        AtomicBoolean written = new AtomicBoolean();
        AtomicBoolean taken = new AtomicBoolean();
        Thread closer = Thread.currentThread();
        taker = (file, offset, length) -> {
            Awaitility.await()
                    .pollInSameThread()
                    .until(() -> written.get()
                            && (closer.getState() == Thread.State.WAITING
                                    || closer.getState() == Thread.State.TIMED_WAITING));
            file.take(offset, length);
            taken.set(true);
        };
        Path file = Files.createFile(directory.resolve("blk_1"));
        FileOutputStream out = watch(file, 0, BLOCK);
        out.write(new byte[PACKET]);
        assertThat(taken).isFalse();
        written.set(true);
        Thread.currentThread().interrupt();
        out.close();
        assertThat(Thread.interrupted()).as("the thread keeps its interrupt").isTrue();
        assertThat(taken).isTrue();
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void slowDisk_isLeftAloneAfterAWhile() throws IOException {
        preallocation.close();
        preallocation = preallocation(Map.of(
                "foresight.datanode.preallocate.slow.time", "1ms", "foresight.datanode.preallocate.slow.max", "3"));
        AtomicLong calls = new AtomicLong();
        taker = (file, offset, length) -> {
            calls.incrementAndGet();
            long begin = System.nanoTime();
            Awaitility.await().pollInSameThread().until(() -> System.nanoTime() - begin > SLOW_NANOS);
            file.take(offset, length);
        };
        for (int i = 0; i < 6; i++) {
            write(BLOCK, BLOCK);
        }
        assertThat(calls).hasValue(3);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void close_afterTheFeatureSwitchedItselfOff_freesTheTailAndTheDescriptor() throws IOException {
        Path file = Files.createFile(directory.resolve("blk_1"));
        FileOutputStream out = watch(file, 0, BLOCK);
        out.write(new byte[PACKET]);
        taken(1);
        trip();
        out.close();
        assertThat(descriptorsOf(file)).isZero();
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void write_descriptorsUsedUp_isWrittenAllTheSame_andTheVolumeGoesOn() throws IOException {
        preallocation.close();
        preallocation = preallocation(Map.of("foresight.datanode.preallocate.descriptors.share", "0"));
        write(BLOCK, BLOCK);
        assertThat(metrics.preallocations.value()).isZero();
        assertThat(metrics.preallocationsRefused.value()).isPositive();
        assertThat(metrics.preallocationErrors.value()).isZero();
        assertThat(preallocation.unusedBytes(volume)).isZero();
        assertThat(level("PreallocationVolumesOff")).isZero();
    }

    @Test
    void whileWritten_descriptorsAreCounted() throws IOException {
        Path file = Files.createFile(directory.resolve("blk_1"));
        try (FileOutputStream out = watch(file, 0, BLOCK)) {
            out.write(new byte[PACKET]);
            taken(1);
            assertThat(level("PreallocationDescriptors")).isEqualTo(1);
        }
        assertThat(level("PreallocationDescriptors")).isZero();
    }

    @Test
    void volumesRemoved_areForgotten() throws IOException {
        write(3 * PACKET, BLOCK);
        preallocation.volumesRemoved();
        assertThat(preallocation.volumeCount()).as("in service").isEqualTo(1);
        inService = Set.of();
        preallocation.volumesRemoved();
        assertThat(preallocation.volumeCount()).isZero();
    }
}

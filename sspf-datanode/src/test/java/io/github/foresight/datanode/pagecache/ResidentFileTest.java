/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.foresight.core.memory.LockableMemory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real file of a real file system; the kernel tells which pages are resident. */
class ResidentFileTest {

    private static final int FILE_BYTES = 8 << 20;
    private static final int PART_BYTES = 1 << 20;
    private static final long SMALLEST_PAGE_BYTES = 4096;

    @TempDir
    private Path directory;

    private final FileBudget budget = new FileBudget(100, 100);

    private Path file;

    /** The same file by another name: {@code file} itself was mapped by the test, until its garbage is collected. */
    private Path linked;

    @BeforeAll
    static void nativeCallsAreThere() {
        assumeTrue(ResidentFile.nativeUnavailableReason() == null, ResidentFile.nativeUnavailableReason());
    }

    @BeforeEach
    void coldFile() throws IOException {
        file = directory.resolve("blk_1");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.allocate(FILE_BYTES));
            channel.force(true);
        }
        PageCache.evict(file);
        assumeTrue(residentBytes(0, FILE_BYTES) == 0, "a file system whose pages can be dropped");
        linked = Files.createLink(directory.resolve("linked"), file);
    }

    private long residentBytes(long from, long length) throws IOException {
        return PageCache.residentBytes(file, from, length);
    }

    /** Another process's read of a range, and of nothing else. */
    private void readByAnother(long from, int length) throws IOException {
        int fd = LinuxCalls.open(file.toString(), LinuxCalls.O_RDONLY);
        LinuxCalls.posix_fadvise(fd, 0, 0, LinuxCalls.POSIX_FADV_RANDOM);
        LinuxCalls.pread(fd, new byte[length], length, from);
        LinuxCalls.close(fd);
    }

    private static boolean mayLock(long bytes) {
        return LockableMemory.read(ResidentFileTest::text, 0).lockableBytes() >= bytes;
    }

    private static String text(String path) {
        try {
            return Files.readString(Path.of(path));
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void file_opened_isNotReadYet() throws IOException {
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, true, budget)) {
            assertThat(resident.residentUpTo()).isZero();
            assertThat(resident.isPinned()).isFalse();
            assertThat(residentBytes(0, FILE_BYTES)).isZero();
        }
    }

    @Test
    void file_loadedInParts_isResidentSoFarUnpinned() throws IOException {
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, false, budget)) {
            resident.load(PART_BYTES, 0);
            assertThat(resident.residentUpTo()).isEqualTo(PART_BYTES);
            assertThat(residentBytes(0, PART_BYTES)).isEqualTo(PART_BYTES);
            resident.load(PART_BYTES, PART_BYTES);
            assertThat(residentBytes(0, 2 * PART_BYTES)).isEqualTo(2 * PART_BYTES);
            resident.load(FILE_BYTES, 0);
            assertThat(resident.residentUpTo()).isEqualTo(FILE_BYTES);
            assertThat(residentBytes(0, FILE_BYTES)).isEqualTo(FILE_BYTES);
            assertThat(resident.isPinned()).isFalse();
            assertThat(resident.pinFailure()).isNull();
        }
    }

    @Test
    void part_loaded_isResidentAlone_andIsDroppedAlone() throws IOException {
        try (ResidentFile resident = ResidentFile.open(file, PART_BYTES, 2 * PART_BYTES, false, budget)) {
            assertThat(resident.residentUpTo()).isEqualTo(PART_BYTES);
            resident.load(FILE_BYTES, FILE_BYTES);
            assertThat(resident.residentUpTo()).isEqualTo(2 * PART_BYTES);
            assertThat(residentBytes(PART_BYTES, PART_BYTES)).isEqualTo(PART_BYTES);
            assertThat(residentBytes(0, PART_BYTES)).isZero();
            assertThat(residentBytes(2 * PART_BYTES, FILE_BYTES - 2 * PART_BYTES))
                    .as("the kernel has read nothing behind the part")
                    .isZero();
            resident.drop();
            assertThat(residentBytes(PART_BYTES, PART_BYTES)).isZero();
        }
    }

    @Test
    void file_loadedPinned_isLockedUntilClosed() throws IOException {
        assumeTrue(mayLock(FILE_BYTES), "this process may lock memory");
        long before = LockedMemory.bytes();
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, true, budget)) {
            resident.load(PART_BYTES, 0);
            assertThat(resident.isPinned()).isTrue();
            assertThat(LockedMemory.bytes() - before).isEqualTo(PART_BYTES);
            resident.load(FILE_BYTES, 0);
            assertThat(LockedMemory.bytes() - before).isEqualTo(FILE_BYTES);
            assertThat(residentBytes(0, FILE_BYTES)).isEqualTo(FILE_BYTES);
        }
        assertThat(LockedMemory.bytes()).isEqualTo(before);
        assertThat(residentBytes(0, FILE_BYTES)).as("pages stay").isEqualTo(FILE_BYTES);
    }

    @Test
    void file_oddLengthAndParts_isPinnedToItsLastByte() throws IOException {
        assumeTrue(mayLock(FILE_BYTES), "this process may lock memory");
        long length = 3 * PART_BYTES + 17;
        long before = LockedMemory.bytes();
        try (ResidentFile resident = ResidentFile.open(file, 0, length, true, budget)) {
            while (resident.residentUpTo() < length) {
                resident.load(PART_BYTES - 12_345, 0);
                assertThat(resident.pinFailure()).isNull();
                assertThat(residentBytes(0, resident.residentUpTo() / SMALLEST_PAGE_BYTES * SMALLEST_PAGE_BYTES))
                        .isGreaterThanOrEqualTo(resident.residentUpTo() - SMALLEST_PAGE_BYTES);
            }
            assertThat(LockedMemory.bytes() - before).isEqualTo(3 * PART_BYTES + SMALLEST_PAGE_BYTES);
        }
        assertThat(LockedMemory.bytes()).isEqualTo(before);
    }

    @Test
    void file_dropped_leavesMemory() throws IOException {
        long before = LockedMemory.bytes();
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, true, budget)) {
            resident.load(FILE_BYTES, 0);
            resident.drop();
            assertThat(resident.isPinned()).isFalse();
            assertThat(LockedMemory.bytes()).isEqualTo(before);
            assertThat(residentBytes(0, FILE_BYTES)).isZero();
        }
    }

    @Test
    void file_dropped_leavesWhatAnotherHadRead() throws IOException {
        readByAnother(PART_BYTES, 2 * PART_BYTES);
        long others = residentBytes(0, FILE_BYTES);
        assertThat(others).isBetween(2L * PART_BYTES, FILE_BYTES / 2L);
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, true, budget)) {
            resident.load(FILE_BYTES, 0);
            assertThat(residentBytes(0, FILE_BYTES)).isEqualTo(FILE_BYTES);
            resident.drop();
        }
        assertThat(residentBytes(PART_BYTES, 2 * PART_BYTES)).isEqualTo(2 * PART_BYTES);
        assertThat(residentBytes(0, FILE_BYTES)).as("its own pages go").isEqualTo(others);
    }

    @Test
    void file_residentAlready_isNeitherLockedNorDropped() throws IOException {
        readByAnother(0, FILE_BYTES);
        long before = LockedMemory.bytes();
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, true, budget)) {
            resident.load(FILE_BYTES, 0);
            assertThat(resident.residentUpTo()).isEqualTo(FILE_BYTES);
            assertThat(resident.isPinned()).isFalse();
            assertThat(LockedMemory.bytes()).isEqualTo(before);
            resident.drop();
        }
        assertThat(residentBytes(0, FILE_BYTES)).isEqualTo(FILE_BYTES);
    }

    @Test
    void file_evictedAfterItWasExamined_isReadAfterAll() throws IOException {
        readByAnother(0, FILE_BYTES);
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, true, budget)) {
            resident.load(PART_BYTES, 0);
            PageCache.evict(file);
            resident.load(FILE_BYTES, 0);
            assertThat(residentBytes(PART_BYTES, FILE_BYTES - PART_BYTES)).isEqualTo(FILE_BYTES - PART_BYTES);
        }
    }

    @Test
    void file_loadedInParts_isLockedBehindItsOwnReadAhead() throws IOException {
        assumeTrue(mayLock(FILE_BYTES), "this process may lock memory");
        long before = LockedMemory.bytes();
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, true, budget)) {
            for (int part = 1; part <= FILE_BYTES / PART_BYTES; part++) {
                resident.load(PART_BYTES, 2 * PART_BYTES);
                assertThat(LockedMemory.bytes() - before).isEqualTo((long) part * PART_BYTES);
            }
            resident.drop();
        }
        assertThat(residentBytes(0, FILE_BYTES)).isZero();
    }

    @Test
    void file_shorterThanSaid_failsWithItsNameUnpinned() throws IOException {
        truncated(false);
    }

    @Test
    void file_shorterThanSaid_failsWithItsNamePinned() throws IOException {
        truncated(true);
    }

    private void truncated(boolean pin) throws IOException {
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, pin, budget)) {
            resident.load(PART_BYTES, 0);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(2 * PART_BYTES);
            }
            assertThatExceptionOfType(EOFException.class)
                    .isThrownBy(() -> resident.load(FILE_BYTES, 0))
                    .withMessage(file + " ends at " + 2 * PART_BYTES + ", expected " + FILE_BYTES + " bytes");
            assertThat(resident.residentUpTo()).isEqualTo(PART_BYTES);
        }
    }

    @Test
    void file_empty_loadsNothing() throws IOException {
        try (ResidentFile resident = ResidentFile.open(file, 0, 0, true, budget)) {
            resident.load(PART_BYTES, PART_BYTES);
            resident.drop();
            assertThat(resident.residentUpTo()).isZero();
        }
    }

    @Test
    void file_missing_failsWithItsName() {
        Path missing = directory.resolve("blk_2");
        assertThatIOException()
                .isThrownBy(() -> ResidentFile.open(missing, 0, 1, true, budget).close())
                .withMessageContaining(missing.toString())
                .withMessageContaining("errno 2");
    }

    @Test
    void file_closedTwice_closesOnce() throws IOException {
        ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, true, budget);
        resident.load(PART_BYTES, 0);
        resident.close();
        long descriptors = openDescriptors();
        int other = LinuxCalls.open(file.toString(), LinuxCalls.O_RDONLY);
        resident.close();
        resident.drop();
        assertThat(openDescriptors())
                .as("the number may be another file's by now")
                .isEqualTo(descriptors + 1);
        LinuxCalls.close(other);
    }

    @Test
    void file_loadedAfterClose_failsWithItsName() throws IOException {
        ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, true, budget);
        resident.close();
        assertThatIOException().isThrownBy(() -> resident.load(PART_BYTES, 0)).withMessageContaining(file.toString());
    }

    private static long openDescriptors() throws IOException {
        try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.count();
        }
    }

    // ---- descriptors and mappings ----

    private long mappingsInTheKernel() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.endsWith(linked.toString()))
                .count();
    }

    @Test
    void file_overTheBudgetOfDescriptors_isNotOpened() throws IOException {
        FileBudget one = new FileBudget(1, 100);
        try (ResidentFile resident = ResidentFile.open(file, 0, FILE_BYTES, false, one)) {
            resident.load(PART_BYTES, 0);
            assertThat(one.descriptors()).isOne();
            assertThatExceptionOfType(OverBudgetException.class)
                    .isThrownBy(() ->
                            ResidentFile.open(file, 0, FILE_BYTES, false, one).close());
            assertThatExceptionOfType(OverBudgetException.class)
                    .isThrownBy(() ->
                            ResidentRanges.open(file, FILE_BYTES, false, one).close());
        }
        assertThat(one.descriptors()).isZero();
        ResidentFile.open(file, 0, FILE_BYTES, false, one).close();
    }

    @Test
    void file_thatCannotBeOpened_takesNothing() {
        assertThatIOException().isThrownBy(() -> ResidentFile.open(directory.resolve("missing"), 0, 1, true, budget)
                .close());
        assertThatIOException().isThrownBy(() -> ResidentRanges.open(directory.resolve("missing"), 1, true, budget)
                .close());
        assertThat(budget.descriptors()).isZero();
        assertThat(budget.mappings()).isZero();
    }

    /** Pages that were resident before are not locked, so the kernel shows them as a mapping of their own. */
    @Test
    void file_lockedInPieces_takesWhatTheKernelCounts() throws IOException {
        assumeTrue(mayLock(FILE_BYTES), "memory can be locked");
        for (long at = PART_BYTES; at < FILE_BYTES; at += 2 * PART_BYTES) {
            readByAnother(at, PART_BYTES);
        }
        try (ResidentFile resident = ResidentFile.open(linked, 0, FILE_BYTES, true, budget)) {
            for (int parts = 1; parts <= FILE_BYTES / PART_BYTES; parts++) {
                resident.load(PART_BYTES, 0);
                assertThat(budget.mappings()).isEqualTo(mappingsInTheKernel());
            }
            assertThat(budget.mappings()).isEqualTo(FILE_BYTES / PART_BYTES);
        }
        assertThat(budget.mappings()).isZero();
        assertThat(mappingsInTheKernel()).isZero();
    }

    @Test
    void file_overTheBudgetOfMappings_isReadAndNotLocked() throws IOException {
        assumeTrue(mayLock(FILE_BYTES), "memory can be locked");
        for (long at = PART_BYTES; at < FILE_BYTES; at += 2 * PART_BYTES) {
            readByAnother(at, PART_BYTES);
        }
        FileBudget five = new FileBudget(100, 5);
        try (ResidentFile resident = ResidentFile.open(linked, 0, FILE_BYTES, true, five)) {
            resident.load(FILE_BYTES, 0);
            assertThat(resident.residentUpTo()).isEqualTo(FILE_BYTES);
            assertThat(resident.pinFailure()).isNull();
            assertThat(five.mappings()).isLessThanOrEqualTo(5).isEqualTo(mappingsInTheKernel());
            assertThatExceptionOfType(OverBudgetException.class)
                    .isThrownBy(() ->
                            ResidentFile.open(linked, 0, FILE_BYTES, true, five).close());
        }
        assertThat(five.mappings()).isZero();
        assertThat(five.descriptors()).isZero();
    }

    @Test
    void ranges_thatComeAndGo_takeWhatTheKernelCounts() throws IOException {
        assumeTrue(mayLock(FILE_BYTES), "memory can be locked");
        Random random = new Random(20_240_611);
        try (ResidentRanges ranges = ResidentRanges.open(linked, FILE_BYTES, true, budget)) {
            for (int i = 0; i < 300; i++) {
                long begin = random.nextInt(16) * (long) PART_BYTES / 2;
                long end = Math.min(FILE_BYTES, begin + (1 + random.nextInt(4)) * (long) PART_BYTES / 2);
                if (random.nextBoolean()) {
                    ranges.load(begin, end);
                } else {
                    ranges.release(begin, end);
                }
                assertThat(budget.mappings()).as("after %s steps", i).isEqualTo(mappingsInTheKernel());
            }
        }
        assertThat(budget.mappings()).isZero();
    }
}

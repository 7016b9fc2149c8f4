/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the file system of the temporary directory, whichever that is. */
class SpaceFileTest {

    private static final long TAKEN = 8 << 20;

    @TempDir
    private Path directory;

    @BeforeEach
    void spaceCanBeTaken() throws IOException {
        assumeTrue(SpaceFile.unavailableReason() == null, SpaceFile.unavailableReason());
        Path probe = Files.write(directory.resolve("probe"), new byte[1]);
        try (SpaceFile file = SpaceFile.open(probe)) {
            file.take(0, 4096);
        } catch (SpaceFile.UnsupportedException e) {
            Assumptions.abort("the file system of " + directory + " knows no fallocate");
        }
    }

    @Test
    void freeTail_ofAFileOfAnyLength_leavesItsContentAndNothingElse() throws IOException {
        for (SpaceFile.TailMethod first : SpaceFile.TailMethod.values()) {
            for (int length : new int[] {0, 1, 10_000, 65_536, 1_048_577, (int) TAKEN}) {
                freeTail(length, first);
            }
        }
    }

    private void freeTail(int length, SpaceFile.TailMethod first) throws IOException {
        byte[] content = new byte[length];
        for (int i = 0; i < length; i++) {
            content[i] = (byte) (i * 31);
        }
        Path path = Files.write(directory.resolve("block"), content);
        try (SpaceFile file = SpaceFile.open(path)) {
            file.take(0, TAKEN);
            assertThat(Files.size(path)).isEqualTo(length);
            long tail = file.tailBytes();
            assertThat(tail).isGreaterThanOrEqualTo(TAKEN - length - 4096);
            if (tail > 0) {
                assertThat(file.freeTail(tail, first)).isPresent();
            }
            assertThat(file.tailBytes()).isLessThanOrEqualTo(SpaceFile.SLACK_BYTES);
            assertThat(file.hasTail()).isFalse();
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(content);
    }

    @Test
    void freeTail_whatWorkedOnce_worksAgain() throws IOException {
        SpaceFile.TailMethod method = SpaceFile.TailMethod.PUNCH;
        for (int i = 0; i < 3; i++) {
            Path path = Files.write(directory.resolve("block" + i), new byte[5000]);
            try (SpaceFile file = SpaceFile.open(path)) {
                file.take(5000, TAKEN);
                method = file.freeTail(TAKEN, method).orElseThrow();
                assertThat(file.hasTail()).isFalse();
            }
        }
    }

    /** The kernel's count of a file's space includes bytes without a place on disk. So the count can fall by itself. */
    @Test
    void freeTail_largerThanExpected_isFreedWhole() throws IOException {
        Path path = Files.write(directory.resolve("block"), new byte[5000]);
        try (SpaceFile file = SpaceFile.open(path)) {
            file.take(5000, TAKEN);
            assertThat(file.freeTail(1, SpaceFile.TailMethod.PUNCH)).isPresent();
            assertThat(file.hasTail()).isFalse();
        }
    }

    @Test
    void open_missingFile_saysSo() {
        assertThatThrownBy(() -> SpaceFile.open(directory.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    /** The last block reaches further than 4 KiB beyond the end. */
    @Test
    void hasExtentsBeyondEnd_onLargeBlocks_isWhetherThereIsATail() throws Exception {
        hasExtentsBeyondEnd("xfs", "-bsize=16384", 16384);
    }

    /** A tail may end less than 4 KiB beyond the end. */
    @Test
    void hasExtentsBeyondEnd_onSmallBlocks_isWhetherThereIsATail() throws Exception {
        hasExtentsBeyondEnd("ext4", "-b1024", 1024);
    }

    private void hasExtentsBeyondEnd(String fileSystem, String option, int blockBytes) throws Exception {
        try (LoopMount disk = LoopMount.create(directory, fileSystem, option)) {
            Path path = Files.write(disk.path().resolve("block"), new byte[500]);
            try (FileChannel written = FileChannel.open(path, StandardOpenOption.WRITE)) {
                written.force(true);
            }
            try (SpaceFile file = SpaceFile.open(path)) {
                assertThat(file.hasExtentsBeyondEnd()).isFalse();
                assertThat(file.tailBytes()).isLessThanOrEqualTo(0);
                file.take(0, 2L * blockBytes);
                assertThat(file.hasExtentsBeyondEnd()).isTrue();
                assertThat(file.tailBytes()).isEqualTo(blockBytes);
                assertThat(file.freeTail(blockBytes, SpaceFile.TailMethod.PUNCH))
                        .isPresent();
                assertThat(file.hasExtentsBeyondEnd()).isFalse();
            }
        }
    }
}

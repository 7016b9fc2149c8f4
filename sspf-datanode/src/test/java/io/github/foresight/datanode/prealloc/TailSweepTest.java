/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.datanode.space.SpaceFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Tails that earlier writers left behind: they are freed, and a change of a block waits for its sweep. */
class TailSweepTest extends PreallocationFixture {

    @Test
    void leftBehind_atRest_isFreedAndElseLater() throws IOException {
        Path file = Files.write(directory.resolve("blk_1"), bytes(PACKET));
        try (SpaceFile space = SpaceFile.open(file)) {
            space.take(0, BLOCK);
        }
        preallocation.leftBehind(List.of(KEY));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> metrics.tailsSwept.value() == 1);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes(PACKET));
        assertThat(swept).containsExactly(KEY);
    }

    /** As of a small block's checksums. */
    @Test
    void leftBehind_aSmallTail_isFreed() throws IOException {
        Path file = Files.write(directory.resolve("blk_1"), bytes(6151));
        try (SpaceFile space = SpaceFile.open(file)) {
            space.take(0, 68 << 10);
        }
        preallocation.leftBehind(List.of(KEY));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> metrics.tailsSwept.value() == 1);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes(6151));
    }

    @Test
    void leftBehind_holdingMoreThanItsLengthButNoTail_isNotTouched() throws IOException {
        Path file = Files.write(directory.resolve("blk_1"), bytes(PACKET));
        try {
            Files.setAttribute(file, "user:something", ByteBuffer.allocate(3000));
        } catch (IOException | UnsupportedOperationException e) {
            Assumptions.abort("the file system of " + directory + " keeps no attributes: " + e);
        }
        assumeTrue(tail(file) > 0, "attributes lie in a block of their own");
        FileTime changed = Files.getLastModifiedTime(file);
        CountDownLatch second = new CountDownLatch(2);
        lookUps = second::countDown;
        preallocation.leftBehind(List.of(KEY));
        preallocation.leftBehind(List.of(KEY));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> second.getCount() == 0);

        assertThat(Files.getLastModifiedTime(file)).as("ftruncate sets it").isEqualTo(changed);
        assertThat(metrics.tailsSwept.value()).isZero();
    }

    @Test
    void beforeChange_whileTheSweepIsAtTheBlock_waitsForIt() throws Exception {
        Files.write(directory.resolve("blk_1"), bytes(PACKET));
        CountDownLatch atIt = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        lookUps = () -> {
            atIt.countDown();
            Uninterruptibles.awaitUninterruptibly(goOn);
        };
        preallocation.beforeChange(KEY);
        preallocation.leftBehind(List.of(KEY));
        atIt.await();

        preallocation.beforeChange(new BlockKey("BP-1", 2));
        FutureTask<?> interrupted = writer();
        Thread thread = new Thread(interrupted);
        thread.start();
        Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        assertThatThrownBy(interrupted::get).hasCauseInstanceOf(InterruptedIOException.class);

        assertThatThrownBy(() -> preallocation.beforeChange(KEY, 1))
                .as("behind a disk that hangs")
                .isInstanceOf(IOException.class)
                .hasMessageContaining("still being freed");

        FutureTask<?> patient = writer();
        Thread waiting = new Thread(patient);
        waiting.start();
        Awaitility.await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        patient.get();
        preallocation.beforeChange(KEY);
    }

    @Test
    void leftBehind_afterTheFeatureSwitchedItselfOff_isFreed() throws IOException {
        Path file = Files.write(directory.resolve("blk_1"), bytes(PACKET));
        try (SpaceFile space = SpaceFile.open(file)) {
            space.take(0, BLOCK);
        }
        trip();
        preallocation.leftBehind(List.of(KEY));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> metrics.tailsSwept.value() == 1);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
    }

    private FutureTask<?> writer() {
        return new FutureTask<>(() -> {
            preallocation.beforeChange(KEY);
            return null;
        });
    }
}

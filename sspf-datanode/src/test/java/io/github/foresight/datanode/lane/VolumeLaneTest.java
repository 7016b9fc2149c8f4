/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.datanode.FakeVolume;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.FileBudget;
import io.github.foresight.datanode.pagecache.FileOpener;
import io.github.foresight.datanode.pagecache.LockedMemory;
import io.github.foresight.datanode.pagecache.OverBudgetException;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.replica.ChecksumSource;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeLaneTest {

    private static final int CHUNK_BYTES = 256 << 10;
    private static final int BLOCK_BYTES = 4 * CHUNK_BYTES;

    @TempDir
    private Path directory;

    private final ReadAheadMetrics metrics = new ReadAheadMetrics();
    private final Guard guard = new Guard(metrics, 3, () -> {});
    private final FileBudget budget = new FileBudget(1000, 1000);
    private final FileOpener opener = new FileOpener(true, budget);
    private final List<Long> loaded = new CopyOnWriteArrayList<>();
    private final List<IOException> failures = new CopyOnWriteArrayList<>();
    private volatile boolean copied;
    private FakeVolume volume;
    private VolumeLane lane;

    @BeforeEach
    void stepwiseVolume() {
        volume = FakeVolume.stepwiseAt(directory);
        lane = new VolumeLane(volume.spi(), CHUNK_BYTES, 300, metrics, guard, new VolumeLane.Listener() {
            @Override
            public void loaded(LoadTask task) {
                loaded.add(task.block().key().blockId());
            }

            @Override
            public boolean isCopiedTo(FsVolumeSpi copiedTo) {
                return copied && copiedTo == volume.spi();
            }

            @Override
            public void failed(LoadTask task, IOException cause) {
                failures.add(cause);
            }
        });
    }

    @AfterEach
    void stop() {
        volume.giveTurns(1_000_000);
        lane.stop();
    }

    private LoadTask task(long blockId, long limitBytes) throws IOException {
        BlockFiles files = volume.write(blockId, BLOCK_BYTES);
        HintedBlock block = new HintedBlock(new BlockKey("BP-1", blockId), 1, 0, BLOCK_BYTES);
        return new LoadTask(block, files, limitBytes, opener, ChecksumSource.STOCK);
    }

    @Test
    void tasks_noneUrgent_loadInOrder() throws IOException {
        lane.add(task(1, BLOCK_BYTES));
        lane.add(task(2, BLOCK_BYTES));
        lane.add(task(3, BLOCK_BYTES));
        lane.start();
        volume.giveTurns(12);
        await().until(() -> loaded.equals(List.of(1L, 2L, 3L)));
        assertThat(metrics.prefetchedBytes.value()).isEqualTo(3L * BLOCK_BYTES);
        assertThat(lane.depth()).isZero();
        await().until(() -> volume.references() == 0);
    }

    @Test
    void task_expedited_goesBeforeAllOthers() throws IOException {
        LoadTask second = task(2, BLOCK_BYTES);
        lane.add(task(1, BLOCK_BYTES));
        lane.add(second);
        lane.add(task(3, BLOCK_BYTES));
        second.expedite();
        lane.start();
        volume.giveTurns(12);
        await().until(() -> loaded.equals(List.of(2L, 1L, 3L)));
    }

    @Test
    void task_expeditedWhileAnotherLoads_isNextAfterTheChunk() throws IOException {
        LoadTask first = task(1, BLOCK_BYTES);
        LoadTask second = task(2, BLOCK_BYTES);
        lane.add(first);
        lane.add(second);
        lane.start();
        volume.giveTurns(1);
        await().until(() -> first.loadedUpTo() == CHUNK_BYTES);
        second.expedite();
        lane.reconsider();
        // One more chunk of the first may have been chosen already.
        volume.giveTurns(7);
        await().until(() -> loaded.equals(List.of(2L, 1L)));
    }

    @Test
    void task_atItsLimit_parksUntilExtended() throws IOException {
        LoadTask task = task(1, CHUNK_BYTES + 1000);
        lane.add(task);
        lane.start();
        volume.giveTurns(100);
        await().until(() -> task.loadedUpTo() == CHUNK_BYTES + 1000);
        assertThat(task.isRunnable()).isFalse();
        assertThat(lane.depth()).isOne();
        task.extendTo(100);
        assertThat(task.isRunnable())
                .as("a limit never shrinks, nor does it grow")
                .isFalse();

        task.extendTo(BLOCK_BYTES);
        lane.reconsider();
        await().until(() -> loaded.equals(List.of(1L)));
        assertThat(task.isComplete()).isTrue();
        assertThat(lane.depth()).isZero();
    }

    @Test
    void idleWork_waitsForTasksAndErrands_andTheOldestGoesWhereThereIsTooMuch() throws IOException {
        List<Integer> done = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 300; i++) {
            int number = i;
            lane.readWhenIdle(() -> done.add(number));
        }
        lane.add(task(1, BLOCK_BYTES));
        lane.read(() -> done.add(-1));
        lane.start();
        volume.giveTurns(1 + BLOCK_BYTES / CHUNK_BYTES);
        await().until(() -> loaded.equals(List.of(1L)));
        assertThat(done).containsExactly(-1);
        volume.giveTurns(300);
        await().until(() -> done.size() == 1 + 256);
        assertThat(done.get(1)).isEqualTo(300 - 256);
        assertThat(done.get(256)).isEqualTo(299);
    }

    @Test
    void task_closed_givesItsMemoryBack() throws IOException {
        long before = LockedMemory.bytes();
        LoadTask kept = task(1, BLOCK_BYTES);
        LoadTask partial = task(2, CHUNK_BYTES);
        lane.add(kept);
        lane.add(partial);
        lane.start();
        volume.giveTurns(100);
        await().until(() -> kept.isComplete() && partial.loadedUpTo() == CHUNK_BYTES);

        lane.close(kept, kept::unpin);
        lane.close(partial, partial::discard);
        await().until(() -> LockedMemory.bytes() == before);
        assertThat(partial.isCancelled()).isTrue();
        assertThat(lane.depth()).isZero();
    }

    @Test
    void task_closedWhileItLoads_endsAfterTheChunk() throws IOException {
        long before = LockedMemory.bytes();
        LoadTask task = task(1, BLOCK_BYTES);
        lane.add(task);
        lane.start();
        volume.giveTurns(1);
        await().until(() -> task.loadedUpTo() == CHUNK_BYTES);
        lane.close(task, task::discard);
        volume.giveTurns(100);
        await().until(() -> LockedMemory.bytes() == before);
        lane.stop();
        assertThat(task.loadedUpTo()).isLessThanOrEqualTo(2 * CHUNK_BYTES);
        assertThat(loaded).isEmpty();
        assertThat(LockedMemory.bytes()).isEqualTo(before);
    }

    /** Both disks hang: nobody gets a turn. */
    @Test
    void stopAll_diskHangs_retiresEveryLaneBeforeWaitingForOne() throws Exception {
        VolumeLane other = new VolumeLane(volume.spi(), CHUNK_BYTES, 300, metrics, guard, new SilentListener());
        LoadTask stuck = task(1, BLOCK_BYTES);
        LoadTask alsoStuck = task(2, BLOCK_BYTES);
        lane.add(stuck);
        other.add(alsoStuck);
        lane.start();
        other.start();
        await().until(() -> stuck.isBegun() && alsoStuck.isBegun());

        Thread closer = new Thread(() -> VolumeLane.stopAll(List.of(lane, other)));
        closer.start();
        await().until(() -> Stream.of(closer.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("awaitEnd")));
        assertThat(lane.read(() -> {})).as("retired").isFalse();
        assertThat(other.read(() -> {})).as("retired").isFalse();
        volume.giveTurns(100);
        closer.join();
    }

    private static final class SilentListener implements VolumeLane.Listener {
        @Override
        public void loaded(LoadTask task) {}

        @Override
        public void failed(LoadTask task, IOException cause) {}
    }

    /** The disk hangs: nobody gets a turn. */
    @Test
    void diskHangs_tasksThatComeAndGo_leaveNothingBehind() throws IOException {
        LoadTask stuck = task(1, BLOCK_BYTES);
        lane.add(stuck);
        lane.start();
        await().until(stuck::isBegun);
        for (int i = 0; i < 1000; i++) {
            LoadTask task = task(2, BLOCK_BYTES);
            assertThat(lane.add(task)).isTrue();
            lane.close(task, task::discard);
        }
        assertThat(lane.depth()).isOne();
        assertThat(lane.errandCount()).isZero();
    }

    @Test
    void diskHangs_queuesAreFull_refuseMore() throws IOException {
        LoadTask task = task(1, BLOCK_BYTES);
        for (int i = 0; i < 300; i++) {
            assertThat(lane.add(new LoadTask(task.block(), task.files(), BLOCK_BYTES, opener, ChecksumSource.STOCK)))
                    .isTrue();
            assertThat(lane.read(() -> {})).isTrue();
        }
        assertThat(lane.add(task)).isFalse();
        assertThat(lane.read(() -> {})).isFalse();
    }

    @Test
    void task_closedAfterTheLaneEnded_givesItsMemoryBackAtOnce() throws IOException {
        long before = LockedMemory.bytes();
        LoadTask task = task(1, BLOCK_BYTES);
        lane.add(task);
        lane.start();
        volume.giveTurns(100);
        await().until(task::isComplete);
        lane.stop();
        lane.close(task, task::unpin);
        assertThat(LockedMemory.bytes()).isEqualTo(before);
    }

    @Test
    void volume_closed_failsTheTask() throws IOException {
        LoadTask task = task(1, BLOCK_BYTES);
        lane.add(task);
        lane.start();
        volume.giveTurns(1);
        await().until(() -> task.loadedUpTo() == CHUNK_BYTES);
        volume.close();
        volume.giveTurns(100);
        await().until(() -> failures.size() == 1);
        assertThat(failures.get(0)).isInstanceOf(ClosedChannelException.class);
        assertThat(lane.depth()).isZero();
    }

    @Test
    void file_gone_failsItsTaskAndNotTheNext() throws IOException {
        LoadTask gone = task(1, BLOCK_BYTES);
        Files.delete(gone.files().data());
        lane.add(gone);
        lane.add(task(2, BLOCK_BYTES));
        lane.start();
        volume.giveTurns(100);
        await().until(() -> loaded.equals(List.of(2L)));
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0)).hasMessageContaining(gone.files().data().toString());
    }

    @Test
    void task_unexpectedFailure_isTriedOnceOnly() throws IOException {
        volume.breakDown(() -> new IllegalStateException("on purpose"));
        lane.add(task(1, BLOCK_BYTES));
        lane.start();
        volume.giveTurns(100);
        await().until(() -> failures.size() == 1);
        await().until(() -> metrics.internalErrors.value() == 1);
        assertThat(lane.depth()).isZero();
        assertThat(guard.isTripped()).isFalse();
    }

    @Test
    void errorInATask_theLaneGoesOn_andTheTaskHoldsNothing() throws IOException {
        long before = LockedMemory.bytes();
        LoadTask task = task(1, BLOCK_BYTES);
        lane.add(task);
        lane.start();
        volume.giveTurns(1);
        await().until(() -> task.loadedUpTo() == CHUNK_BYTES);

        volume.breakDown(() -> new OutOfMemoryError("on purpose"));
        volume.giveTurns(1);
        await().until(() -> failures.size() == 1);
        volume.mend();
        LoadTask second = task(2, BLOCK_BYTES);
        lane.add(second);
        volume.giveTurns(100);

        await().until(() -> loaded.equals(List.of(2L)));
        lane.close(second, second::unpin);
        await().until(() -> LockedMemory.bytes() == before);
        assertThat(metrics.internalErrors.value()).isOne();
        assertThat(metrics.threadDeaths.value()).isZero();
    }

    @Test
    void errorWhileMemoryIsGivenBack_theNextMemoryIsGivenBack() throws IOException {
        long before = LockedMemory.bytes();
        LoadTask task = task(1, BLOCK_BYTES);
        lane.add(task);
        lane.start();
        volume.giveTurns(100);
        await().until(task::isComplete);

        volume.holdTurns();
        LoadTask blocking = task(2, BLOCK_BYTES);
        lane.add(blocking);
        await().until(blocking::isBegun);
        lane.release(() -> {
            throw new IllegalStateException("on purpose");
        });
        lane.release(() -> {
            throw new StackOverflowError("on purpose");
        });
        lane.close(task, task::unpin);
        lane.close(blocking, blocking::unpin);
        volume.giveTurns(100);

        await().until(() -> LockedMemory.bytes() == before);
        assertThat(metrics.internalErrors.value()).isEqualTo(2);
    }

    @Test
    void threadDies_anotherTakesItsPlace_andGivesTheMemoryBack() throws IOException {
        long before = LockedMemory.bytes();
        LoadTask task = task(1, BLOCK_BYTES);
        lane.add(task);
        lane.start();
        volume.giveTurns(100);
        await().until(task::isComplete);

        killLane();
        await().until(() -> metrics.threadDeaths.value() == 1);
        lane.close(task, task::unpin);
        await().until(() -> {
            lane.reviveIfDead();
            return LockedMemory.bytes() == before;
        });

        killLane();
        await().until(() -> metrics.threadDeaths.value() == 2);
        lane.release(() -> loaded.add(-1L));
        lane.stop();
        assertThat(loaded).as("a lane that ends is revived to give back").contains(-1L);
        lane.reviveIfDead();
        assertThat(laneThread()).isEmpty();
    }

    private static void killLane() {
        await().until(() -> laneThread()
                .filter(thread -> thread.getState() == Thread.State.WAITING)
                .isPresent());
        laneThread().orElseThrow().interrupt();
    }

    private static Optional<Thread> laneThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("foresight-lane-DS-1"))
                .findAny();
    }

    @Test
    void descriptorsUsedUp_theNextTaskFails_untilOneIsGivenBack() throws IOException {
        LoadTask first = task(1, BLOCK_BYTES);
        FileOpener forOne = new FileOpener(true, new FileBudget(2, 1000));
        LoadTask second = new LoadTask(first.block(), first.files(), BLOCK_BYTES, forOne, ChecksumSource.STOCK);
        LoadTask third = new LoadTask(first.block(), first.files(), BLOCK_BYTES, forOne, ChecksumSource.STOCK);
        lane.add(second);
        lane.add(third);
        lane.start();
        volume.giveTurns(100);
        await().until(() -> failures.size() == 1);
        assertThat(failures.get(0)).isInstanceOf(OverBudgetException.class);
        assertThat(loaded).containsExactly(1L);

        lane.close(second, second::unpin);
        lane.close(third, third::unpin);
        lane.add(new LoadTask(first.block(), first.files(), BLOCK_BYTES, forOne, ChecksumSource.STOCK));
        await().until(() -> loaded.size() == 2);
        assertThat(failures).hasSize(1);
    }

    @Test
    void lane_readersOnTheDisk_givesWay() throws IOException {
        lane.add(task(1, BLOCK_BYTES));
        lane.start();
        for (int i = 1; i <= 4; i++) {
            long now = i;
            lane.demandSeen(System.nanoTime());
            volume.giveTurns(1);
            await().until(() -> metrics.prefetchedBytes.value() == now * CHUNK_BYTES);
        }
        await().until(() -> loaded.equals(List.of(1L)));
        assertThat(metrics.yields.value()).isPositive();
    }

    @Test
    void lane_whileAReplicaIsCopiedToTheVolume_givesWay() throws IOException {
        copied = true;
        lane.add(task(1, BLOCK_BYTES));
        lane.start();
        volume.giveTurns(100);
        await().until(() -> loaded.equals(List.of(1L)));
        assertThat(metrics.yields.value()).isEqualTo(BLOCK_BYTES / CHUNK_BYTES - 1);
    }

    @Test
    void lane_isAtWork_whileItReadsAndShortlyAfter() throws IOException {
        lane.start();
        assertThat(lane.isAtWork(System.nanoTime())).isFalse();
        lane.add(task(1, BLOCK_BYTES));
        await().until(() -> lane.isAtWork(System.nanoTime() + TimeUnit.HOURS.toNanos(1)));
        volume.giveTurns(100);
        await().until(() -> loaded.equals(List.of(1L)));
        assertThat(lane.isAtWork(System.nanoTime())).isTrue();
        await().until(() -> !lane.isAtWork(System.nanoTime() + TimeUnit.SECONDS.toNanos(1)));
    }

    @Test
    void lane_readersOnTheDisk_doesNotDelayAnExpeditedTask() throws IOException {
        LoadTask task = task(1, BLOCK_BYTES);
        task.expedite();
        lane.add(task);
        lane.demandSeen(System.nanoTime());
        lane.start();
        volume.giveTurns(100);
        await().until(() -> loaded.equals(List.of(1L)));
        assertThat(metrics.yields.value()).isZero();
    }
}

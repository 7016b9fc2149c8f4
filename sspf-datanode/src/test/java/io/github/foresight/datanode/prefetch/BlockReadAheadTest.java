/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.Reader;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.core.memory.FileLimits;
import io.github.foresight.core.window.BlockExtent;
import io.github.foresight.core.window.Extent;
import io.github.foresight.datanode.ReadAheadFixture;
import io.github.foresight.datanode.pagecache.HeldFiles;
import io.github.foresight.datanode.pagecache.LockedMemory;
import io.github.foresight.datanode.pagecache.PageCache;
import io.github.foresight.datanode.settings.ProcFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockReadAheadTest {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final int BLOCKS = 4;
    private static final Reader READER = new Reader("client", "10.0.0.1");

    @TempDir
    private Path directory;

    private ReadAheadFixture fixture;
    private long lockedBefore;

    @BeforeEach
    void begin() throws IOException {
        begin(Map.of());
    }

    private void begin(Map<String, String> configured) throws IOException {
        if (fixture != null) {
            fixture.close();
        }
        lockedBefore = LockedMemory.bytes();
        fixture = new ReadAheadFixture(directory, configured);
        for (long blockId = 1; blockId <= BLOCKS; blockId++) {
            fixture.write(blockId, BLOCK_BYTES);
        }
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    private int hintAll(long fileId) {
        return fixture.readAhead.hint(new SessionId(1, fileId), READER, blocks(), true);
    }

    private static List<HintedBlock> blocks() {
        List<HintedBlock> blocks = new ArrayList<>();
        for (long blockId = 1; blockId <= BLOCKS; blockId++) {
            BlockKey key = new BlockKey(ReadAheadFixture.POOL, blockId);
            blocks.add(new HintedBlock(key, 1, (blockId - 1) * BLOCK_BYTES, BLOCK_BYTES));
        }
        return blocks;
    }

    private void awaitPrefetched(long blocks) {
        await().until(() -> fixture.metrics.prefetchedBlocks.value() >= blocks);
    }

    @Test
    void volume_takenOutOfService_givesItsMemoryBack() {
        assertThat(hintAll(1)).isEqualTo(BLOCKS);
        awaitPrefetched(1);

        fixture.volumesInService = Set.of();
        fixture.readAhead.volumesRemoved();

        await().until(() -> LockedMemory.bytes() == lockedBefore);
        assertThat(fixture.metrics.internalErrors.value()).isZero();
    }

    /** The rest is looked for at once: an operator unmounts the volume as soon as HDFS has let it go. */
    @Test
    void volumesRemoved_withBlocksAndAWindowInMemory_leavesNoDescriptorAndNoMapping() throws IOException {
        hintAll(1);
        awaitPrefetched(1);
        assertThat(fixture.readAhead.windows().moved(new SessionId(2, 2), List.of(windowOf(3))))
                .isTrue();
        await().until(() -> fixture.metrics.windowBytes.value() >= BLOCK_BYTES);
        assertThat(HeldFiles.below(directory)).isNotEmpty();

        fixture.volumesInService = Set.of();
        fixture.readAhead.volumesRemoved();

        assertThat(HeldFiles.below(directory)).isEmpty();
        assertThat(LockedMemory.bytes()).isEqualTo(lockedBefore);
        assertThat(laneThreads()).isZero();
    }

    private static long laneThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("foresight-lane-"))
                .count();
    }

    @Test
    void poolRemoved_itsBlocksAndWindowsGiveTheirMemoryBack() throws IOException {
        hintAll(1);
        awaitPrefetched(1);
        fixture.readAhead.windows().moved(new SessionId(2, 2), List.of(windowOf(3)));
        await().until(() -> fixture.metrics.windowBytes.value() >= BLOCK_BYTES);

        fixture.readAhead.poolRemoved("BP-another");
        assertThat(LockedMemory.bytes()).isGreaterThan(lockedBefore);
        fixture.readAhead.poolRemoved(ReadAheadFixture.POOL);

        await().until(() -> LockedMemory.bytes() == lockedBefore);
        assertThat(HeldFiles.below(directory)).isEmpty();
    }

    /** Moved without a report. */
    @Test
    void replica_thatHdfsNoLongerHas_isLetGo() {
        hintAll(1);
        awaitPrefetched(1);

        for (long blockId = 1; blockId <= BLOCKS; blockId++) {
            fixture.forget(blockId);
        }

        await().atMost(Duration.ofMinutes(1)).until(() -> LockedMemory.bytes() == lockedBefore);
    }

    @Test
    void volume_putBackInService_isPrefetchedFromAgain() {
        hintAll(1);
        awaitPrefetched(1);
        fixture.volumesInService = Set.of();
        fixture.readAhead.volumesRemoved();
        await().until(() -> LockedMemory.bytes() == lockedBefore);
        long prefetched = fixture.metrics.prefetchedBlocks.value();

        fixture.volumesInService = Set.of(fixture.volume.spi());
        hintAll(2);

        awaitPrefetched(prefetched + 1);
    }

    @Test
    void release_ofAFileNobodyRead_countsItsBytesAsWasted() {
        hintAll(1);
        awaitPrefetched(1);

        fixture.readAhead.release(new SessionId(1, 1));

        await().until(() -> LockedMemory.bytes() == lockedBefore);
        assertThat(fixture.metrics.wastedBytes.value()).isGreaterThanOrEqualTo(BLOCK_BYTES);
        assertThat(fixture.metrics.usedBytes.value()).isZero();
    }

    @Test
    void release_ofAFileThatAnotherHadRead_leavesItsPages() throws IOException {
        Path hot = fixture.readAhead
                .finder()
                .find(ReadAheadFixture.POOL, 1)
                .orElseThrow()
                .data();
        Files.readAllBytes(hot);
        hintAll(1);
        awaitPrefetched(1);

        fixture.readAhead.release(new SessionId(1, 1));

        await().until(() -> fixture.metrics.wastedBlocks.value() >= 1 && LockedMemory.bytes() == lockedBefore);
        fixture.close();
        assertThat(PageCache.residentBytes(hot, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
        assertThat(fixture.metrics.residentBytes.value()).isGreaterThanOrEqualTo(BLOCK_BYTES);
    }

    @Test
    void block_appendedTo_keepsItsPages() throws IOException {
        Path appended = fixture.readAhead
                .finder()
                .find(ReadAheadFixture.POOL, 1)
                .orElseThrow()
                .data();
        hintAll(1);
        awaitPrefetched(1);

        fixture.readAhead.invalidated(ReadAheadFixture.POOL, 1);

        await().until(() -> fixture.metrics.wastedBlocks.value() >= 1);
        fixture.close();
        assertThat(PageCache.residentBytes(appended, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
    }

    @Test
    void block_appendedToAfterItsHintWasCancelled_keepsItsPages() throws IOException {
        Path appended = fixture.readAhead
                .finder()
                .find(ReadAheadFixture.POOL, 1)
                .orElseThrow()
                .data();
        hintAll(1);
        awaitPrefetched(1);

        fixture.forget(1);
        fixture.readAhead.release(new SessionId(1, 1));

        await().until(() -> fixture.metrics.wastedBlocks.value() >= 1);
        fixture.close();
        assertThat(PageCache.residentBytes(appended, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
    }

    @Test
    void copy_untilItEnds_isKnown() {
        Runnable first = fixture.readAhead.copyBegins(fixture.volume.spi());
        Runnable second = fixture.readAhead.copyBegins(fixture.volume.spi());
        first.run();
        first.run();
        assertThat(fixture.readAhead.isCopiedTo(fixture.volume.spi())).isTrue();
        second.run();
        assertThat(fixture.readAhead.isCopiedTo(fixture.volume.spi())).isFalse();
    }

    @Test
    void laneThreadDies_anotherIsStarted_andMemoryIsGivenBack() {
        hintAll(1);
        awaitPrefetched(1);
        await().until(() -> fixture.readAhead.lane(fixture.volume.spi()).depth() == 0);
        long threads = fixture.level("LiveThreads");
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("foresight-lane-"))
                .forEach(Thread::interrupt);
        await().until(() -> fixture.metrics.threadDeaths.value() == 1);

        fixture.readAhead.release(new SessionId(1, 1));
        await().until(() -> LockedMemory.bytes() == lockedBefore);
        assertThat(fixture.level("LiveThreads")).isEqualTo(threads);
    }

    @Test
    void errorInTheTicker_itTicksOn() {
        hintAll(1);
        awaitPrefetched(1);
        AtomicInteger looks = new AtomicInteger();
        fixture.onLookForVolumes = () -> {
            if (looks.getAndIncrement() == 0) {
                throw new OutOfMemoryError("on purpose");
            }
        };
        await().atMost(Duration.ofMinutes(1)).until(() -> looks.get() > 1);
        assertThat(fixture.metrics.internalErrors.value()).isOne();
    }

    @Test
    void errorInTheDispatcher_otherDecisionsAreCarriedOut() throws IOException {
        fixture.failOnDispatcher(1, () -> new OutOfMemoryError("on purpose"));
        fixture.readAhead.warm(READER, blocks());
        awaitPrefetched(BLOCKS - 1);
        assertThat(fixture.metrics.internalErrors.value()).isOne();
        assertThat(fixture.level("WarmBlocks"))
                .as("the failed block is given up")
                .isEqualTo(BLOCKS - 1);

        fixture.close();
        assertThat(LockedMemory.bytes()).isEqualTo(lockedBefore);
        await().until(() -> fixture.level("LiveThreads") == 0);
    }

    @Test
    void descriptorsUsedUp_nothingMoreIsPrefetched_untilSomeAreGivenBack() throws IOException {
        begin(Map.of("foresight.datanode.descriptors.share", shareOf(4), "foresight.datanode.window.capacity", "8m"));
        assertThat(fixture.level("DescriptorsMax")).isEqualTo(4);
        for (long fileId = 1; fileId <= 3; fileId++) {
            fixture.readAhead.windows().moved(new SessionId(2, fileId), List.of(windowOf(fileId)));
        }
        await().until(() -> fixture.metrics.overBudget.value() == 1);
        assertThat(fixture.level("Descriptors")).isEqualTo(4);
        hintAll(1);
        await().until(() -> fixture.metrics.overBudget.value() > 1);
        assertThat(fixture.metrics.prefetchErrors.value()).isZero();
        assertThat(fixture.metrics.prefetchedBytes.value()).isZero();

        for (long fileId = 1; fileId <= 3; fileId++) {
            fixture.readAhead.windows().released(new SessionId(2, fileId));
        }
        await().until(() -> fixture.level("Descriptors") == 0);
        fixture.readAhead.release(new SessionId(1, 1));
        hintAll(2);
        awaitPrefetched(1);
        assertThat(fixture.level("Descriptors")).isPositive();
        fixture.close();
        assertThat(fixture.level("Descriptors")).isZero();
        assertThat(fixture.level("Mappings")).isZero();
    }

    @Test
    void fewDescriptors_theCacheHoldsFewBlocks() throws IOException {
        begin(Map.of("foresight.datanode.descriptors.share", shareOf(8)));
        assertThat(fixture.readAhead.warm(READER, blocks())).isEqualTo(3);
        awaitPrefetched(3);
        assertThat(fixture.metrics.overBudget.value()).isZero();
    }

    private static String shareOf(int descriptors) {
        double share = (descriptors + 0.5) / FileLimits.read(ProcFiles::text).descriptors();
        return String.format(Locale.ROOT, "%.12f", share);
    }

    /** A look-up that waits for a lock of HDFS's, or a disk that hangs under it. */
    @Test
    void dispatcherHangs_hintsAndWindowsThatComeAndGo_leaveABoundedQueue() throws IOException {
        begin(Map.of("foresight.datanode.queue.max", "16"));
        Runnable resume = fixture.hangDispatcher(() -> hintAll(5000));
        for (long fileId = 1; fileId <= 1000; fileId++) {
            hintAll(fileId);
            fixture.readAhead.release(new SessionId(1, fileId));
            fixture.readAhead.windows().moved(new SessionId(2, fileId), List.of(windowOf(3)));
            fixture.readAhead.windows().released(new SessionId(2, fileId));
        }
        assertThat(fixture.level("QueueDepth")).isBetween(16L, 40L);
        assertThat(fixture.metrics.heldBack.value()).isGreaterThan(1900);

        resume.run();
        await().until(() -> fixture.level("QueueDepth") == 0);
        hintAll(2000);
        awaitPrefetched(1);
    }

    @Test
    void windowMoves_whileTheDispatcherHangs_isRefusedAndTheOldOneGoes() throws IOException {
        begin(Map.of("foresight.datanode.queue.max", "16"));
        assertThat(fixture.readAhead.windows().moved(new SessionId(2, 1), List.of(windowOf(3))))
                .isTrue();
        Runnable resume = fixture.hangDispatcher(() -> hintAll(5000));
        for (long fileId = 2; fixture.level("QueueDepth") < 16; fileId++) {
            hintAll(fileId);
            fixture.readAhead.release(new SessionId(1, fileId));
        }

        assertThat(fixture.readAhead.windows().moved(new SessionId(2, 1), List.of(windowOf(4))))
                .isFalse();
        assertThat(fixture.level("Windows")).isZero();
        resume.run();
    }

    private static BlockExtent windowOf(long blockId) {
        return new BlockExtent(new BlockKey(ReadAheadFixture.POOL, blockId), 1, Extent.of(0, BLOCK_BYTES));
    }

    @Test
    void close_withBlocksInMemory_givesAllBack() {
        hintAll(1);
        awaitPrefetched(1);

        fixture.close();

        assertThat(LockedMemory.bytes()).isEqualTo(lockedBefore);
        assertThat(hintAll(2))
                .as("a closed read-ahead accepts and does nothing")
                .isNotNegative();
        assertThat(LockedMemory.bytes()).isEqualTo(lockedBefore);
    }
}

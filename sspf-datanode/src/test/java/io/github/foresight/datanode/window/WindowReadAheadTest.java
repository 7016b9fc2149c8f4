/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.foresight.core.memory.LockableMemory;
import io.github.foresight.datanode.ReadAheadFixture;
import io.github.foresight.datanode.hint.HintService;
import io.github.foresight.datanode.pagecache.LockedMemory;
import io.github.foresight.datanode.pagecache.ResidentFile;
import io.github.foresight.datanode.settings.ProcFiles;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows as they come with the hint protocol, on real files; the kernel tells which pages are locked. */
class WindowReadAheadTest {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final long OBJECT = 128 << 10;
    private static final long FORBIDDEN = 13;

    @TempDir
    private Path directory;

    private ReadAheadFixture fixture;
    private HintService service;
    private long lockedBefore;

    @BeforeEach
    void service() throws IOException {
        begin(Map.of("foresight.datanode.window.capacity", "2m"));
    }

    private void begin(Map<String, String> configured) throws IOException {
        end();
        lockedBefore = LockedMemory.bytes();
        fixture = new ReadAheadFixture(directory, configured);
        for (long blockId = 1; blockId <= 4; blockId++) {
            fixture.write(blockId, BLOCK_BYTES);
        }
        fixture.write(FORBIDDEN, BLOCK_BYTES);
        service = new HintService(
                fixture.settings, fixture.readAhead, (pool, block) -> block.getBlockId() != FORBIDDEN, fixture.metrics);
    }

    @AfterEach
    void end() {
        if (fixture != null) {
            fixture.close();
            assertThat(LockedMemory.bytes()).isEqualTo(lockedBefore);
        }
    }

    private static HintedBlockProto.Builder part(long blockId, long offset, long length) {
        return HintedBlockProto.newBuilder()
                .setBlockId(blockId)
                .setGenerationStamp(1)
                .setOffset((blockId - 1) * BLOCK_BYTES)
                .setLength(BLOCK_BYTES)
                .setRangeOffset(offset)
                .setRangeLength(length);
    }

    private HintResponseProto window(long fileId, HintedBlockProto.Builder... parts) {
        HintRequestProto.Builder request = HintRequestProto.newBuilder()
                .setOpType(OpType.WINDOW)
                .setClientId(7)
                .setFileId(fileId)
                .setBlockPoolId(ReadAheadFixture.POOL)
                .setBlockNum(parts.length);
        for (HintedBlockProto.Builder part : parts) {
            request.addBlocks(part);
        }
        return service.hint(null, request.build());
    }

    private void releaseFirstFile() {
        service.hint(
                null,
                HintRequestProto.newBuilder()
                        .setOpType(OpType.RELEASE)
                        .setClientId(7)
                        .setFileId(1)
                        .build());
    }

    private void awaitRead(long bytes) {
        await().untilAsserted(
                        () -> assertThat(fixture.metrics.windowBytes.value()).isEqualTo(bytes));
    }

    private static void assumeLocking() {
        assumeTrue(ResidentFile.nativeUnavailableReason() == null, "system calls can be made");
        assumeTrue(LockableMemory.read(ProcFiles::text, 0).lockableBytes() >= 8 << 20, "memory can be locked");
    }

    @Test
    void window_overTwoBlocks_isReadAndNothingElseIs() {
        HintResponseProto response = window(1, part(1, BLOCK_BYTES - OBJECT, OBJECT), part(2, 0, 2 * OBJECT));

        assertThat(response.getAccepted()).isEqualTo(2);
        assertThat(response.getRefusalsList()).isEmpty();
        awaitRead(3 * OBJECT);
        assertThat(fixture.metrics.windowRequests.value()).isOne();
    }

    @Test
    void window_moves_readsTheDifferenceOnly() {
        window(1, part(1, 0, 4 * OBJECT));
        awaitRead(4 * OBJECT);

        window(1, part(1, 2 * OBJECT, 4 * OBJECT));

        awaitRead(6 * OBJECT);
    }

    @Test
    void window_movesOn_unlocksWhatItLeft() {
        assumeLocking();
        window(1, part(1, 0, 4 * OBJECT));
        await().until(() -> LockedMemory.bytes() == lockedBefore + 4 * OBJECT);

        window(1, part(1, 3 * OBJECT, 2 * OBJECT));
        await().until(() -> LockedMemory.bytes() == lockedBefore + 2 * OBJECT);

        window(1, part(3, 0, OBJECT));
        await().until(() -> LockedMemory.bytes() == lockedBefore + OBJECT);
    }

    @Test
    void window_movesOnBeforeItIsRead_isReadLate() {
        fixture.volume.holdTurns();
        window(1, part(1, 0, 4 * OBJECT));
        window(1, part(1, 2 * OBJECT, 4 * OBJECT));
        window(1, part(2, 0, OBJECT));
        fixture.volume.giveTurns(100);

        awaitRead(OBJECT);
        await().untilAsserted(() ->
                assertThat(fixture.metrics.windowLateBytes.value()).isEqualTo(6 * OBJECT));
        await().until(() -> fixture.volume.references() == 0);
    }

    @Test
    void window_releasedBeforeItIsRead_isNotRead() {
        fixture.volume.holdTurns();
        window(1, part(1, 0, 4 * OBJECT));
        window(1, part(2, 0, OBJECT));
        releaseFirstFile();
        window(2, part(3, 0, OBJECT));
        window(2, part(4, 0, OBJECT));
        fixture.volume.giveTurns(100);

        awaitRead(OBJECT);
        // In the order in which they were left.
        await().untilAsserted(() ->
                assertThat(fixture.metrics.windowLateBytes.value()).isEqualTo(OBJECT));
    }

    @Test
    void window_deletedBeforeItIsRead_isNoFailure() throws IOException {
        fixture.volume.holdTurns();
        window(1, part(1, 0, 4 * OBJECT));
        window(1, part(2, 0, OBJECT));
        Files.delete(directory.resolve("blk_1"));
        window(1, part(3, 0, OBJECT));
        fixture.volume.giveTurns(100);

        await().untilAsserted(() ->
                assertThat(fixture.metrics.windowLateBytes.value()).isEqualTo(OBJECT));
        assertThat(fixture.metrics.internalErrors.value()).isZero();
    }

    @Test
    void window_fileReleased_isGivenUp() {
        assumeLocking();
        window(1, part(1, 0, 4 * OBJECT));
        await().until(() -> LockedMemory.bytes() == lockedBefore + 4 * OBJECT);

        releaseFirstFile();

        await().until(() -> LockedMemory.bytes() == lockedBefore);
    }

    @Test
    void windows_moreThanFit_lockNoMoreThanTheCapacity() {
        assumeLocking();
        for (int file = 1; file <= 4; file++) {
            assertThat(window(file, part(file, 0, BLOCK_BYTES)).getAccepted()).isOne();
            awaitRead((long) file * BLOCK_BYTES);
        }

        await().until(() -> LockedMemory.bytes() <= lockedBefore + (2 << 20));
        assertThat(LockedMemory.bytes()).isGreaterThanOrEqualTo(lockedBefore + BLOCK_BYTES);
    }

    @Test
    void window_largerThanTheCapacity_isRefused() {
        HintResponseProto response =
                window(1, part(1, 0, BLOCK_BYTES), part(2, 0, BLOCK_BYTES), part(3, 0, BLOCK_BYTES));

        assertThat(response.getAccepted()).isZero();
        assertThat(response.getRefusalsList())
                .extracting(RefusalProto::getReason)
                .containsExactly(Reason.TOO_MANY);
    }

    @Test
    void window_blockOfAnotherStamp_isRefusedAlone() {
        HintResponseProto response = window(
                1,
                part(1, 0, OBJECT).setGenerationStamp(9),
                part(2, 0, OBJECT),
                part(FORBIDDEN, 0, OBJECT),
                part(99, 0, OBJECT));

        assertThat(response.getAccepted()).isOne();
        assertThat(response.getRefusalsList())
                .extracting(RefusalProto::getReason)
                .containsExactly(Reason.BAD_TOKEN, Reason.NO_REPLICA, Reason.STALE);
        awaitRead(OBJECT);
    }

    @Test
    void window_rangeOutsideOfItsBlock_isMalformed() {
        for (HintedBlockProto.Builder part : new HintedBlockProto.Builder[] {
            part(1, 0, BLOCK_BYTES + 1),
            part(1, BLOCK_BYTES, 1),
            part(1, -1, 5),
            part(1, 5, Long.MAX_VALUE),
            part(1, 0, 0),
            part(1, 0, OBJECT).clearRangeLength()
        }) {
            assertThat(window(1, part).getRefusalsList())
                    .extracting(RefusalProto::getReason)
                    .containsExactly(Reason.MALFORMED);
        }
    }

    @Test
    void window_blockDeleted_isGivenUp() {
        assumeLocking();
        window(1, part(1, 0, OBJECT), part(2, 0, OBJECT));
        await().until(() -> LockedMemory.bytes() == lockedBefore + 2 * OBJECT);

        fixture.readAhead.invalidated(ReadAheadFixture.POOL, 1);

        await().until(() -> LockedMemory.bytes() == lockedBefore + OBJECT);
    }

    @Test
    void window_volumeOutOfService_isGivenUp() {
        assumeLocking();
        window(1, part(1, 0, OBJECT), part(2, 0, OBJECT));
        await().until(() -> LockedMemory.bytes() == lockedBefore + 2 * OBJECT);

        fixture.volumesInService = Set.of();
        fixture.readAhead.volumesRemoved();

        await().until(() -> LockedMemory.bytes() == lockedBefore);
        assertThat(fixture.metrics.internalErrors.value()).isZero();
    }

    @Test
    void windows_switchedOff_areRefused() throws IOException {
        for (Map<String, String> off : java.util.List.of(
                Map.of("foresight.datanode.window.enabled", "false"),
                Map.of("foresight.datanode.window.capacity", "0"))) {
            begin(off);
            assertThat(window(1, part(1, 0, OBJECT)).getRefusalsList())
                    .extracting(RefusalProto::getReason)
                    .containsExactly(Reason.DISABLED);
        }
    }
}

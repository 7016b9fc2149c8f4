/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static io.github.foresight.core.hint.BlockState.ACCESSED;
import static io.github.foresight.core.hint.BlockState.PREFETCHED;
import static io.github.foresight.core.hint.BlockState.PREFETCHING;
import static io.github.foresight.core.hint.BlockState.UNPREFETCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.foresight.core.cache.MultiQueueCache.Queue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hints of parts of blocks, whose other parts the client reads elsewhere. */
class ReadAheadPartsTest extends ReadAheadFixture {

    private static HintedBlock middle(int index) {
        return block(index, LENGTH).part(40, 70);
    }

    private List<String> hintMiddles(boolean sequential, int to) {
        return kinds(readAhead
                .hint(
                        A,
                        ALICE,
                        blocks(0, to).stream().map(block -> block.part(40, 70)).toList(),
                        sequential,
                        now)
                .decisions());
    }

    @Test
    void part_hinted_isPrefetchedUpToItsEnd() {
        assertThat(hintMiddles(true, 1)).containsExactly("PREFETCH 0 up to 70");
        assertThat(cache.usedBytes()).isEqualTo(30);
    }

    @Test
    void parts_ofOneBlocksLength_areInReachTogether() {
        assertThat(hintMiddles(true, 5))
                .as("three times 0.3 of a block, and what begins within the block")
                .containsExactly(
                        "PREFETCH 0 up to 70", "PREFETCH 1 up to 70", "PREFETCH 2 up to 70", "PREFETCH 3 up to 70");
    }

    @Test
    void part_withoutEvidence_growsFromItsBeginAndAlone() {
        assertThat(hintMiddles(false, 3)).containsExactly("PREFETCH 0 up to 50");
        assertThat(kinds(readAhead.bytesSent(key(0), ALICE, 45, 5, now))).containsExactly("EXTEND 0 up to 60");
        assertThat(kinds(readAhead.bytesSent(key(0), ALICE, 60, 15, now))).containsExactly("EXTEND 0 up to 70");
    }

    @Test
    void part_readToItsEnd_isAccessed() {
        hintMiddles(true, 1);
        loaded(0);
        assertThat(states(A, 0, 1)).containsExactly(PREFETCHED);
        open(0, ALICE);
        close(0, ALICE, 70);
        assertThat(states(A, 0, 1)).containsExactly(ACCESSED);
        assertThat(cache.queueOf(key(0))).isEqualTo(Queue.ACCESSED);
    }

    @Test
    void part_shorterThanTheEvidence_countsAsReadAtItsEnd() {
        readAhead.hint(A, ALICE, List.of(block(0, LENGTH).part(90, 100), middle(1), middle(2)), true, now);
        assertThat(states(A, 0, 3)).containsExactly(PREFETCHING, PREFETCHING, PREFETCHING);
        readAhead.bytesSent(key(0), ALICE, 100, 10, now);
        assertThat(readAhead.progress(A))
                .hasValueSatisfying(progress -> assertThat(progress.bytesRead()).isEqualTo(10));
    }

    @Test
    void parts_thatAreTiny_areNotInReachInAnyNumber() {
        List<HintedBlock> tiny =
                blocks(0, 100).stream().map(block -> block.part(0, 1)).toList();
        assertThat(readAhead.hint(A, ALICE, tiny, true, now).decisions()).hasSize(16);
    }

    @Test
    void part_whileAnotherPartIsWaitedFor_leavesThat() {
        hintMiddles(true, 1);
        loaded(0);
        HintedBlock other = block(0, LENGTH).part(0, 40);

        assertThat(readAhead.hint(B, BOB, List.of(other), true, now).decisions())
                .isEmpty();
        assertThat(cache.usedBytes()).isEqualTo(30);
        assertThat(states(B, 0, 1)).containsExactly(PREFETCHED);
    }

    @Test
    void part_afterAnotherPartWasRead_isPrefetchedInItsPlace() {
        hintMiddles(true, 1);
        loaded(0);
        open(0, ALICE);
        close(0, ALICE, 70);
        HintedBlock other = block(0, LENGTH).part(0, 40);

        assertThat(kinds(readAhead.hint(B, BOB, List.of(other), true, now).decisions()))
                .containsExactly("UNPIN 0", "PREFETCH 0 up to 40");
    }

    @Test
    void part_ofAWholeBlockThatWasRead_isInMemory() {
        hint(A, ALICE, true, 0, 1);
        loaded(0);
        readThrough(0, ALICE);

        assertThat(readAhead.hint(B, BOB, List.of(middle(0)), true, now).decisions())
                .isEmpty();
        assertThat(states(B, 0, 1)).containsExactly(PREFETCHED);
    }

    @Test
    void part_afterAnotherPartWasReleased_isPrefetched() {
        hintMiddles(true, 1);
        release(A);
        HintedBlock other = block(0, LENGTH).part(0, 40);

        assertThat(kinds(readAhead.hint(B, BOB, List.of(other), true, now).decisions()))
                .containsExactly("PREFETCH 0 up to 40");
    }

    @Test
    void part_ofAnotherGeneration_replacesTheKnown() {
        hintMiddles(true, 1);
        HintedBlock appended = new HintedBlock(key(0), 2, 0, LENGTH).part(40, 70);

        assertThat(kinds(readAhead.hint(A, ALICE, List.of(appended), true, now).decisions()))
                .containsExactly("UNPIN 0", "PREFETCH 0 up to 70");
    }

    @Test
    void block_beyondTheReach_waits() {
        readAhead.hint(A, ALICE, List.of(middle(0), block(1, LENGTH), block(2, LENGTH)), true, now);
        assertThat(states(A, 0, 3)).containsExactly(PREFETCHING, PREFETCHING, UNPREFETCH);
    }

    @Test
    void part_outsideItsBlock_isRefused() {
        HintedBlock block = block(0, LENGTH);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> block.part(50, 101))
                .withMessage("the part must be in [0, 100) and not empty: [50, 101)");
        assertThatIllegalArgumentException().isThrownBy(() -> block.part(50, 50));
        assertThatIllegalArgumentException().isThrownBy(() -> block.part(-1, 50));
        assertThat(block.part(0, LENGTH)).isEqualTo(block);
        assertThat(block.part(10, 20)).hasToString(block + "[10,20)");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class DataWaitsTest {

    private static final String NODE = "node";
    private static final long MIB = 1 << 20;

    private final DataWaits waits = new DataWaits();

    private void read(int files, boolean slow, long now) {
        for (int i = 0; i < files; i++) {
            waits.read(slow, now);
        }
    }

    @Test
    void process_ofWhichNothingIsKnown_countsAsWaiting() {
        assertThat(waits.isWaiting()).isTrue();
        waits.read(false, 0);
        assertThat(waits.isWaiting()).isFalse();
    }

    @Test
    void process_waits_whenMostOfItsLastFilesWereSlow() {
        read(4, true, 0);
        read(4, false, 0);
        assertThat(waits.isWaiting()).isFalse();
        read(4, true, 0);
        assertThat(waits.isWaiting()).isFalse();
        read(1, true, 0);
        assertThat(waits.isWaiting()).isTrue();
    }

    @Test
    void process_whoseFilesAreQuickBecauseOfHints_stillWaits() {
        read(8, true, 0);
        waits.answered(NODE, 0, 0, 0);
        for (int i = 1; i <= 100; i++) {
            read(100, false, i);
            waits.answered(NODE, 0, i * MIB, i);
        }
        assertThat(waits.isWaiting()).isTrue();
    }

    private long resident;

    private void findInMemory(long now) {
        waits.answered(NODE, resident, 0, now);
        resident += MIB;
        waits.answered(NODE, resident, 0, now);
    }

    @Test
    void process_whoseDataIsInMemory_stopsWaiting_untilItsFilesAreSlowAgain() {
        read(8, true, 0);
        findInMemory(0);
        assertThat(waits.isWaiting()).isFalse();
        read(4, true, 1);
        assertThat(waits.isWaiting()).isFalse();
        read(1, true, 1);
        assertThat(waits.isWaiting()).isTrue();
    }

    @Test
    void dataNodes_whoseWordFilesContradict_areBelievedLaterEachTime() {
        long now = 0;
        for (long pause : new long[] {1, 2, 4, 8, 16, 16}) {
            read(8, true, now);
            findInMemory(now);
            assertThat(waits.isWaiting()).isFalse();
            now += pause * DataWaits.PAUSE_NANOS;
            read(8, true, now - 1);
            findInMemory(now - 1);
            assertThat(waits.isWaiting()).as("before the end of the pause").isTrue();
        }
    }

    @Test
    void dataNode_thatReadsFromItsDisk_makesTheNextPauseShort() {
        read(8, true, 0);
        findInMemory(0);
        long now = DataWaits.PAUSE_NANOS;
        read(8, true, now);
        waits.answered(NODE, MIB, MIB, now);
        findInMemory(now);
        read(8, true, now + DataWaits.PAUSE_NANOS);
        findInMemory(now + DataWaits.PAUSE_NANOS);
        assertThat(waits.isWaiting()).isFalse();
    }

    @Test
    void dataNode_thatBeginsAnew_orCountsNothing_isNotJudged() {
        read(8, true, 0);
        waits.answered(NODE, 10 * MIB, 0, 0);
        waits.answered(NODE, 0, 0, 0);
        for (int i = 0; i < 1000; i++) {
            waits.answered("old version", 0, 0, 0);
        }
        assertThat(waits.isWaiting()).isTrue();
    }

    @Property
    void quickFiles_neverMakeAProcessWait(@ForAll @IntRange(min = 1, max = 1000) int files, @ForAll long now) {
        read(files, false, now);
        assertThat(waits.isWaiting()).isFalse();
    }
}

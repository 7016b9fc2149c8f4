/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class PositionedSequenceTest {

    private static final long EVIDENCE = 4 << 20;
    private static final long FILE = 512L << 30;
    private static final int READ = 16 << 10;

    private final PositionedSequence sequence = new PositionedSequence(EVIDENCE);

    /** Reads the pieces of a part of the file in turn. */
    private void readOn(long from, long to) {
        for (long at = from; at < to; at += READ) {
            sequence.read(at, READ);
        }
    }

    @Test
    void evidenceBelowOne_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PositionedSequence(0))
                .withMessage("evidenceBytes must be at least 1: 0");
    }

    @Test
    void piecesInTurn_areASequence_onceTheEvidenceIsThere() {
        readOn(0, EVIDENCE - READ);
        assertThat(sequence.isSequential()).isFalse();
        readOn(EVIDENCE - READ, EVIDENCE);
        assertThat(sequence.isSequential()).isTrue();
        assertThat(sequence.frontier()).isEqualTo(EVIDENCE);
    }

    @Test
    void someReadsElsewhere_doNotEndASequence_moreInARowDo() {
        readOn(0, EVIDENCE);
        for (int i = 0; i < PositionedSequence.MAX_STRAYS; i++) {
            sequence.read(FILE, READ);
        }
        readOn(EVIDENCE, EVIDENCE + READ);
        assertThat(sequence.isSequential()).isTrue();

        for (int i = 0; i <= PositionedSequence.MAX_STRAYS; i++) {
            sequence.read(FILE, READ);
        }
        assertThat(sequence.isSequential()).isFalse();
        assertThat(sequence.frontier()).isEqualTo(FILE + READ);
    }

    @Test
    void sameBytesAgainAndAgain_areNoSequence() {
        for (int i = 0; i < 10_000; i++) {
            sequence.read(0, READ);
        }
        assertThat(sequence.isSequential()).isFalse();
    }

    @Property
    void piecesThatThreadsTakeInTurn_areASequence_fromAnyPlaceOn_andStayOne(
            @ForAll @LongRange(max = FILE) long from,
            @ForAll @IntRange(min = 1, max = 8) int threads,
            @ForAll @IntRange(min = 4096, max = 4 << 20) int bytes,
            @ForAll Random random) {
        PositionedSequence reads = new PositionedSequence(EVIDENCE);
        List<Long> waiting = new ArrayList<>();
        long next = from;
        long enough = from + 2 * EVIDENCE + 2L * threads * bytes;
        while (next < from + 20 * EVIDENCE) {
            while (waiting.size() < threads) {
                waiting.add(next);
                next += bytes;
            }
            reads.read(waiting.remove(random.nextInt(waiting.size())), bytes);
            // No thread is left behind for long: the oldest piece is read at some time.
            if (!waiting.isEmpty() && next - waiting.get(0) >= (long) threads * bytes) {
                reads.read(waiting.remove(0), bytes);
            }
            if (next > enough) {
                assertThat(reads.isSequential()).isTrue();
            }
        }
    }

    @Property(tries = 200)
    void readsAtRandom_areNoSequence(@ForAll Random random, @ForAll @IntRange(min = 4096, max = 16 << 20) int bytes) {
        PositionedSequence reads = new PositionedSequence(EVIDENCE);
        for (int i = 0; i < 5000; i++) {
            reads.read((long) (random.nextDouble() * FILE), bytes);
            assertThat(reads.isSequential()).isFalse();
        }
    }

    @Property
    void readsThatSkipMostBytes_areNoSequence(
            @ForAll @IntRange(min = 512, max = READ) int bytes, @ForAll @IntRange(min = 3, max = 60) int skipped) {
        PositionedSequence reads = new PositionedSequence(EVIDENCE);
        for (long at = 0; at < 4 * EVIDENCE; at += (long) bytes * skipped) {
            reads.read(at, bytes);
            assertThat(reads.isSequential()).isFalse();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Compares with a model that visits each page separately. */
class ResidentPagesPropertyTest {

    private static final int PAGE = 4096;
    private static final int PAGES_A_UNIT = ResidentPages.UNIT_BYTES / PAGE;

    /** Pages in sequences, so that whole units occur. */
    private static byte[] pages(long seed, int count) {
        Random random = new Random(seed);
        byte[] pages = new byte[count];
        for (int at = 0; at < count; ) {
            int run = 1 + random.nextInt(random.nextBoolean() ? 8 : 40 * PAGES_A_UNIT);
            byte state = (byte) (random.nextBoolean() ? 0xff : 0xfe);
            for (int end = Math.min(count, at + run); at < end; at++) {
                pages[at] = state;
            }
        }
        return pages;
    }

    private static BitSet marked(ResidentPages found, Part part, long begin, long end) {
        BitSet bytes = new BitSet();
        ResidentPages.RangeAction<RuntimeException> mark = (from, to) -> {
            assertThat(from).isBetween(begin, to - 1);
            assertThat(to).isLessThanOrEqualTo(end);
            assertThat(bytes.get((int) from)).as("no byte twice").isFalse();
            bytes.set((int) from, (int) to);
        };
        switch (part) {
            case ABSENT -> found.forEachAbsent(begin, end, mark);
            case RESIDENT -> found.forEachResident(begin, end, mark);
            case OWN -> found.forEachOwn(begin, end, mark);
        }
        return bytes;
    }

    private enum Part {
        ABSENT,
        RESIDENT,
        OWN
    }

    @Property(tries = 300)
    void found_anyPages_readsAllThatIsAbsentAndOwnsNothingThatWasThere(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 6 << 20) int length, @ForAll @IntRange int from) {
        byte[] pages = pages(seed, (length + PAGE - 1) / PAGE);
        ResidentPages found = ResidentPages.of(length, pages, PAGE);
        long begin = Math.abs((long) from) % length;

        BitSet absent = marked(found, Part.ABSENT, begin, length);
        BitSet resident = marked(found, Part.RESIDENT, begin, length);
        BitSet own = marked(found, Part.OWN, begin, length);

        assertThat(absent.cardinality() + resident.cardinality()).isEqualTo((int) (length - begin));
        assertThat(absent.intersects(resident)).isFalse();
        assertThat(found.ownBytes(begin, length)).isEqualTo(own.cardinality());
        for (int at = (int) begin; at < length; at += PAGE) {
            boolean was = (pages[at / PAGE] & 1) != 0;
            if (!was) {
                assertThat(absent.get(at)).as("byte %s", at).isTrue();
            } else {
                assertThat(own.get(at)).as("byte %s", at).isFalse();
            }
        }
    }

    @Property(tries = 300)
    void found_anyPages_locksFewPieces(@ForAll long seed, @ForAll @IntRange(min = 1, max = 16 << 20) int length) {
        ResidentPages found = ResidentPages.of(length, pages(seed, (length + PAGE - 1) / PAGE), PAGE);
        int[] pieces = {0};
        found.forEachAbsent(0, length, (begin, end) -> pieces[0]++);
        assertThat(pieces[0]).isLessThanOrEqualTo(1 + length / ResidentPages.SKIP_MIN_BYTES);
    }

    @Property(tries = 50)
    void found_inOneStep_isAsPageByPage(@ForAll @LongRange(min = 1, max = 4 << 20) long length) {
        byte[] none = new byte[(int) ((length + PAGE - 1) / PAGE)];
        byte[] all = none.clone();
        java.util.Arrays.fill(all, (byte) 1);
        for (Part part : Part.values()) {
            assertThat(marked(ResidentPages.none(length), part, 0, length))
                    .isEqualTo(marked(ResidentPages.of(length, none, PAGE), part, 0, length));
            assertThat(marked(ResidentPages.all(length), part, 0, length))
                    .isEqualTo(marked(ResidentPages.of(length, all, PAGE), part, 0, length));
        }
    }

    @Example
    void unknown_isAllReadAndNothingDropped() {
        ResidentPages unknown = ResidentPages.unknown(1 << 20);
        assertThat(marked(unknown, Part.ABSENT, 0, 1 << 20).cardinality()).isEqualTo(1 << 20);
        assertThat(marked(unknown, Part.OWN, 0, 1 << 20).cardinality()).isZero();
        assertThat(unknown.ownBytes(0, 1 << 20)).isEqualTo(1 << 20);
    }

    @Example
    void pages_ofAnotherNumber_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ResidentPages.of(PAGE + 1, new byte[1], PAGE));
        assertThatIllegalArgumentException().isThrownBy(() -> ResidentPages.of(PAGE, new byte[1], 3));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class UsefulnessTest {

    private static final int CLASS = Usefulness.classOf(0.2);

    private static long madeOf(Usefulness usefulness, int candidates) {
        return IntStream.range(0, candidates)
                .filter(unused -> usefulness.admit(CLASS))
                .count();
    }

    @Test
    void beforeAnythingIsKnown_nothingIsHeldBack() {
        assertThat(madeOf(new Usefulness(1, 6, 200), 100)).isEqualTo(100);
    }

    @Test
    void classThatIsSeldomUsed_isHeldBack_butForProbes() {
        Usefulness usefulness = new Usefulness(0.3, 6, 200);
        IntStream.range(0, 39).forEach(unused -> usefulness.used(CLASS));
        IntStream.range(0, 100).forEach(unused -> usefulness.wasted(CLASS));

        assertThat(madeOf(usefulness, 70))
                .as("0.3 * 140 / 40 squared, times 6, is 7")
                .isEqualTo(10);
        assertThat(usefulness.admit(Usefulness.classOf(0.9))).isTrue();
    }

    @Test
    void classThatIsHardlyEverUsed_isHardlyProbed() {
        Usefulness usefulness = new Usefulness(0.3, 6, 200);
        IntStream.range(0, 150).forEach(unused -> usefulness.wasted(CLASS));

        assertThat(madeOf(usefulness, 10_000)).isBetween(0L, 10L);
    }

    @Test
    void classThatIsUsedAgain_isNoLongerHeldBack() {
        Usefulness usefulness = new Usefulness(0.3, 6, 200);
        IntStream.range(0, 1000).forEach(unused -> usefulness.wasted(CLASS));
        IntStream.range(0, 100).forEach(unused -> usefulness.used(CLASS));

        assertThat(madeOf(usefulness, 60)).isEqualTo(60);
    }

    @Test
    void nothingDemanded_nothingHeldBack() {
        Usefulness usefulness = new Usefulness(0, 6, 200);
        IntStream.range(0, 1000).forEach(unused -> usefulness.wasted(CLASS));

        assertThat(madeOf(usefulness, 60)).isEqualTo(60);
    }

    @Property
    void classes_followConfidence(
            @ForAll @DoubleRange(max = 1) double one, @ForAll @DoubleRange(max = 1) double other) {
        int low = Usefulness.classOf(Math.min(one, other));
        int high = Usefulness.classOf(Math.max(one, other));
        assertThat(low).isBetween(0, high);
        assertThat(high).isLessThan(Usefulness.CLASSES);
    }

    @Property
    void manyOutcomesAtOnce_areJudgedAsOneByOne(
            @ForAll @IntRange(max = 300) int used, @ForAll @IntRange(max = 300) int wasted) {
        Usefulness together = new Usefulness(0.3, 6, 10_000);
        Usefulness oneByOne = new Usefulness(0.3, 6, 10_000);
        together.ended(CLASS, used, wasted);
        IntStream.range(0, used).forEach(unused -> oneByOne.used(CLASS));
        IntStream.range(0, wasted).forEach(unused -> oneByOne.wasted(CLASS));
        assertThat(together.calibrated(0.2)).isEqualTo(oneByOne.calibrated(0.2));
        assertThat(madeOf(together, 100)).isEqualTo(madeOf(oneByOne, 100));
    }

    @Property
    void manyOutcomesAtOnce_aboveTheMemory_keepTheirShare(
            @ForAll @IntRange(max = Usefulness.ENDED_MAX) int used,
            @ForAll @IntRange(max = Usefulness.ENDED_MAX) int wasted) {
        Assume.that(used + wasted > 100_000);
        Usefulness usefulness = new Usefulness(0.3, 6, 1500);
        usefulness.ended(CLASS, used, wasted);
        assertThat(usefulness.calibrated(0.2)).isCloseTo((double) used / (used + wasted), within(0.03));
    }

    @Test
    void numberOfOutcomes_thatIsNone_isRefused() {
        Usefulness usefulness = new Usefulness(0.3, 6, 1500);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> usefulness.ended(CLASS, -1, 0))
                .withMessageContaining("-1");
        assertThatIllegalArgumentException().isThrownBy(() -> usefulness.ended(CLASS, 0, Usefulness.ENDED_MAX + 1));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class UsefulnessTest {

    private static final int CLASS = Usefulness.classOf(0.2);

    private static long madeOf(Usefulness usefulness, int candidates) {
        return IntStream.range(0, candidates)
                .filter(unused -> usefulness.isWorthwhile(CLASS))
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
        assertThat(usefulness.isWorthwhile(Usefulness.classOf(0.9))).isTrue();
    }

    @Test
    void classThatIsHardlyEverUsed_isHardlyProbed() {
        Usefulness usefulness = new Usefulness(0.3, 6, 200);
        IntStream.range(0, 150).forEach(unused -> usefulness.wasted(CLASS));

        assertThat(madeOf(usefulness, 10_000)).isBetween(0L, 10L);
    }

    @Test
    void classThatIsUsedAgain_comesBack() {
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
}

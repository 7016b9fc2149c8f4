/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class SegmentedLruTest {

    private static final int AGE = 50;

    private final List<String> gone = new ArrayList<>();

    private SegmentedLru<String, String> cache(long capacity, long protectedCapacity) {
        return new SegmentedLru<>(capacity, protectedCapacity, AGE, (key, value) -> gone.add(key));
    }

    @Example
    void predictedEntry_hasTheSameTimeAsOneThatWasAskedFor() {
        SegmentedLru<String, String> cache = cache(2, 0);
        cache.put("predicted", "", 1, false, 0);
        cache.put("asked", "", 1, true, 0);
        cache.put("next", "", 1, true, 0);
        assertThat(gone).containsExactly("predicted");
        cache.put("last", "", 1, false, 0);
        assertThat(gone).containsExactly("predicted", "asked");
    }

    @Example
    void entryThatIsAskedForAgain_isProtected() {
        SegmentedLru<String, String> cache = cache(3, 1);
        cache.put("twice", "", 1, false, 0);
        cache.use("twice", 0);
        assertThat(cache.protectedWeight()).isZero();
        cache.use("twice", 0);
        assertThat(cache.protectedWeight()).isOne();

        for (int i = 0; i < 5; i++) {
            cache.put("other" + i, "", 1, false, 0);
        }

        assertThat(cache.peek("twice", 0)).isNotNull();
        assertThat(gone).containsExactly("other0", "other1", "other2");
    }

    @Example
    void entryThatIsPredictedAgain_isYoungAgain_butNotProtected() {
        SegmentedLru<String, String> cache = cache(2, 1);
        cache.put("again", "", 1, false, 0);
        cache.put("other", "", 1, false, 0);
        cache.renew("again");
        cache.renew("again");
        cache.put("next", "", 1, false, 0);

        assertThat(gone).containsExactly("other");
        assertThat(cache.protectedWeight()).isZero();
    }

    @Example
    void entryThatIsTooHeavy_goesAlone() {
        SegmentedLru<String, String> cache = cache(5, 5);
        cache.put("guarded", "", 2, true, 0);
        cache.use("guarded", 0);
        cache.put("heavy", "", 6, true, 0);

        assertThat(cache.size()).isZero();
        assertThat(gone).containsExactly("guarded", "heavy");
    }

    @Example
    void old_goesWhateverItsUses() {
        SegmentedLru<String, String> cache = cache(5, 1);
        cache.put("old", "", 1, true, 0);
        cache.use("old", AGE - 1);
        assertThat(gone).isEmpty();

        assertThat(cache.use("old", AGE)).isNull();
        assertThat(gone).containsExactly("old");
    }

    @Example
    void protectedCapacity_aboveTheCapacity_isRefused() {
        assertThatThrownBy(() -> cache(1, 2)).hasMessage("protectedCapacity is 2; accepted is 0 to 1");
    }

    /** An operation on one of few keys. */
    private record Step(int kind, int key, int weight, int later) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(0, 12),
                        Arbitraries.integers().between(0, 9),
                        Arbitraries.integers().between(0, 8))
                .as(Step::new)
                .list()
                .ofMaxSize(300);
    }

    /** Whatever is done: an entry is here, was taken out, or has gone once; nothing is too old; the weights are right, and within their limits. */
    @Property(tries = 500)
    void anySteps_loseNothingAndKeepTheBounds(
            @ForAll("steps") List<Step> steps,
            @ForAll @IntRange(min = 0, max = 40) int capacity,
            @ForAll @IntRange(min = 0, max = 100) int percent) {
        Map<Integer, int[]> expected = new HashMap<>();
        long protectedCapacity = (long) capacity * percent / 100;
        SegmentedLru<Integer, int[]> cache =
                new SegmentedLru<>(capacity, protectedCapacity, AGE, (key, value) -> assertThat(expected.remove(key))
                        .isSameAs(value));
        long now = 0;
        for (Step step : steps) {
            now += step.later;
            switch (step.kind) {
                case 0, 1, 2 -> {
                    int[] value = {step.weight, Math.toIntExact(now)};
                    expected.put(step.key, value);
                    cache.put(step.key, value, step.weight, step.kind == 0, now);
                }
                case 3, 4 -> {
                    int[] value = cache.use(step.key, now);
                    assertThat(value).isSameAs(expected.get(step.key));
                }
                case 5 -> cache.renew(step.key);
                default -> assertThat(cache.remove(step.key)).isSameAs(expected.remove(step.key));
            }
            long at = now;
            assertThat(cache.keys()).containsExactlyInAnyOrderElementsOf(expected.keySet());
            assertThat(cache.weight())
                    .isEqualTo(expected.values().stream()
                            .mapToLong(value -> value[0])
                            .sum())
                    .isLessThanOrEqualTo(capacity);
            assertThat(cache.protectedWeight()).isBetween(0L, protectedCapacity);
            if (step.kind <= 4) {
                assertThat(expected.values()).allMatch(value -> at - value[1] < AGE);
            }
        }
    }
}

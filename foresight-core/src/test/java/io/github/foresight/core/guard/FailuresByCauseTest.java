/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class FailuresByCauseTest {

    private static final long MINUTE = FailuresByCause.MINUTE_NANOS;

    private final FailuresByCause failures = new FailuresByCause(100);

    private long fail(String cause, int times, long nowNanos) {
        long rest = 0;
        for (int i = 0; i < times; i++) {
            rest = Math.max(rest, failures.failed(cause, nowNanos));
        }
        return rest;
    }

    @Example
    void oneCauseTooOften_makesTheFeatureRest_andItComesBackByItself() {
        assertThat(fail("a", 100, 0)).isZero();
        assertThat(failures.mayRest()).isFalse();
        assertThat(fail("a", 1, 1)).isEqualTo(MINUTE);
        assertThat(failures.isRestingAt(MINUTE)).isTrue();
        assertThat(failures.isRestingAt(MINUTE + 1)).isFalse();
    }

    @Example
    void manyCauses_eachSeldom_causeNoRest() {
        for (int cause = 0; cause < 60; cause++) {
            assertThat(fail("cause " + cause, 100, 0)).isZero();
        }
    }

    @Example
    void oneCauseSpreadOverTime_causesNoRest() {
        for (int minute = 0; minute < 10; minute++) {
            assertThat(fail("a", 100, 2L * minute * MINUTE)).isZero();
        }
    }

    @Example
    void causeThatComesBackWithTheFeature_makesItRestLongerEachTime_upToAnHour() {
        long now = 0;
        long expected = MINUTE;
        for (int rests = 0; rests < 10; rests++) {
            assertThat(fail("a", 101, now)).isEqualTo(expected);
            now += expected;
            expected = Math.min(FailuresByCause.REST_MAX_NANOS, 2 * expected);
        }
        assertThat(fail("a", 101, now + 2 * MINUTE)).as("after a good while").isEqualTo(MINUTE);
    }

    @Example
    void restThatIsOver_isEnded_andForgottenForNothingButTheNextRestsLength() {
        fail("a", 101, 0);
        failures.endRest(MINUTE - 1);
        assertThat(failures.mayRest()).isTrue();
        failures.endRest(MINUTE);
        assertThat(failures.mayRest()).isFalse();
        assertThat(fail("a", 101, MINUTE + 1)).isEqualTo(2 * MINUTE);
    }

    @Example
    void reset_endsTheRest() {
        fail("a", 101, 0);
        failures.reset();
        assertThat(failures.mayRest()).isFalse();
        assertThat(failures.isRestingAt(1)).isFalse();
    }

    @Property(tries = 200)
    void feature_isNeverOffForGood(
            @ForAll @Size(max = 200) List<@IntRange(max = 200) Integer> causes,
            @ForAll @IntRange(max = 120) int seconds) {
        FailuresByCause few = new FailuresByCause(1);
        long now = 0;
        for (int cause : causes) {
            few.failed("cause " + cause, now);
            now += seconds * 1_000_000_000L;
        }
        assertThat(few.isRestingAt(now + FailuresByCause.REST_MAX_NANOS)).isFalse();
    }

    @Example
    void limitBelowOne_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FailuresByCause(0));
    }
}

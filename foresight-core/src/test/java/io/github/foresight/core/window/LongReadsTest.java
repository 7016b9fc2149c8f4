/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LongReadsTest {

    @Test
    void reads_allShort_areNotExpectedToBeLong() {
        LongReads reads = new LongReads(100);
        assertThat(reads.areExpected()).isFalse();
        reads.read(100);
        assertThat(reads.areExpected()).isFalse();
    }

    @Test
    void reads_oneShortBetweenLongOnes_areStillLong() {
        LongReads reads = new LongReads(100);
        reads.read(101);
        assertThat(reads.areExpected()).isTrue();
        reads.read(1);
        assertThat(reads.areExpected()).isTrue();
    }

    @Property
    void reads_any_areLongUntilTheLastFewWereShort(
            @ForAll @Size(min = 1, max = 30) List<@IntRange(min = 0, max = 20) Integer> lengths) {
        LongReads reads = new LongReads(15);
        for (int i = 0; i < lengths.size(); i++) {
            reads.read(lengths.get(i));
            List<Integer> last = lengths.subList(Math.max(0, i + 1 - LongReads.BELIEVED), i + 1);
            assertThat(reads.areExpected()).isEqualTo(last.stream().anyMatch(length -> length > 15));
        }
    }

    @Test
    void limit_ofNothing_isRefused() {
        assertThatThrownBy(() -> new LongReads(0)).hasMessageContaining("mostBytes");
    }

    @Test
    void reach_isTheWidestWindowFromItsPivotOn() {
        assertThat(new WindowSettings(WindowKind.WING, 128, 1, 40, 0).reachBytes())
                .isEqualTo(21 * 128);
        assertThat(new WindowSettings(WindowKind.WING, 128, 1, 5, 0).reachBytes())
                .isEqualTo(3 * 128);
        assertThat(new WindowSettings(WindowKind.FORWARD, 128, 1, 40, 0).reachBytes())
                .isEqualTo(40 * 128);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.vectored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RangeMergerTest {

    private static final int GAP = 10;
    private static final int MOST = 100;

    private static List<String> merged(long[] offsets, int... lengths) {
        return new RangeMerger(GAP, MOST)
                .merge(offsets, lengths).stream().map(Object::toString).collect(Collectors.toList());
    }

    @Test
    void ranges_withSmallGaps_areReadTogether() {
        assertThat(merged(new long[] {30, 0, 15}, 5, 10, 5)).containsExactly("[0, 35) for [1, 2, 0]");
    }

    @Test
    void gap_ofOneByteTooMany_isSkipped() {
        assertThat(merged(new long[] {0, 20}, 10, 5)).containsExactly("[0, 25) for [0, 1]");
        assertThat(merged(new long[] {0, 21}, 10, 5)).containsExactly("[0, 10) for [0]", "[21, 26) for [1]");
    }

    @Test
    void read_growsToTheLimitAndNoFurther() {
        assertThat(merged(new long[] {0, 50}, 50, 50)).containsExactly("[0, 100) for [0, 1]");
        assertThat(merged(new long[] {0, 50}, 50, 51)).containsExactly("[0, 50) for [0]", "[50, 101) for [1]");
    }

    @Test
    void range_longerThanTheLimit_isReadByItself() {
        assertThat(merged(new long[] {0, 300, 300}, 300, 5, 0))
                .containsExactly("[0, 300) for [0]", "[300, 305) for [1, 2]");
    }

    @Test
    void noRanges_areNoReads() {
        assertThat(merged(new long[0])).isEmpty();
    }

    @Test
    void merger_ofBadArguments_isRefused() {
        assertThatThrownBy(() -> new RangeMerger(-1, 1)).hasMessage("gapMaxBytes must be at least 0: -1");
        assertThatThrownBy(() -> new RangeMerger(0, 0)).hasMessage("bytesMax must be at least 1: 0");
        assertThatThrownBy(() -> merged(new long[] {1}, 1, 2)).hasMessage("1 offsets and 2 lengths");
        assertThatThrownBy(() -> merged(new long[] {-1}, 1)).hasMessageContaining("range 0 must lie in [0, 2^63): -1");
        assertThatThrownBy(() -> merged(new long[] {Long.MAX_VALUE}, 1)).hasMessageContaining("range 0 must lie");
    }

    @Property
    void eachRange_isInOneRead_andReadsAreAsFewAsTheRuleAllows(
            @ForAll @Size(max = 30) List<@IntRange(max = 500) Integer> offsets,
            @ForAll @IntRange(max = 60) int length) {
        long[] begins = offsets.stream().mapToLong(Integer::longValue).toArray();
        int[] lengths = new int[begins.length];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = (length * (i + 1)) % 61;
        }

        List<MergedRange> reads = new RangeMerger(GAP, MOST).merge(begins, lengths);

        List<Integer> covered = new ArrayList<>();
        for (MergedRange read : reads) {
            covered.addAll(read.members());
            assertThat(read.lengthBytes()).isLessThanOrEqualTo(MOST);
            for (int member : read.members()) {
                assertThat(begins[member]).isGreaterThanOrEqualTo(read.offset());
                assertThat(begins[member] + lengths[member]).isLessThanOrEqualTo(read.offset() + read.lengthBytes());
            }
        }
        assertThat(covered).hasSize(begins.length).doesNotHaveDuplicates();
        for (int i = 1; i < reads.size(); i++) {
            MergedRange left = reads.get(i - 1);
            MergedRange right = reads.get(i);
            int first = right.members().get(0);
            long leftEnd = left.offset() + left.lengthBytes();
            long together = Math.max(leftEnd, begins[first] + lengths[first]) - left.offset();
            assertThat(begins[first] - leftEnd > GAP || together > MOST)
                    .as("%s and %s are apart for a reason", left, right)
                    .isTrue();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PredictedRunTest {

    private final PredictedRun run = new PredictedRun();

    private static List<Long> ahead(PredictedRun run) {
        List<Long> files = new ArrayList<>();
        for (int distance = 1; distance <= run.ahead(); distance++) {
            files.add(run.file(distance));
        }
        return files;
    }

    private static double step(long file) {
        return 1 / (1 + file % 3 * 0.37);
    }

    private static List<Long> takeBehind(PredictedRun run) {
        long[] accesses = new long[PredictedRun.MOST_BEHIND];
        int count = run.takeBehind(accesses);
        return Arrays.stream(accesses, 0, count).boxed().toList();
    }

    /** Compares with two lists: the files ahead, and the accesses that wait to be learned. */
    @Property
    void run_holdsAddedFiles_andRemembersAccesses(@ForAll @Size(max = 300) List<@IntRange(max = 15) Integer> steps) {
        PredictedRun run = new PredictedRun();
        List<Long> ahead = new ArrayList<>();
        List<Long> behind = new ArrayList<>();
        long added = 0;
        for (int step : steps) {
            if (step < 5 && ahead.size() < PredictedRun.MOST_AHEAD) {
                ahead.add(++added);
                run.add(added, step(added));
            } else if (step < 8 && !ahead.isEmpty() && behind.size() < PredictedRun.MOST_BEHIND) {
                behind.add(ahead.remove(0));
                run.advance();
            } else {
                assertThat(takeBehind(run)).isEqualTo(behind);
                behind.clear();
                int leftOut = step % PredictedRun.NEAR;
                if (step >= 8 && ahead.size() > leftOut) {
                    long file = ahead.get(leftOut);
                    ahead.subList(0, leftOut + 1).clear();
                    if (step < 12) {
                        run.passTo(file);
                    } else {
                        behind.add(file);
                        run.advanceTo(file);
                    }
                }
            }
            assertThat(ahead(run)).isEqualTo(ahead);
            double product = ahead.stream().mapToDouble(PredictedRunTest::step).reduce(1, (one, other) -> one * other);
            assertThat(run.confidenceOfEnd()).isCloseTo(product, withinPercentage(0.001));
            assertThat(run.behind()).isEqualTo(behind.size());
            for (long file = 1; file <= added; file++) {
                assertThat(run.isNext(file)).isEqualTo(ahead.indexOf(file) == 0);
                assertThat(run.isNear(file))
                        .isEqualTo(ahead.indexOf(file) >= 0 && ahead.indexOf(file) < PredictedRun.NEAR);
                assertThat(run.isLast(file))
                        .isEqualTo(behind.indexOf(file) >= 0 && behind.indexOf(file) == behind.size() - 1);
            }
        }
    }

    @Test
    void end_keepsAccessesThatWaitToBeLearned() {
        run.add(1, 1);
        run.add(2, 1);
        run.advance();
        run.end();

        assertThat(run.ahead()).isZero();
        assertThat(takeBehind(run)).containsExactly(1L);
    }

    /** Compares with a list, over so many accesses that probabilities become negligible. */
    @Property
    void group_namesEachFileOnce_downToTheThreshold_withoutTheCurrent(
            @ForAll @Size(min = 40, max = 400) List<@IntRange(min = 1, max = 6) Integer> way,
            @ForAll @IntRange(min = 1, max = 32) int room,
            @ForAll @IntRange(min = 1, max = 9) int tenths) {
        PredictedRun run = new PredictedRun();
        PrefetchGroup group = new PrefetchGroup(room);
        List<Long> ahead = new ArrayList<>();
        double threshold = tenths / 10.0;
        for (long file : way) {
            run.add(file, step(file));
            ahead.add(file);
            if (ahead.size() == PredictedRun.MOST_AHEAD) {
                long current = ahead.remove(0);
                run.passTo(current);
                run.copyTo(group, threshold, current);
                Map<Long, Double> expected = expected(ahead, room, threshold, current);

                assertThat(group.size()).isEqualTo(expected.size());
                int rank = 0;
                for (Map.Entry<Long, Double> prediction : expected.entrySet()) {
                    assertThat(group.file(rank)).isEqualTo(prediction.getKey());
                    assertThat(group.confidence(rank)).isCloseTo(prediction.getValue(), withinPercentage(1e-6));
                    rank++;
                }
            }
        }
    }

    private static Map<Long, Double> expected(List<Long> ahead, int room, double threshold, long current) {
        Map<Long, Double> expected = new LinkedHashMap<>();
        double confidence = 1;
        for (long file : ahead) {
            confidence *= step(file);
            if (confidence >= threshold && file != current && expected.size() < room) {
                expected.putIfAbsent(file, confidence);
            }
        }
        return expected;
    }

    @Test
    void confidence_isRightAfterManyAccesses() {
        PrefetchGroup group = new PrefetchGroup(2);
        run.add(0, 0.2);
        for (long file = 1; file < 2000; file++) {
            run.add(file, 0.2);
            run.passTo(file - 1);
            run.copyTo(group, 0.1, file - 1);

            assertThat(group.size()).isEqualTo(1);
            assertThat(group.confidence(0)).isCloseTo(0.2, withinPercentage(1e-6));
        }
    }

    @Test
    void groupWithLessRoom_getsTheNextFiles() {
        run.add(1, 1);
        run.add(2, 1);
        PrefetchGroup group = new PrefetchGroup(1);

        run.copyTo(group, 0, 7);

        assertThat(group.size()).isEqualTo(1);
        assertThat(group.file(0)).isEqualTo(1);
    }
}

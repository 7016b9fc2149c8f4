/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CourseTest {

    private final Course course = new Course();

    private static List<Long> ahead(Course course) {
        List<Long> files = new ArrayList<>();
        for (int distance = 1; distance <= course.ahead(); distance++) {
            files.add(course.file(distance));
        }
        return files;
    }

    private static double step(long file) {
        return 1.0 / (1 + file % 3);
    }

    private static List<Long> takeBehind(Course course) {
        long[] accesses = new long[Course.MOST_BEHIND];
        int count = course.takeBehind(accesses);
        return Arrays.stream(accesses, 0, count).boxed().toList();
    }

    /** Held against two lists: what is ahead and what is behind. */
    @Property
    void leadsOverWhatWasAdded_andRemembersWhatWasWalked(
            @ForAll @Size(max = 300) List<@IntRange(max = 9) Integer> steps) {
        Course course = new Course();
        List<Long> ahead = new ArrayList<>();
        List<Long> behind = new ArrayList<>();
        long added = 0;
        for (int step : steps) {
            if (step < 5 && ahead.size() < Course.MOST_AHEAD) {
                ahead.add(++added);
                course.add(added, step(added));
            } else if (step < 8 && !ahead.isEmpty() && behind.size() < Course.MOST_BEHIND) {
                behind.add(ahead.remove(0));
                course.walk();
            } else {
                assertThat(takeBehind(course)).isEqualTo(behind);
                behind.clear();
                if (step == 8 && !ahead.isEmpty()) {
                    course.pass(ahead.remove(0));
                } else if (step == 9) {
                    ahead.clear();
                    course.pass(Long.MAX_VALUE);
                }
            }
            assertThat(ahead(course)).isEqualTo(ahead);
            double product = ahead.stream().mapToDouble(CourseTest::step).reduce(1, (one, other) -> one * other);
            assertThat(course.confidenceOfEnd()).isCloseTo(product, withinPercentage(0.001));
            assertThat(course.behind()).isEqualTo(behind.size());
            for (long file = 1; file <= added; file++) {
                assertThat(course.leadsOver(file)).isEqualTo(ahead.contains(file));
                assertThat(course.isNext(file)).isEqualTo(ahead.indexOf(file) == 0);
                assertThat(course.isLast(file))
                        .isEqualTo(behind.indexOf(file) >= 0 && behind.indexOf(file) == behind.size() - 1);
            }
        }
    }

    @Test
    void end_leavesWhatIsBehind() {
        course.add(1, 1);
        course.add(2, 1);
        course.walk();
        course.end();

        assertThat(course.ahead()).isZero();
        assertThat(takeBehind(course)).containsExactly(1L);
    }

    @Test
    void confidence_isTheProductOfTheSteps_downToTheThreshold() {
        course.add(1, 0.9);
        course.add(2, 0.5);
        course.add(3, 0.6);
        course.add(4, 0.9);
        PrefetchGroup group = new PrefetchGroup(4);

        course.copyTo(group, 0.26);

        assertThat(group.size()).isEqualTo(3);
        assertThat(group.file(2)).isEqualTo(3);
        assertThat(group.confidence(2)).isCloseTo(0.9 * 0.5 * 0.6, within(1e-6));
    }

    @Test
    void groupWithLessRoom_getsTheNextFiles() {
        course.add(1, 1);
        course.add(2, 1);
        PrefetchGroup group = new PrefetchGroup(1);

        course.copyTo(group, 0);

        assertThat(group.size()).isEqualTo(1);
        assertThat(group.file(0)).isEqualTo(1);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.status;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** The answer of one process. Immutable. */
final class DaemonAnswer {

    /** The metric that counts failures of Foresight itself, in each of its records. */
    private static final String FAILURES = "InternalErrors";

    /** The metric that is 1 while the placement policy works. */
    private static final String PLACEMENT_SWITCH = "Running";

    private final String name;
    private final String state;
    private final @Nullable JsonNode foresight;
    private final @Nullable JsonNode placement;
    private final String problem;

    private DaemonAnswer(
            String name, String state, @Nullable JsonNode foresight, @Nullable JsonNode placement, String problem) {
        this.name = name;
        this.state = state;
        this.foresight = foresight;
        this.placement = placement;
        this.problem = problem;
    }

    /**
     * A process that has answered.
     *
     * @param state what HDFS says of it, or an empty text
     * @param foresight the metrics of Foresight, null if there are none
     * @param placement the metrics of the placement policy, null if there are none
     */
    static DaemonAnswer answered(
            String name, String state, @Nullable JsonNode foresight, @Nullable JsonNode placement) {
        return new DaemonAnswer(name, state, foresight, placement, "");
    }

    /** A process that could not be asked. */
    static DaemonAnswer silent(String name, String problem) {
        return new DaemonAnswer(name, "", null, null, problem);
    }

    String name() {
        return name;
    }

    String state() {
        return state;
    }

    /** Why it could not be asked, or an empty text. */
    String problem() {
        return problem;
    }

    @Nullable
    JsonNode foresight() {
        return foresight;
    }

    @Nullable
    JsonNode placement() {
        return placement;
    }

    long failures() {
        return count(foresight, FAILURES) + count(placement, FAILURES);
    }

    /** Whether the placement policy works, or is not installed. */
    boolean isPlacementOn() {
        return placement == null || count(placement, PLACEMENT_SWITCH) == 1;
    }

    /** Whether Foresight is there and works: no part of it is switched off, and nothing of it has failed. */
    boolean isWell(String switchMetric) {
        return foresight != null && count(foresight, switchMetric) == 1 && isPlacementOn() && failures() == 0;
    }

    /** A metric of Foresight, 0 if there is none. */
    long count(String metric) {
        return count(foresight, metric);
    }

    private static long count(@Nullable JsonNode metrics, String metric) {
        return metrics == null ? 0 : metrics.path(metric).asLong();
    }
}

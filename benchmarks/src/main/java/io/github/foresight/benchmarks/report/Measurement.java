/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The figures of one side in one round. Immutable.
 *
 * @param side the contestant
 * @param trial the number of the set of processes, from 1 on
 * @param round the number of the round within its trial, from 1 on
 * @param figures by the column's name; a figure that the side does not have is absent
 * @param ratios to the baseline, by the column's name; a ratio that is not finite is absent
 */
public record Measurement(
        Workload workload, String side, int trial, int round, Map<String, Double> figures, Map<String, Double> ratios) {

    public Measurement {
        figures = Ordered.copyOf(figures);
        ratios = Ordered.copyOf(ratios);
    }

    /** A measurement without figures. */
    public static Measurement of(Workload workload, String side, int trial, int round) {
        return new Measurement(workload, side, trial, round, Map.of(), Map.of());
    }

    /** This measurement and a figure. */
    public Measurement with(Column column, double figure) {
        Map<String, Double> all = new LinkedHashMap<>(figures);
        all.put(column.name(), figure);
        return new Measurement(workload, side, trial, round, all, ratios);
    }

    /** This measurement and a count. */
    public Measurement with(Column column, long count) {
        return with(column, (double) count);
    }

    /** The same figures as a measurement of another workload. */
    public Measurement withWorkload(Workload other) {
        return new Measurement(other, side, trial, round, figures, ratios);
    }

    Measurement withRatios(Map<String, Double> compared) {
        return new Measurement(workload, side, trial, round, figures, compared);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.Collection;

/** Median, quartiles and extremes of some figures, interpolated linearly between neighbours. Immutable. */
public record Spread(double lowest, double lowerQuartile, double median, double upperQuartile, double highest) {

    /**
     * The spread of at least one figure.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Spread of(Collection<Double> figures) {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("figures is empty; at least one is needed");
        }
        double[] sorted =
                figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Spread(sorted[0], at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75), sorted[sorted.length - 1]);
    }

    private static double at(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}

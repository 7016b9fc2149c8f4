/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.Collection;

/** Median, quartiles and extremes of some figures, interpolated linearly between neighbours. Immutable. */
public final class Spread {

    private final double[] sorted;

    private Spread(double[] sorted) {
        this.sorted = sorted;
    }

    /**
     * The spread of at least one figure.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Spread of(Collection<Double> figures) {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("figures is empty; at least one is needed");
        }
        return new Spread(
                figures.stream().mapToDouble(Double::doubleValue).sorted().toArray());
    }

    public double min() {
        return sorted[0];
    }

    public double lowerQuartile() {
        return at(0.25);
    }

    public double median() {
        return at(0.5);
    }

    public double upperQuartile() {
        return at(0.75);
    }

    public double max() {
        return sorted[sorted.length - 1];
    }

    private double at(double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

/** The ratio that stands beside a figure in a table. */
public enum Comparison {
    /** No ratio. */
    NONE(""),
    /** The figure as a multiple of stock's. */
    OF_STOCK("of stock"),
    /** Stock's time as a multiple of the figure, which is a time. */
    TIMES_AS_FAST("times as fast"),
    /** The figure as a multiple of the rival's. */
    OF_RIVAL("of rival");

    private final String heading;

    Comparison(String heading) {
        this.heading = heading;
    }

    String heading() {
        return heading;
    }

    /** The ratio of a figure to the figure of its baseline. */
    double ratio(double figure, double baseline) {
        return this == TIMES_AS_FAST ? baseline / figure : figure / baseline;
    }
}

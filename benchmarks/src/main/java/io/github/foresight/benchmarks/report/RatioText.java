/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.Locale;

/** Ratios in words: the median, and in brackets the lowest and the highest ratio of a trial, or of a round if there is one trial. */
final class RatioText {

    private RatioText() {}

    /** The ratio of a figure, or a dash if the figure is not compared. */
    static String of(Result result, FigureSpread figure) {
        Spread range = figure.range();
        if (figure.ratio() == null || range == null) {
            return "-";
        }
        String median = number(figure.ratio().median());
        return result.rounds() == 1
                ? median
                : median + " (" + number(range.lowest()) + " to " + number(range.highest()) + ")";
    }

    static String number(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }
}

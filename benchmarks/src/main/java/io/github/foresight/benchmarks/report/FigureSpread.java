/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import org.jspecify.annotations.Nullable;

/**
 * A figure of all rounds. Immutable.
 *
 * @param value of the rounds of all trials
 * @param ratio to the baseline, round by round, in all trials; null where the figure is not compared
 * @param trials the median ratio of each trial; null where there is one trial or no ratio
 */
public record FigureSpread(
        Spread value, @Nullable Spread ratio, @Nullable Spread trials) {

    /** The spread of the ratios that a report shows: of trials, or of rounds if there is one trial. Null if the figure is not compared. */
    @Nullable
    Spread range() {
        return trials == null ? ratio : trials;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import picocli.CommandLine.Option;

/** The option {@code --rounds} of a benchmark that measures all its sides in each round. */
public final class RoundsOption {

    @Option(
            names = "--rounds",
            description = "Measured rounds, of each trial if there are trials; each has all sides (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int rounds;

    /** The option with a default. */
    public RoundsOption(int rounds) {
        this.rounds = rounds;
    }

    public int count() {
        return rounds;
    }
}

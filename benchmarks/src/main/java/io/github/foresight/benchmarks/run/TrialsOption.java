/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import picocli.CommandLine.Option;

/** The option {@code --trials} of a benchmark whose processes differ from start to start. */
public final class TrialsOption {

    @Option(
            names = "--trials",
            description =
                    "Sets of new processes, each started in another order or in other roles, because two JVMs that run the same"
                            + " program may differ for as long as they live (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int trials;

    /** The option with a default. */
    public TrialsOption(int trials) {
        this.trials = trials;
    }

    public int count() {
        return trials;
    }

    /** The trial's number for people, such as {@code Trial 1 of 3}. */
    public String name(int trial) {
        return "Trial " + (trial + 1) + " of " + trials;
    }
}

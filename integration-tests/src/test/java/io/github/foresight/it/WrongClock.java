/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The wall clock of daemons, which can be wrong. A daemon that starts then has the wrong time of day until it ends. Needs
 * {@code faketime}, which {@code bin/foresight test} finds. Not thread-safe.
 */
final class WrongClock {

    /** The variable of the environment with the path of faketime's library. */
    private static final String LIBRARY = "FORESIGHT_FAKETIME";

    private final Path library;
    private final Path environment;

    private WrongClock(Path library, Path environment) {
        this.library = library;
        this.environment = environment;
    }

    /** Lets the clock of a plan's daemons be wrong at times; empty where {@code faketime} is missing. */
    static Optional<WrongClock> of(TestCluster.Plan plan) {
        String library = System.getenv(LIBRARY);
        if (library == null || !Files.isReadable(Path.of(library))) {
            return Optional.empty();
        }
        Path environment = plan.work().resolve("clock");
        plan.processes(processes -> processes.launchPrefix(
                List.of("sh", "-c", "[ ! -f '" + environment + "' ] || . '" + environment + "'; exec \"$@\"", "sh")));
        return Optional.of(new WrongClock(Path.of(library), environment));
    }

    /** Runs an action; daemons that start meanwhile have a clock that is wrong by some hours, which may be negative. */
    void whileWrong(int hours, DaemonProcesses.Action action) throws Exception {
        // Only the time of day is wrong: the kernel's monotonic clock cannot be set.
        Files.writeString(
                environment,
                "export LD_PRELOAD=" + library + String.format(" FAKETIME=%+dh", hours)
                        + " FAKETIME_FORCE_MONOTONIC_FIX=0 FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1\n");
        try {
            action.run();
        } finally {
            Files.delete(environment);
        }
    }
}

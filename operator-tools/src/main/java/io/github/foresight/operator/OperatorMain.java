/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator;

import io.github.foresight.operator.check.CheckCommand;
import io.github.foresight.operator.install.DisableCommand;
import io.github.foresight.operator.install.EnableCommand;
import io.github.foresight.operator.placement.PlacementCommand;
import io.github.foresight.operator.status.StatusCommand;
import io.github.foresight.simulator.Simulate;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry point of {@code bin/foresight}. */
@Command(
        name = "foresight",
        description = "Foresight for HDFS: makes a stock HDFS cluster read ahead.",
        mixinStandardHelpOptions = true,
        subcommands = {
            CheckCommand.class,
            EnableCommand.class,
            DisableCommand.class,
            PlacementCommand.class,
            StatusCommand.class,
            Simulate.class
        })
public final class OperatorMain {

    private OperatorMain() {}

    /** Runs a sub-command and exits with its status. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** All commands; a failure is printed in one line, with its stack only if {@code FORESIGHT_DEBUG} is set. */
    static CommandLine commandLine() {
        return new CommandLine(new OperatorMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    if (System.getenv("FORESIGHT_DEBUG") != null) {
                        e.printStackTrace();
                    }
                    String what = e instanceof IOException ? e.getMessage() : e.toString();
                    command.getErr().println("foresight " + command.getCommandName() + ": " + what);
                    return command.getCommandSpec().exitCodeOnExecutionException();
                });
    }
}

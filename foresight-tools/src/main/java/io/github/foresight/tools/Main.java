/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools;

import io.github.foresight.tools.bench.BenchCommand;
import io.github.foresight.tools.check.CheckCommand;
import io.github.foresight.tools.demo.DemoCommand;
import io.github.foresight.tools.placement.PlacementCommand;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry of {@code bin/foresight}. */
@Command(
        name = "foresight",
        description = "Foresight for HDFS: makes a stock HDFS cluster read ahead.",
        mixinStandardHelpOptions = true,
        subcommands = {DemoCommand.class, CheckCommand.class, BenchCommand.class, PlacementCommand.class})
public final class Main {

    private Main() {}

    /** Runs a sub-command and exits with its status. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** All commands; what fails is told in a line, with its stack only if {@code FORESIGHT_DEBUG} is set. */
    static CommandLine commandLine() {
        return new CommandLine(new Main())
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import io.github.foresight.benchmarks.command.BenchCommand;
import io.github.foresight.benchmarks.demo.DemoCommand;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry of what measures, by {@code bin/foresight}. */
@Command(
        name = "foresight",
        description = "Foresight for HDFS, measured beside stock HDFS.",
        mixinStandardHelpOptions = true,
        subcommands = {DemoCommand.class, BenchCommand.class})
public final class Main {

    private Main() {}

    /** Runs a sub-command and exits with its status; the stack of a failure is shown only if {@code FORESIGHT_DEBUG} is set. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    if (System.getenv("FORESIGHT_DEBUG") != null) {
                        e.printStackTrace();
                    }
                    String what = e instanceof IOException ? e.getMessage() : e.toString();
                    command.getErr().println("foresight " + command.getCommandName() + ": " + what);
                    return command.getCommandSpec().exitCodeOnExecutionException();
                })
                .execute(args));
    }
}

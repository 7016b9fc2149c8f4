/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import io.github.foresight.benchmarks.command.BenchCommand;
import io.github.foresight.benchmarks.demo.DemoCommand;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.run.Benchmark;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of {@code bin/foresight} that measure: the demo and the benchmarks on real daemons. */
@Command(
        name = "foresight",
        description = "Foresight for HDFS, measured beside stock HDFS.",
        mixinStandardHelpOptions = true,
        subcommands = {DemoCommand.class, BenchCommand.class})
public final class BenchmarksMain {

    private BenchmarksMain() {}

    /** Runs a sub-command and exits with its status; the stack of a failure is shown only if {@code FORESIGHT_DEBUG} is set. */
    public static void main(String[] args) {
        System.exit(commandLine()
                .setExecutionExceptionHandler((e, command, parsed) -> {
                    if (System.getenv("FORESIGHT_DEBUG") != null) {
                        e.printStackTrace();
                    }
                    String failure = e instanceof IOException ? e.getMessage() : e.toString();
                    command.getErr().println("foresight " + command.getCommandName() + ": " + failure);
                    return command.getCommandSpec().exitCodeOnExecutionException();
                })
                .execute(args));
    }

    /** All commands; the help text of each benchmark ends with its columns. */
    static CommandLine commandLine() {
        CommandLine all = new CommandLine(new BenchmarksMain());
        explainColumns(all);
        all.getSubcommands().values().forEach(BenchmarksMain::explainColumns);
        return all.setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static void explainColumns(CommandLine parent) {
        for (CommandLine command : parent.getSubcommands().values()) {
            if (command.getCommandSpec().userObject() instanceof Benchmark benchmark) {
                command.getCommandSpec().usageMessage().footer(Column.help(benchmark.columns()));
            }
        }
    }
}

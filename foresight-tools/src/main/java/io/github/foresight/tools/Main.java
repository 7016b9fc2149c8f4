/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools;

import io.github.foresight.tools.demo.DemoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The entry of {@code bin/foresight}. */
@Command(
        name = "foresight",
        description = "Foresight for HDFS: makes a stock HDFS cluster read ahead.",
        mixinStandardHelpOptions = true,
        subcommands = {DemoCommand.class})
public final class Main {

    private Main() {}

    /** Runs a sub-command and exits with its status. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}

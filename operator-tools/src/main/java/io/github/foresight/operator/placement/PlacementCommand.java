/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code foresight placement}: the check of the layout of files, and the migration. */
@Command(
        name = "placement",
        description =
                "Orthogonal placement: which files have one node with all their blocks, and moving what must move.",
        mixinStandardHelpOptions = true,
        subcommands = {PlacementCheckCommand.class, PlacementMigrateCommand.class})
public final class PlacementCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name what to do; accepted is check, migrate");
    }
}

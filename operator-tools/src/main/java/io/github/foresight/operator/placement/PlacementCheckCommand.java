/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code foresight placement check}: counts files in the orthogonal layout, and lists other files. */
@Command(
        name = "check",
        description =
                "Counts the files that are orthogonal: one node has a replica of each of their blocks. Lists the others."
                        + " Exit status: 0 all files are orthogonal, 1 some are not, 2 the check failed.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeOnExecutionException = 2)
final class PlacementCheckCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private ClusterOption cluster;

    @Option(
            names = "--list",
            defaultValue = "100",
            description = "The most files to list that are not orthogonal; ${DEFAULT-VALUE} if not given.")
    private int listed;

    @Option(names = "--json", description = "Answer as JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        AnswerForm form = json ? AnswerForm.JSON : AnswerForm.WORDS;
        return new LayoutCheck(listed).run(cluster, spec.commandLine().getOut(), form) ? 0 : 1;
    }
}

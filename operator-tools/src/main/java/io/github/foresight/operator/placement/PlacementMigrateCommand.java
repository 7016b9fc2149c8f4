/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import io.github.foresight.protocol.conf.ByteSize;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code foresight placement migrate}: moves replicas until files are in the orthogonal layout. */
@Command(
        name = "migrate",
        description =
                "For each block without a replica on its file's replica node, moves one replica there. May be ended at any"
                        + " time and run again: it finds the missing moves in the files' layouts. Exit status: 0 all moves are done,"
                        + " 1 some moves failed, 2 it could not start.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeOnExecutionException = 2)
final class PlacementMigrateCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private ClusterOption cluster;

    @Option(names = "--dry-run", description = "Only say what would be moved.")
    private boolean dryRun;

    @Option(
            names = "--bandwidth",
            defaultValue = "0",
            converter = Size.class,
            description = "Bytes per second over all moves, such as 100m; 0, the default, leaves it to the DataNodes'"
                    + " dfs.datanode.balance.bandwidthPerSec.")
    private long bandwidth;

    @Option(
            names = "--concurrent",
            defaultValue = "20",
            description = "Concurrent moves; ${DEFAULT-VALUE} if not given.")
    private int concurrent;

    @Option(
            names = "--concurrent-per-node",
            defaultValue = "5",
            description = "Concurrent moves that one DataNode sends or receives; ${DEFAULT-VALUE} if not given.")
    private int perNode;

    @Option(names = "--json", description = "Answer as JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (concurrent < 1 || perNode < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--concurrent and --concurrent-per-node must be at least 1");
        }
        MigrationRun run = new MigrationRun(
                spec.commandLine().getOut(), spec.commandLine().getErr(), json ? AnswerForm.JSON : AnswerForm.WORDS);
        if (dryRun) {
            run.plan(cluster);
            return 0;
        }
        return run.run(cluster, new BandwidthLimit(bandwidth), concurrent, perNode) ? 0 : 1;
    }

    /** Reads a number of bytes in Hadoop's notation, such as {@code 64m}. */
    static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return ByteSize.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}

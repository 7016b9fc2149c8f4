/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code foresight bench}: a benchmark by name. */
@Command(
        name = "bench",
        description = "Benchmarks on real daemons, stock HDFS beside Foresight.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "In a source tree, bin/foresight bench graph and bin/foresight bench placement measure with JMH (-h lists its options)."
        },
        subcommands = {
            OverheadCommand.class,
            MetadataCommand.class,
            NameNodeCommand.class,
            NameNodeLoadCommand.class,
            LeasesCommand.class,
            SmallFilesCommand.class,
            ExtentsCommand.class,
            SpaceCommand.class,
            WindowCommand.class,
            VectoredCommand.class,
            DfsioCommand.class,
            SysbenchCommand.class,
            StressCommand.class,
            SparkCommand.class,
            HBaseCommand.class,
            StartCommand.class,
            PageCommand.class,
            ReportCommand.class
        })
public final class BenchCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "name a benchmark; accepted is overhead, metadata, namenode, nnbench, leases, small-files, extents, space, window,"
                        + " vectored, dfsio, sysbench, stress, spark, hbase, start, page, and report");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.report.CsvReport;
import io.github.foresight.benchmarks.report.Header;
import io.github.foresight.benchmarks.report.JsonReport;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.report.RunConditions;
import io.github.foresight.benchmarks.report.TextReport;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * A command that measures on real daemons. It checks its options, measures, prints a table, and writes the files that its options
 * name.
 */
public abstract class Benchmark implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    /** The columns of the table, in their order; a command's help explains them as well. */
    public abstract List<Column> columns();

    /** Measures, and reports all measurements. */
    protected abstract BenchReport measure() throws IOException, InterruptedException;

    /** Whether the table of each round is printed as well. */
    protected boolean printsRounds() {
        return false;
    }

    protected final ClusterOptions cluster() {
        return cluster;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        BenchReport report = measure();
        System.out.print(TextReport.of(report, printsRounds()));
        Path json = cluster.json();
        if (json != null) {
            JsonReport.write(report, json);
        }
        Path csv = cluster.csv();
        if (csv != null) {
            Files.writeString(csv, CsvReport.of(report));
        }
        return 0;
    }

    /** A report of this benchmark. */
    protected final BenchReport report(RunConditions conditions, List<Measurement> measured, Baseline baseline)
            throws InterruptedException {
        return BenchReport.of(header(), conditions, columns(), measured, baseline);
    }

    private void checkOptions() {
        for (OptionSpec option : spec.options()) {
            if (option.userObject() instanceof Field field && field.isAnnotationPresent(AtLeast.class)) {
                long least = field.getAnnotation(AtLeast.class).value();
                Object value = option.getValue();
                Collection<?> values = value instanceof Collection<?> several ? several : List.of(value);
                for (Object each : values) {
                    cluster.require(option.longestName(), ((Number) each).longValue(), least);
                }
            }
        }
    }

    private Header header() throws InterruptedException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (OptionSpec option : spec.options()) {
            Object value = option.getValue();
            if (!option.usageHelp() && !option.versionHelp() && value != null) {
                settings.put(option.longestName(), String.valueOf(value));
            }
        }
        return new Header(
                "bin/foresight "
                        + spec.commandLine().getParseResult().originalArgs().stream()
                                .map(Benchmark::quoted)
                                .collect(Collectors.joining(" ")),
                settings,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                new Header.Software(
                        commit(),
                        version(),
                        cluster.hadoopVersion(),
                        System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version")),
                Header.Machine.here());
    }

    private @Nullable String commit() throws InterruptedException {
        String commit = Release.commit(cluster.home());
        return commit == null ? version() : commit;
    }

    /** Of the jar; null where this class is in none. */
    private static @Nullable String version() {
        return Benchmark.class.getPackage().getImplementationVersion();
    }

    private static String quoted(String argument) {
        return argument.matches("[\\w./:=,+@%-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}

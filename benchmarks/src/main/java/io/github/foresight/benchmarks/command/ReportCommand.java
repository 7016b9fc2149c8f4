/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.HtmlReport;
import io.github.foresight.benchmarks.report.ResultsPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code foresight bench report}: recorded results as one HTML page. It measures nothing. */
@Command(
        name = "report",
        description = {
            "Writes recorded results as one HTML page with tables and pictures, for a browser or for paper. Measures nothing.",
            "The page needs no other file and no network."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ReportCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            defaultValue = "benchmarks/results",
            description = "Folder of files that --json of a benchmark has written (${DEFAULT-VALUE}).")
    private Path results = Path.of("");

    @Option(
            names = "--out",
            defaultValue = "foresight-benchmarks.html",
            description = "The page to write (${DEFAULT-VALUE}).")
    private Path out = Path.of("");

    @Option(
            names = "--against",
            paramLabel = "DIR",
            description = "Folder of earlier results. A ratio whose range lies outside the earlier range is marked.")
    private @Nullable Path against;

    @Override
    public Integer call() throws IOException {
        HtmlReport.write(read(results), against == null ? new TreeMap<>() : read(against), out);
        spec.commandLine().getOut().println(out.toAbsolutePath());
        return 0;
    }

    private SortedMap<String, BenchReport> read(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new ParameterException(spec.commandLine(), "'" + folder + "' is not a folder of results");
        }
        SortedMap<String, BenchReport> reports = ResultsPage.read(folder);
        if (reports.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "'" + folder + "' has no results; --json FILE.json of a benchmark writes one");
        }
        return reports;
    }
}

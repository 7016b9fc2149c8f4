/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.report.BenchReport;
import io.github.foresight.benchmarks.report.ReportPictures;
import io.github.foresight.benchmarks.report.ResultsPage;
import io.github.foresight.benchmarks.report.TextFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code foresight bench page}: writes recorded results into the page of benchmarks. It measures nothing. */
@Command(
        name = "page",
        description = {
            "Writes the tables of recorded results into a page, and draws their pictures beside the results. Measures nothing.",
            "The text between '<!-- results: NAME -->' and '<!-- end -->' becomes the table of NAME.json. In all pages beside it, and in the"
                    + " README above, a number before '<!-- NAME; COLUMN -->' becomes that figure."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class PageCommand implements Callable<Integer> {

    @Option(
            names = "--results",
            defaultValue = "benchmarks/results",
            description = "Folder of files that --json of a benchmark has written (${DEFAULT-VALUE}).")
    private Path results = Path.of("");

    @Option(names = "--page", defaultValue = "docs/benchmarks.md", description = "The page (${DEFAULT-VALUE}).")
    private Path page = Path.of("");

    @Override
    public Integer call() throws IOException {
        SortedMap<String, BenchReport> reports = ResultsPage.read(results);
        Path folder = Objects.requireNonNull(page.toAbsolutePath().normalize().getParent(), "a file has a folder");
        String link = folder.relativize(results.toAbsolutePath().normalize()).toString();
        Files.writeString(page, ResultsPage.of(Files.readString(page), reports, link));
        for (Path beside : pages(folder)) {
            Files.writeString(beside, TextFigures.of(Files.readString(beside), reports));
        }
        for (Map.Entry<String, BenchReport> report : reports.entrySet()) {
            ReportPictures.draw(report.getValue(), results, report.getKey());
        }
        return 0;
    }

    /** The pages of a folder, and the README of the folder above. */
    private static List<Path> pages(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return Stream.concat(
                            files.filter(file -> file.toString().endsWith(".md")),
                            Stream.of(folder.resolveSibling("README.md")).filter(Files::exists))
                    .toList();
        }
    }
}

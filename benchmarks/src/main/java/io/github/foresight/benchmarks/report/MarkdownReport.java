/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A report as Markdown: a table with a row for each result, then the report's origin, conditions and targets as a list.
 *
 * <p>A figure is the median of its rounds. A ratio is the median, with the lowest and the highest ratio of a trial in brackets, or of a
 * round where there is one trial. A missing figure is a dash.
 */
final class MarkdownReport {

    private static final String MISSING = "-";

    private MarkdownReport() {}

    static String of(BenchReport report) {
        StringBuilder text = new StringBuilder();
        List<String> head = new ArrayList<>(List.of("workload", "side"));
        for (Column column : report.columns()) {
            head.add(column.heading());
            if (column.comparison() != Comparison.NONE) {
                head.add(column.comparison().heading());
            }
        }
        row(text, head);
        row(text, Collections.nCopies(head.size(), "---"));
        report.results().forEach(result -> row(text, cells(report.columns(), result)));
        text.append('\n');
        item(text, "Command: `" + report.header().command() + "`.");
        item(text, report.header().software().words() + ".");
        item(text, report.header().machineAndDate() + ".");
        item(text, TextReport.explanation(report).lines().map(String::strip).reduce("", (a, b) -> (a + " " + b)
                .strip()));
        report.conditions().sentences().forEach(sentence -> item(text, sentence));
        report.targets()
                .forEach(target ->
                        item(text, "Target: " + target.words() + ": " + (target.met() ? "met." : "**not met**.")));
        return text.toString();
    }

    private static List<String> cells(List<Column> columns, Result result) {
        List<String> cells = new ArrayList<>(List.of(result.workload().words(), result.side()));
        for (Column column : columns) {
            FigureSpread figure = result.figures().get(column.name());
            cells.add(figure == null ? MISSING : column.format(figure.value().median()));
            if (column.comparison() != Comparison.NONE) {
                cells.add(figure == null ? MISSING : RatioText.of(result, figure));
            }
        }
        return cells;
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append('|');
        for (String cell : cells) {
            boolean ruler = cell.equals("---");
            text.append(ruler ? cell : " " + cell.replace("|", "\\|") + " ").append('|');
        }
        text.append('\n');
    }

    private static void item(StringBuilder text, String words) {
        text.append("- ").append(words).append('\n');
    }
}

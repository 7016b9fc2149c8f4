/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The results of a report as comma-separated values, with a line of headings. */
public final class CsvReport {

    private CsvReport() {}

    /** A line for each result: median, lowest and highest of each figure and each ratio. Missing figures are empty. */
    public static String of(BenchReport report) {
        Set<String> parameters = new TreeSet<>();
        report.results()
                .forEach(result ->
                        parameters.addAll(result.workload().parameters().keySet()));
        List<String> head = new ArrayList<>(List.of("workload"));
        head.addAll(parameters);
        head.addAll(List.of("side", "rounds"));
        for (Column column : report.columns()) {
            head.addAll(List.of(column.heading(), column.name() + " lowest", column.name() + " highest"));
            if (column.comparison() != Comparison.NONE) {
                String ratio = column.name() + " " + column.comparison().heading();
                head.addAll(List.of(ratio, ratio + " lowest", ratio + " highest"));
            }
        }
        List<List<String>> lines = new ArrayList<>(List.of(head));
        for (Result result : report.results()) {
            List<String> line = new ArrayList<>(List.of(result.workload().words()));
            parameters.forEach(name -> line.add(result.workload().parameters().getOrDefault(name, "")));
            line.addAll(List.of(result.side(), String.valueOf(result.rounds())));
            for (Column column : report.columns()) {
                FigureSpread figure = result.figures().get(column.name());
                line.addAll(cells(figure == null ? null : figure.value()));
                if (column.comparison() != Comparison.NONE) {
                    line.addAll(cells(figure == null ? null : figure.ratio()));
                }
            }
            lines.add(line);
        }
        return lines.stream()
                .map(line -> line.stream().map(CsvReport::quoted).collect(Collectors.joining(",")) + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> cells(@Nullable Spread spread) {
        return spread == null
                ? List.of("", "", "")
                : List.of(number(spread.median()), number(spread.lowest()), number(spread.highest()));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }

    private static String quoted(String cell) {
        return cell.contains(",") || cell.contains("\"") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }
}

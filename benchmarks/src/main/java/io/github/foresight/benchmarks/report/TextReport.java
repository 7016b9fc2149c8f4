/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.TextTable;

/**
 * A report as text for a terminal: its origin, a table of each round if that is wanted, a table of all rounds, and its targets.
 *
 * <p>A table that is too wide is printed in parts, each with the workload and the side. A missing figure is a dash.
 */
public final class TextReport {

    /** Chosen, not measured. */
    private static final int WIDTH_MAX = 150;

    /** The longest line of a cell with words. Chosen, not measured. */
    private static final int WORDS_MAX = 40;

    private static final int GAP = 2;
    private static final String MISSING = "-";

    private TextReport() {}

    /** All of a report as text. */
    public static String of(BenchReport report, boolean withRounds) {
        StringBuilder text = new StringBuilder("\n");
        line(text, report.header().command());
        line(text, report.header().software().words());
        line(text, report.header().machineAndDate());
        if (withRounds) {
            text.append('\n').append(rounds(report));
        }
        text.append('\n').append(results(report)).append('\n');
        line(text, explanation(report));
        report.targets()
                .forEach(target ->
                        line(text, "Target: " + target.words() + ": " + (target.met() ? "met." : "NOT met.")));
        report.conditions().sentences().forEach(sentence -> line(text, sentence));
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append("  ").append(line).append('\n');
    }

    /** How often the figures were measured. */
    static String explanation(BenchReport report) {
        int rounds = report.results().stream().mapToInt(Result::rounds).max().orElse(0);
        int trials = report.measurements().stream()
                .mapToInt(Measurement::trial)
                .max()
                .orElse(1);
        if (trials > 1) {
            return "Medians of " + rounds + " rounds in " + trials + " trials. Ratios are taken round by round.\n"
                    + "  quartiles: of the ratios of all rounds; trials: the lowest and the highest median of a trial.";
        }
        return rounds == 1 ? "One round." : "Medians of " + rounds + " rounds. Ratios are taken round by round.";
    }

    /** A column on the terminal. */
    private record Strip(String heading, boolean words, List<String> cells) {

        static <R> Strip ofFigures(String heading, List<R> rows, Function<R, @Nullable String> cell) {
            return new Strip(
                    heading,
                    false,
                    rows.stream()
                            .map(row -> Objects.requireNonNullElse(cell.apply(row), MISSING))
                            .toList());
        }

        /** A label that is repeated from row to row is left out where all labels before it are as well. */
        static List<Strip> ofLabels(List<String> headings, List<List<String>> labels) {
            List<List<String>> columns = new ArrayList<>();
            headings.forEach(unused -> columns.add(new ArrayList<>()));
            List<String> before = List.of();
            for (List<String> row : labels) {
                boolean same = !before.isEmpty();
                for (int i = 0; i < row.size(); i++) {
                    boolean last = i == row.size() - 1;
                    same = same && !last && row.get(i).equals(before.get(i));
                    columns.get(i).add(same ? "" : wrapped(row.get(i)));
                }
                before = row;
            }
            List<Strip> strips = new ArrayList<>();
            for (int i = 0; i < headings.size(); i++) {
                strips.add(new Strip(headings.get(i), true, columns.get(i)));
            }
            return strips;
        }

        int width() {
            return GAP
                    + Math.max(
                            heading.length(),
                            cells.stream()
                                    .flatMap(String::lines)
                                    .mapToInt(String::length)
                                    .max()
                                    .orElse(0));
        }

        String aligned(String cell) {
            return words ? cell : " ".repeat(Math.max(0, width() - GAP - cell.length())) + cell;
        }
    }

    private static String rounds(BenchReport report) {
        List<Measurement> rows = report.measurements().stream()
                .sorted(Comparator.comparingInt(Measurement::trial).thenComparingInt(Measurement::round))
                .toList();
        boolean trials = rows.stream().anyMatch(row -> row.trial() > 1);
        List<Strip> labels = Strip.ofLabels(
                List.of("round", "workload", "side"),
                rows.stream()
                        .map(row -> List.of(
                                trials ? row.trial() + "." + row.round() : String.valueOf(row.round()),
                                row.workload().words(),
                                row.side()))
                        .toList());
        List<List<Strip>> figures = new ArrayList<>();
        for (Column column : report.columns()) {
            List<Strip> strips = new ArrayList<>();
            strips.add(Strip.ofFigures(column.heading(), rows, row -> {
                Double figure = row.figures().get(column.name());
                return figure == null ? null : column.format(figure);
            }));
            if (column.comparison() != Comparison.NONE) {
                strips.add(Strip.ofFigures(column.comparison().heading(), rows, row -> {
                    Double ratio = row.ratios().get(column.name());
                    return ratio == null ? null : ratio(ratio);
                }));
            }
            figures.add(strips);
        }
        return inParts(labels, figures, rows.size());
    }

    private static String results(BenchReport report) {
        List<Result> rows = report.results();
        List<Strip> labels = Strip.ofLabels(
                List.of("workload", "side"),
                rows.stream()
                        .map(row -> List.of(row.workload().words(), row.side()))
                        .toList());
        List<List<Strip>> figures = new ArrayList<>();
        for (Column column : report.columns()) {
            List<Strip> strips = new ArrayList<>();
            strips.add(Strip.ofFigures(column.heading(), rows, row -> {
                FigureSpread figure = row.figures().get(column.name());
                return figure == null ? null : column.format(figure.value().median());
            }));
            if (column.comparison() != Comparison.NONE) {
                strips.addAll(ratios(column, rows));
            }
            figures.add(strips);
        }
        return inParts(labels, figures, rows.size());
    }

    private static List<Strip> ratios(Column column, List<Result> rows) {
        List<Strip> strips = new ArrayList<>();
        strips.add(Strip.ofFigures(
                column.comparison().heading(),
                rows,
                row -> of(row, column, FigureSpread::ratio, s -> ratio(s.median()))));
        boolean trials = rows.stream().anyMatch(row -> of(row, column, FigureSpread::trials, s -> "") != null);
        if (trials) {
            strips.add(Strip.ofFigures(
                    "quartiles",
                    rows,
                    row -> of(row, column, FigureSpread::ratio, s -> range(s.lowerQuartile(), s.upperQuartile()))));
            strips.add(Strip.ofFigures(
                    "trials", rows, row -> of(row, column, FigureSpread::trials, s -> range(s.lowest(), s.highest()))));
        } else if (rows.stream().anyMatch(row -> row.rounds() > 1)) {
            strips.add(Strip.ofFigures(
                    "lowest to highest",
                    rows,
                    row -> of(row, column, FigureSpread::ratio, s -> range(s.lowest(), s.highest()))));
        }
        return strips;
    }

    private static @Nullable String of(
            Result row, Column column, Function<FigureSpread, @Nullable Spread> spread, Function<Spread, String> text) {
        FigureSpread figure = row.figures().get(column.name());
        Spread found = figure == null ? null : spread.apply(figure);
        return found == null ? null : text.apply(found);
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }

    private static String range(double low, double high) {
        return ratio(low) + " to " + ratio(high);
    }

    /** As many figures side by side as there is room for; the strips of one figure stay together. */
    private static String inParts(List<Strip> labels, List<List<Strip>> figures, int rows) {
        StringBuilder text = new StringBuilder();
        List<Strip> part = new ArrayList<>(labels);
        for (List<Strip> figure : figures) {
            boolean full = width(part) + width(figure) > WIDTH_MAX;
            if (full && part.size() > labels.size()) {
                text.append(table(part, rows)).append('\n');
                part = new ArrayList<>(labels);
            }
            part.addAll(figure);
        }
        return text.append(table(part, rows)).toString();
    }

    private static int width(List<Strip> strips) {
        return strips.stream().mapToInt(Strip::width).sum();
    }

    private static String table(List<Strip> strips, int rows) {
        TextTable table = TextTable.forColumns(
                Help.defaultColorScheme(Help.Ansi.OFF),
                strips.stream()
                        .map(strip -> new Help.Column(strip.width(), GAP, Help.Column.Overflow.TRUNCATE))
                        .toArray(Help.Column[]::new));
        table.addRowValues(
                strips.stream().map(strip -> strip.aligned(strip.heading())).toArray(String[]::new));
        for (int i = 0; i < rows; i++) {
            int row = i;
            table.addRowValues(strips.stream()
                    .map(strip -> strip.aligned(strip.cells().get(row)))
                    .toArray(String[]::new));
        }
        return table.toString();
    }

    private static String wrapped(String words) {
        StringBuilder text = new StringBuilder();
        int length = 0;
        for (String word : words.split(" ", -1)) {
            if (length > 0 && length + 1 + word.length() > WORDS_MAX) {
                text.append('\n');
                length = 0;
            } else if (length > 0) {
                text.append(' ');
                length++;
            }
            text.append(word);
            length += word.length();
        }
        return text.toString();
    }
}

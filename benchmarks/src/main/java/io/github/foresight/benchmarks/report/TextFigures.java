/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Figures of recorded results within sentences and tables that people write.
 *
 * <p>Such a figure is a number with a comment behind it, which readers do not see: {@code 4.37<!-- dfsio; throughput -->} is the ratio of
 * Foresight's throughput to stock's in {@code dfsio.json}. Two stars may stand between. Further words of the comment choose among figures:
 *
 * <ul>
 *   <li>{@code work WORDS}: the workload whose description has these words; needed where the result has several workloads.
 *   <li>{@code side WORDS}: the side with this name; Foresight if not given.
 *   <li>{@code low} and {@code high}: the lowest and the highest ratio of a round, or of a trial; the median if neither is given.
 *   <li>{@code value}: the median of the figure itself, not of its ratio.
 * </ul>
 *
 * <p>The number keeps its digits behind the point.
 */
public final class TextFigures {

    private static final Pattern FIGURE = Pattern.compile("(\\d+(?:\\.(\\d+))?)(\\**)<!-- ([^<>]*;[^<>]*) -->");

    private static final List<String> CHOICES = List.of("low", "high", "value");
    private static final String WORK = "work ";
    private static final String SIDE = "side ";

    private TextFigures() {}

    /**
     * A page with its figures made anew.
     *
     * @throws IllegalArgumentException if a comment names no figure of the reports, or several, or has other words than these
     */
    public static String of(String page, SortedMap<String, BenchReport> reports) {
        return FIGURE.matcher(page)
                .replaceAll(found -> Matcher.quoteReplacement(
                        number(found, reports) + found.group(3) + "<!-- " + found.group(4) + " -->"));
    }

    private static String number(MatchResult found, SortedMap<String, BenchReport> reports) {
        String comment = found.group(4);
        List<String> words = Arrays.asList(comment.split("; *", -1));
        BenchReport report = reports.get(words.get(0));
        if (report == null) {
            throw new IllegalArgumentException("'" + comment + "' names no result; there are " + reports.keySet());
        }
        double figure = figure(report, words.get(1), words.subList(2, words.size()), comment);
        int digits = found.group(2) == null ? 0 : found.group(2).length();
        return String.format(Locale.ROOT, "%." + digits + "f", figure);
    }

    private static double figure(BenchReport report, String column, List<String> choice, String comment) {
        for (String word : choice) {
            if (!CHOICES.contains(word) && !word.startsWith(WORK) && !word.startsWith(SIDE)) {
                throw new IllegalArgumentException("'" + comment + "' has '" + word + "'; accepted are " + CHOICES
                        + ", 'work WORDS' and 'side WORDS'");
            }
        }
        String work = after(WORK, choice, "");
        String side = after(SIDE, choice, Baseline.FORESIGHT);
        List<FigureSpread> fitting = new ArrayList<>();
        for (Result result : report.results()) {
            FigureSpread figure = result.figures().get(column);
            if (figure != null
                    && result.side().equals(side)
                    && result.workload().words().contains(work)) {
                fitting.add(figure);
            }
        }
        if (fitting.size() != 1) {
            throw new IllegalArgumentException(
                    "'" + comment + "' fits " + fitting.size() + " figures; it must fit one");
        }
        FigureSpread figure = fitting.get(0);
        if (choice.contains("value")) {
            return figure.value().median();
        }
        Spread ratio = figure.ratio();
        Spread range = figure.range();
        if (ratio == null || range == null) {
            throw new IllegalArgumentException("'" + comment + "' is a figure without a ratio; 'value' is accepted");
        }
        return choice.contains("low") ? range.lowest() : choice.contains("high") ? range.highest() : ratio.median();
    }

    private static String after(String begin, List<String> choice, String otherwise) {
        return choice.stream()
                .filter(word -> word.startsWith(begin))
                .map(word -> word.substring(begin.length()))
                .findFirst()
                .orElse(otherwise);
    }
}

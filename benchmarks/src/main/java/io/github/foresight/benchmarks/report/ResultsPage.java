/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tables and pictures of recorded results in a page of documentation.
 *
 * <p>The lines between {@code <!-- results: NAME -->} and {@code <!-- end -->} are generated from the report {@code NAME.json}. All other
 * lines of a page stay.
 */
public final class ResultsPage {

    private static final String JSON = ".json";
    private static final Pattern BEGIN = Pattern.compile("<!-- results: ([\\w.-]+) -->");
    private static final String END = "<!-- end -->";

    private ResultsPage() {}

    /** All reports in a folder, by their file names without {@code .json}. */
    public static SortedMap<String, BenchReport> read(Path folder) throws IOException {
        List<Path> files;
        try (var all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(JSON)).toList();
        }
        SortedMap<String, BenchReport> reports = new TreeMap<>();
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            reports.put(name.substring(0, name.length() - JSON.length()), JsonReport.read(file));
        }
        return reports;
    }

    /**
     * A page with its generated lines made anew.
     *
     * @param link the folder of the pictures, as the page links to it
     * @throws IllegalArgumentException if a marker has no end or no report, or if a report has no marker or several
     */
    public static String of(String page, SortedMap<String, BenchReport> reports, String link) {
        Set<String> left = new TreeSet<>(reports.keySet());
        StringBuilder made = new StringBuilder();
        String open = null;
        for (String line : page.lines().toList()) {
            Matcher begin = BEGIN.matcher(line);
            if (begin.matches()) {
                requireEnded(open);
                open = begin.group(1);
                BenchReport report = reports.get(open);
                if (report == null || !left.remove(open)) {
                    throw new IllegalArgumentException(
                            "the page has a marker of '" + open + "'; results without a marker are " + left);
                }
                made.append(line).append("\n\n").append(generated(report, open, link));
            } else if (line.equals(END)) {
                made.append('\n').append(line).append('\n');
                open = null;
            } else if (open == null) {
                made.append(line).append('\n');
            }
        }
        requireEnded(open);
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("the page has no marker '<!-- results: NAME -->' of " + left);
        }
        return made.toString();
    }

    private static void requireEnded(@Nullable String open) {
        if (open != null) {
            throw new IllegalArgumentException("the page has no '" + END + "' after the marker of '" + open + "'");
        }
    }

    private static String generated(BenchReport report, String name, String link) {
        StringBuilder text = new StringBuilder(MarkdownReport.of(report));
        for (Map.Entry<String, String> picture :
                ReportPictures.captions(report, name).entrySet()) {
            text.append("\n![").append(picture.getValue()).append("](").append(link);
            text.append('/').append(picture.getKey()).append(")\n");
        }
        return text.toString();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics that {@code docs/metrics.md} lists, so that tests can compare the page with a process's metrics. */
public final class DocumentedMetrics {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| \\w+ \\| (.*) \\|$");

    /** Hadoop writes the descriptions of these. */
    private static final Pattern OF_QUANTILES_AND_RATES = Pattern.compile("\\w+(Num[A-Z]\\w+|Percentile\\w+|AvgTime)");

    private DocumentedMetrics() {}

    /**
     * Fails unless a section of the page lists exactly these metrics, each with a text that begins with the metric's description.
     *
     * @param heading the heading of the section
     * @param descriptions by the metrics' names
     */
    public static void assertLists(String heading, Map<String, String> descriptions) {
        Map<String, String> listed = in(heading);
        assertThat(listed.keySet()).containsExactlyInAnyOrderElementsOf(descriptions.keySet());
        descriptions.forEach((name, description) -> {
            if (!OF_QUANTILES_AND_RATES.matcher(name).matches()) {
                assertThat(listed.get(name)).as(name).startsWith(description);
            }
        });
    }

    private static Map<String, String> in(String heading) {
        Path page = Documents.page("metrics.md");
        String text = Documents.text(page);
        int begin = text.indexOf("\n## " + heading + "\n");
        assertThat(begin).as("section " + heading + " of " + page).isPositive();
        int end = text.indexOf("\n## ", begin + 1);
        Matcher row = ROW.matcher(text.substring(begin, end < 0 ? text.length() : end));
        Map<String, String> texts = new TreeMap<>();
        while (row.find()) {
            texts.put(row.group(1), row.group(2).replace("`", ""));
        }
        return texts;
    }
}

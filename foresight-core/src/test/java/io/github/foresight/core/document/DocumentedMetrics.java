/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics that {@code docs/metrics.md} lists, so that tests can hold the page and a process's metrics together. */
public final class DocumentedMetrics {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

    private DocumentedMetrics() {}

    /** The names in the section of a heading; fails if there is no such section. */
    public static Set<String> in(String heading) {
        Path page = Documents.page("metrics.md");
        String text = Documents.text(page);
        int begin = text.indexOf("\n## " + heading + "\n");
        assertThat(begin).as("section " + heading + " of " + page).isPositive();
        int end = text.indexOf("\n## ", begin + 1);
        Matcher row = ROW.matcher(text.substring(begin, end < 0 ? text.length() : end));
        Set<String> names = new TreeSet<>();
        while (row.find()) {
            names.add(row.group(1));
        }
        return names;
    }
}

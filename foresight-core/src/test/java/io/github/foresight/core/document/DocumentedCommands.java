/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.document;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of {@code bin/foresight} that the README and the pages under {@code docs} name, so that tests can try them. */
public final class DocumentedCommands {

    /** Between backticks, or a whole line of a code block up to its comment. {@code bench} stands for {@code bin/foresight bench}. */
    private static final Pattern COMMAND = Pattern.compile(
            "(?:`|^ *)(?:bin/foresight (?!bench )|(?:bin/foresight )?(?=bench ))([a-z][^`#]*)(?:`|#|$)",
            Pattern.MULTILINE);

    /** A line of {@code .ci/benchmarks}; quotes are the shell's. */
    private static final Pattern SHORT_FORM = Pattern.compile("^short (bench .*)$", Pattern.MULTILINE);

    /** A line of {@code benchmarks/whole-run}: the result's name, and its command. */
    private static final Pattern RECORDED = Pattern.compile("^result (\\S+) ((?:bench|demo) .*)$", Pattern.MULTILINE);

    private DocumentedCommands() {}

    /** The benchmarks that {@code .ci/benchmarks} runs, with their options. */
    public static List<String> shortForms() {
        List<String> found = new ArrayList<>();
        Matcher matcher = SHORT_FORM.matcher(
                Documents.text(Documents.root().resolve(".ci").resolve("benchmarks")));
        while (matcher.find()) {
            found.add(matcher.group(1).replace("\"", ""));
        }
        return found;
    }

    /** The commands of all results that {@code benchmarks/whole-run} measures, by the result's name. */
    public static SortedMap<String, String> recorded() {
        SortedMap<String, String> found = new TreeMap<>();
        Matcher matcher = RECORDED.matcher(
                Documents.text(Documents.root().resolve("benchmarks").resolve("whole-run")));
        while (matcher.find()) {
            found.put(matcher.group(1), matcher.group(2));
        }
        return found;
    }

    /**
     * The documented uses of some commands, each once, in alphabetical order.
     *
     * @param names the first words of the commands
     */
    public static List<String> of(Set<String> names) {
        Set<String> found = new TreeSet<>();
        for (Path page : Documents.all()) {
            Matcher matcher = COMMAND.matcher(Documents.text(page));
            while (matcher.find()) {
                String command = matcher.group(1).trim().replaceAll("\\s+", " ");
                if (names.contains(command.split(" ")[0])) {
                    found.add(command);
                }
            }
        }
        return new ArrayList<>(found);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The commands of {@code bin/foresight} that the README and the pages under {@code docs} name, so that tests can try them. */
public final class DocumentedCommands {

    /** Between backticks, or a whole line of a code block up to its comment. {@code bench} stands for {@code bin/foresight bench}. */
    private static final Pattern COMMAND = Pattern.compile(
            "(?:`|^ *)(?:bin/foresight (?!bench )|(?:bin/foresight )?(?=bench ))([a-z][^`#]*)(?:`|#|$)",
            Pattern.MULTILINE);

    private DocumentedCommands() {}

    /**
     * The documented uses of some commands, each once, in alphabetical order.
     *
     * @param names the first words of the commands
     */
    public static List<String> of(Set<String> names) {
        Set<String> found = new TreeSet<>();
        for (Path page : pages()) {
            Matcher matcher = COMMAND.matcher(text(page));
            while (matcher.find()) {
                String command = matcher.group(1).trim().replaceAll("\\s+", " ");
                if (names.contains(command.split(" ")[0])) {
                    found.add(command);
                }
            }
        }
        return new ArrayList<>(found);
    }

    private static List<Path> pages() {
        Path root = Paths.get("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs"))) {
            root = root.getParent();
        }
        try (Stream<Path> pages = Files.list(root.resolve("docs"))) {
            return Stream.concat(Stream.of(root.resolve("README.md")), pages.filter(page -> page.toString()
                            .endsWith(".md")))
                    .collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path page) {
        try {
            return new String(Files.readAllBytes(page), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(page + " cannot be read", e);
        }
    }
}

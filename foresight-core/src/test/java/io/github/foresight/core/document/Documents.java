/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The README and the pages under {@code docs} of the source tree in which a test runs. */
public final class Documents {

    private Documents() {}

    /** A page under {@code docs}. */
    static Path page(String name) {
        return root().resolve("docs").resolve(name);
    }

    /** All of them. */
    public static List<Path> all() {
        try (Stream<Path> pages = Files.walk(root().resolve("docs"))) {
            return Stream.concat(Stream.of(root().resolve("README.md")), pages.filter(page -> page.toString()
                            .endsWith(".md")))
                    .collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a page. */
    public static String text(Path page) {
        try {
            return new String(Files.readAllBytes(page), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(page + " cannot be read", e);
        }
    }

    /** The folder that holds the README. */
    static Path root() {
        Path folder = Paths.get("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("docs"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** In the main code of all modules no two types have the same simple name. So a name in a log or in a page says which type is meant. */
final class TypeNamesTest {

    private static final String PACKAGE_PAGE = "package-info.java";

    /** Without {@code src/main/java11}, whose classes stand in for those of the same name. */
    private static List<Path> sourceFolders() throws IOException {
        try (Stream<Path> modules = Files.list(Documents.root())) {
            return modules.map(module -> module.resolve("src").resolve("main").resolve("java"))
                    .filter(Files::isDirectory)
                    .collect(Collectors.toList());
        }
    }

    private static List<String> types() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path folder : sourceFolders()) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java") && !name.equals(PACKAGE_PAGE))
                        .forEach(names::add);
            }
        }
        return names;
    }

    @Test
    void simpleNames_areUnique() throws IOException {
        assertThat(types()).hasSizeGreaterThan(400).doesNotHaveDuplicates();
    }
}

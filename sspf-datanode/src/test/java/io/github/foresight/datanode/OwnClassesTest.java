/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnClassesTest {

    @TempDir
    Path directory;

    @Test
    void names_areThoseOfOwnClasses_notOfLibraries() throws IOException {
        File jar = jar(
                "io/github/foresight/datanode/OwnClasses.class",
                "org/apache/hadoop/ipc/CallerConnection$1.class",
                "io/github/foresight/shaded/guava/common/base/Joiner.class",
                "META-INF/versions/11/io/github/foresight/datanode/OwnClasses.class",
                "com/sun/jna/Native.class",
                "io/github/foresight/datanode/notes.txt");

        assertThat(OwnClasses.namesIn(jar))
                .containsExactly("io.github.foresight.datanode.OwnClasses", "org.apache.hadoop.ipc.CallerConnection$1");
    }

    private File jar(String... entries) throws IOException {
        File file = directory.resolve("a.jar").toFile();
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file.toPath()))) {
            for (String entry : entries) {
                jar.putNextEntry(new JarEntry(entry));
                jar.closeEntry();
            }
        }
        return file;
    }

    @Test
    void classesOfThisModule_areAllLoaded() throws IOException {
        Path classes = Paths.get("target/classes");
        List<String> names;
        try (Stream<Path> files = Files.walk(classes)) {
            names = files.map(file -> classes.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF"))
                    .map(name -> name.replace(".class", "").replace('/', '.'))
                    .collect(Collectors.toList());
        }

        assertThat(names).contains("io.github.foresight.datanode.lane.VolumeLane$Errand");
        assertThat(OwnClasses.link(names)).isEmpty();
    }

    @Test
    void classThatIsMissing_isLeftOut_andTheOthersAreLoaded() {
        assertThat(OwnClasses.link(List.of("io.github.foresight.Missing", OwnClasses.class.getName())))
                .containsExactly("io.github.foresight.Missing");
    }
}

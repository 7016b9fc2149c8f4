/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jars of the release have the licenses of their parts, and no class of another project by its original name. */
final class ReleasedJarsIT {

    /** Foresight's own packages, and its classes in packages of HDFS. JNA's native code finds its classes by their original names. */
    private static final List<String> PACKAGES = List.of("io/github/foresight/", "org/apache/hadoop/");

    private static final String JNA = "com/sun/jna/";
    private static final String VERSIONED = "META-INF/versions/\\d+/";

    private static JarFile jar(String role) throws Exception {
        return new JarFile(Path.of(System.getProperty("foresight.release"), "lib", "foresight-" + role + ".jar")
                .toFile());
    }

    private static List<String> classes(JarFile jar) {
        return jar.stream()
                .map(ZipEntry::getName)
                .filter(name -> name.endsWith(".class"))
                .map(name -> name.replaceFirst(VERSIONED, ""))
                .collect(Collectors.toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"namenode", "datanode", "placement", "client", "operator", "benchmarks"})
    void jar_hasTheLicensesOfItsParts(String role) throws Exception {
        try (JarFile jar = jar(role)) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .contains("META-INF/LICENSE", "META-INF/NOTICE", "META-INF/LICENSE-third-party");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"operator", "benchmarks"})
    void jarWithJackson_hasTheLicensesOfItsNumberParser(String role) throws Exception {
        try (JarFile jar = jar(role)) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .contains(
                            "META-INF/FastDoubleParser-LICENSE",
                            "META-INF/FastDoubleParser-NOTICE",
                            "META-INF/thirdparty-LICENSE");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"namenode", "placement", "client"})
    void jar_bringsNoClassOfAnotherProject_byItsOriginalName(String role) throws Exception {
        try (JarFile jar = jar(role)) {
            assertThat(classes(jar)).isNotEmpty().allMatch(name -> PACKAGES.stream()
                    .anyMatch(name::startsWith));
        }
    }

    @Test
    void jarOfTheDataNode_bringsJnaAndNoOtherClassOfAnotherProject_byItsOriginalName() throws Exception {
        try (JarFile jar = jar("datanode")) {
            assertThat(classes(jar))
                    .anyMatch(name -> name.startsWith(JNA))
                    .allMatch(name -> name.startsWith(JNA) || PACKAGES.stream().anyMatch(name::startsWith));
        }
    }

    /** A class for later versions of Java that replaces no class is never loaded. */
    @ParameterizedTest
    @ValueSource(strings = {"namenode", "datanode", "placement", "client"})
    void classForALaterJava_replacesOneOfTheSameName(String role) throws Exception {
        try (JarFile jar = jar(role)) {
            List<String> later = jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.matches(VERSIONED + "io/github/foresight/(?!.*shaded/).*\\.class"))
                    .collect(Collectors.toList());
            assertThat(later).isNotEmpty().allMatch(name -> jar.getEntry(name.replaceFirst(VERSIONED, "")) != null);
        }
    }
}

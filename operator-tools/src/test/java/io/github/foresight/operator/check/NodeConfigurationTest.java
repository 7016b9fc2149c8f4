/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeConfigurationTest {

    @TempDir
    private Path folder;

    @Test
    void get_variables_areReplacedFromPropertiesAndEnvironment() {
        NodeConfiguration configuration = new NodeConfiguration(
                Map.of(
                        "a", "${b}/x",
                        "b", "${env.BASE}",
                        "c", "${env.ABSENT:-fallback}",
                        "d", "${unknown.name}"),
                name -> name.equals("BASE") ? "/data" : null);

        assertThat(configuration.get("a")).isEqualTo("/data/x");
        assertThat(configuration.get("c")).isEqualTo("fallback");
        assertThat(configuration.get("d")).isEqualTo("${unknown.name}");
        assertThat(configuration.get("e")).isNull();
    }

    @Test
    void get_variablesInACircle_end() {
        NodeConfiguration configuration = new NodeConfiguration(Map.of("a", "${b}", "b", "${a}"), name -> null);

        assertThat(configuration.get("a")).startsWith("${");
    }

    @Test
    void read_hdfsSite_goesBeforeCoreSite() throws IOException {
        Files.writeString(folder.resolve("core-site.xml"), property("k", "core"));
        Files.writeString(folder.resolve("hdfs-site.xml"), property("k", "hdfs"));

        assertThat(NodeConfiguration.read(folder).get("k")).isEqualTo("hdfs");
    }

    private static String property(String name, String value) {
        return "<configuration><property name=\"" + name + "\" value=\"" + value + "\"/></configuration>";
    }
}

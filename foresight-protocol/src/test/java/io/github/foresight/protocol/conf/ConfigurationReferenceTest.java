/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Checks that {@code docs/configuration.md} equals the keys; writes the page with {@code -Dforesight.docs.write=true}.
 */
class ConfigurationReferenceTest {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    private static final String INTRODUCTION = """
            <!-- SPDX-License-Identifier: Apache-2.0 -->
            <!-- Written by ConfigurationReferenceTest from the keys' definitions; do not edit. -->
            # Configuration

            All keys go into `hdfs-site.xml` (or any other file that the process loads). None has to be set.

            - A size is in bytes or has a suffix: `64m`, `1g`. A time is in milliseconds or has a suffix: `30s`, `500ms`.
            - A value that a key does not accept is logged with the key, the value and the accepted values, and Foresight stays
              off in that process; HDFS works as without it.
            - Keys are read when the process starts. `bin/foresight check` reports mistakes before that.
            """;

    private static final Map<Role, String> HEADINGS = Map.of(
            Role.NAMENODE,
            "Read by a NameNode with `dfs.namenode.plugins` naming Foresight's plugin.",
            Role.DATANODE,
            "Read by a DataNode with `dfs.datanode.fsdataset.factory` set to Foresight's factory.",
            Role.PLACEMENT,
            "Read by a NameNode with `dfs.block.replicator.classname` set to Foresight's policy.",
            Role.CLIENT,
            "Read by a client with `dfs.client.failover.proxy.provider.<host or nameservice>` set to Foresight's provider.");

    private static String render() {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        for (Role role : Role.values()) {
            page.append("\n## ").append(role.label()).append("\n\n");
            page.append(HEADINGS.get(role)).append("\n\n");
            page.append("| Key | Default | Accepted | What for |\n|---|---|---|---|\n");
            for (ConfKey<?> key : KeyCatalogue.of(role)) {
                String defaultText = key.defaultText().isEmpty() ? "(empty)" : "`" + key.defaultText() + "`";
                page.append("| `").append(key.name()).append("` | ");
                page.append(defaultText).append(" | ");
                page.append(cell(key.accepted())).append(" | ");
                page.append(cell(key.description())).append(" |\n");
            }
        }
        return page.toString();
    }

    /** Escapes characters that Markdown would read as the end of a column or as emphasis. */
    private static String cell(String text) {
        return text.replace("|", "\\|").replace("*", "\\*");
    }

    @Test
    void page_onDisk_equalsTheKeys() throws IOException {
        if (Boolean.getBoolean("foresight.docs.write")) {
            Files.createDirectories(PAGE.toAbsolutePath().normalize().getParent());
            Files.writeString(PAGE, render());
        }
        assertThat(PAGE)
                .as("run this test with -Dforesight.docs.write=true to rewrite it")
                .exists();
        assertThat(Files.readString(PAGE))
                .as("docs/configuration.md; run this test with -Dforesight.docs.write=true to rewrite it")
                .isEqualTo(render());
    }
}

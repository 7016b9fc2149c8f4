/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.conf.HadoopXml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InstallationTest {

    @TempDir
    private Path folder;

    @Test
    void of_fragment_isChangedByCopies() throws IOException {
        Path fragment = folder.resolve("fragment.xml");
        HadoopXml.write(fragment, Map.of("fs.impl", "X"));
        Installation shipped = Installation.of(folder.resolve("a.jar"), fragment);

        Installation ours = shipped.with("size", "1g");

        assertThat(ours.conf()).isEqualTo(Map.of("fs.impl", "X", "size", "1g"));
        assertThat(ours.jars()).containsExactly(folder.resolve("a.jar"));
        assertThat(shipped.conf()).isEqualTo(Map.of("fs.impl", "X"));
        assertThat(Installation.STOCK.conf()).isEmpty();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HadoopXmlTest {

    @TempDir
    private Path folder;

    @Test
    void read_whatWasWritten_isTheSame() throws IOException {
        Map<String, String> properties = Map.of("a", "1 < 2 & 3 > 2", "b.c", "");

        HadoopXml.write(folder.resolve("x.xml"), properties);

        assertThat(HadoopXml.read(folder.resolve("x.xml"))).isEqualTo(properties);
    }

    @Test
    void read_sameNameTwice_takesTheLast() throws IOException {
        assertThat(HadoopXml.read(file("<configuration><property><name>a</name><value>1</value></property>"
                        + "<property><name> a </name><value> 2 </value><final>true</final></property>"
                        + "<property><name>unset</name></property></configuration>")))
                .isEqualTo(Map.of("a", "2"));
    }

    @Test
    void read_included_countsAsItsOwn() throws IOException {
        HadoopXml.write(folder.resolve("inner.xml"), Map.of("inner", "1"));

        assertThat(HadoopXml.read(file("<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
                        + "<xi:include href=\"inner.xml\"/></configuration>")))
                .isEqualTo(Map.of("inner", "1"));
    }

    @Test
    void read_malformed_namesTheLine() throws IOException {
        Path file = file("<configuration>\n<property></configuration>");

        assertThatIOException()
                .isThrownBy(() -> HadoopXml.read(file))
                .withMessageContaining(file.toString())
                .withMessageContaining("line 2");
    }

    @Test
    void read_otherXml_isRefused() throws IOException {
        Path file = file("<beans/>");

        assertThatIOException().isThrownBy(() -> HadoopXml.read(file)).withMessageContaining("<beans>");
    }

    @Test
    void read_propertyWithoutName_isRefused() throws IOException {
        Path file = file("<configuration><property><value>1</value></property></configuration>");

        assertThatIOException().isThrownBy(() -> HadoopXml.read(file)).withMessageContaining("without a name");
    }

    private Path file(String xml) throws IOException {
        return Files.writeString(folder.resolve("site.xml"), xml);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceReaderTest {

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("trace"), text);
    }

    @Test
    void columns_areTimeClientOperationPath() throws IOException {
        Trace trace = TraceReader.read(file("1\ta\topen\t/x\n2\tb\tstat\t/y\textra\n3\ta\topen\t/x\n"), Set.of());

        assertThat(trace.size()).isEqualTo(3);
        assertThat(trace.fileCount()).isEqualTo(2);
        assertThat(trace.clientCount()).isEqualTo(2);
        assertThat(trace.file(2)).isEqualTo(trace.file(0));
        assertThat(trace.micros(1)).isEqualTo(2);
    }

    @Test
    void operationsNotNamed_areLeftOut() throws IOException {
        Trace trace = TraceReader.read(file("1\ta\topen\t/x\n2\ta\tstat\t/y\n"), Set.of("open"));

        assertThat(trace.size()).isEqualTo(1);
    }

    @Test
    void bareKeys_areOneClients() throws IOException {
        Trace trace = TraceReader.read(file("7\n8\n7\n"), Set.of());

        assertThat(trace.fileCount()).isEqualTo(2);
        assertThat(trace.clientCount()).isEqualTo(1);
    }

    @Test
    void gzip_isUnpacked() throws IOException {
        Path file = folder.resolve("trace.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("7\n8\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(TraceReader.read(file, Set.of()).size()).isEqualTo(2);
    }

    @Test
    void lineOfNeitherForm_isNamed() throws IOException {
        Path twoColumns = file("7\n8\t9\n");
        assertThatThrownBy(() -> TraceReader.read(twoColumns, Set.of()))
                .hasMessageContaining("line 2 has 2 columns")
                .hasMessageContaining("accepted");
        Path noTime = file("now\ta\topen\t/x\n");
        assertThatThrownBy(() -> TraceReader.read(noTime, Set.of())).hasMessageContaining("line 1 begins with 'now'");
    }
}

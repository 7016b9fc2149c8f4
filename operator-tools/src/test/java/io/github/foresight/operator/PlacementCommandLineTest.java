/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.conf.HadoopXml;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code foresight placement} with arguments that it must refuse: exit status 2 and the reason, before it asks any NameNode. */
final class PlacementCommandLineTest {

    private static final int NOT_BEGUN = 2;

    @TempDir
    private Path folder;

    private final StringWriter said = new StringWriter();

    private int run(String... arguments) {
        CommandLine command =
                OperatorMain.commandLine().setErr(new PrintWriter(said)).setOut(new PrintWriter(said));
        return command.execute(arguments);
    }

    private void configure(Map<String, String> core, Map<String, String> hdfs) throws IOException {
        HadoopXml.write(folder.resolve("core-site.xml"), core);
        HadoopXml.write(folder.resolve("hdfs-site.xml"), hdfs);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "placement | accepted is check, migrate",
                "placement migrate | PATH",
                "placement check | PATH",
                "placement migrate / --concurrent 0 | must be at least 1",
                "placement migrate / --concurrent-per-node 0 | must be at least 1",
                "placement migrate / --concurrent many | --concurrent",
                "placement migrate / --bandwidth fast | --bandwidth",
                "placement migrate / --bandwidth -1m | --bandwidth",
                "placement migrate / --quick | --quick",
                "placement check / --list all | --list",
            })
    void whatIsNotAccepted_isNamed(String line, String reason) {
        assertThat(run(line.split(" ", -1))).isEqualTo(NOT_BEGUN);
        assertThat(said.toString()).contains(reason);
    }

    @ParameterizedTest
    @CsvSource({"check", "migrate"})
    void configurationThatIsNotThere_isNamed(String command) {
        assertThat(run("placement", command, "/", "--conf", folder.toString())).isEqualTo(NOT_BEGUN);
        assertThat(said.toString()).contains("core-site.xml is not there or cannot be read");
    }

    @Test
    void fileSystemThatIsNotHdfs_isRefused() throws IOException {
        configure(Map.of("fs.defaultFS", "file:///"), Map.of());
        assertThat(run("placement", "migrate", "/", "--conf", folder.toString()))
                .isEqualTo(NOT_BEGUN);
        assertThat(said.toString()).contains("is not HDFS");
    }

    /** A directory that is misspelt must not have its files moved. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"tmp", "/tmp/../data", "hdfs://mycluster/tmp", "/tmp,data"})
    void excludedDirectoriesThatAreNotAccepted_endItBeforeItBegins(String excluded) throws IOException {
        configure(Map.of("fs.defaultFS", "hdfs://localhost:1"), Map.of("foresight.placement.excluded", excluded));
        assertThat(run("placement", "migrate", "/", "--dry-run", "--conf", folder.toString()))
                .isEqualTo(NOT_BEGUN);
        assertThat(said.toString()).contains("foresight.placement.excluded");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CheckCommandTest {

    private static final String CLASSPATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    private final StringWriter out = new StringWriter();

    @TempDir
    private Path conf;

    @Test
    void check_missingClass_exitsWith2() throws IOException {
        site("dfs.namenode.plugins", "org.example.Absent");

        assertThat(run("--role", "namenode")).isEqualTo(2);
        assertThat(out.toString())
                .contains("WRONG    dfs.namenode.plugins: org.example.Absent is in no jar")
                .contains("Mend: ")
                .contains("Do not restart yet: 1 wrong");
    }

    @Test
    void check_unknownKey_exitsWith1() throws IOException {
        site("foresight.datanode.cache.polizy", "lru");

        assertThat(run("--role", "namenode")).isEqualTo(1);
        assertThat(out.toString()).contains("The daemon may be restarted; ");
    }

    @Test
    void check_nothingWrong_exitsWith0() throws IOException {
        site("foresight.datanode.cache.policy", "lru");

        assertThat(run("--role", "namenode")).isLessThanOrEqualTo(1);
        assertThat(out.toString()).doesNotContain("WRONG");
    }

    @Test
    void check_json_holdsTheSameFindings() throws IOException {
        site("dfs.namenode.plugins", "org.example.Absent");

        assertThat(run("--json")).isEqualTo(2);
        JsonNode root = new ObjectMapper().readTree(out.toString());
        assertThat(root.path("status").asText()).isEqualTo("wrong");
        assertThat(root.path("findings"))
                .anyMatch(finding -> finding.path("subject").asText().equals("dfs.namenode.plugins")
                        && finding.path("severity").asText().equals("wrong")
                        && !finding.path("remedy").asText().isEmpty());
    }

    @Test
    void check_noSuchFolder_exitsWith2AndSaysSo() {
        assertThat(new CommandLine(new CheckCommand())
                        .setOut(new PrintWriter(out))
                        .execute("--conf", conf.resolve("absent").toString()))
                .isEqualTo(2);
        assertThat(out.toString()).contains("is not a directory");
    }

    @Test
    void check_folderWithoutHdfsSite_exitsWith2AndSaysSo() {
        assertThat(run()).isEqualTo(2);
        assertThat(out.toString()).contains("there is no hdfs-site.xml in " + conf);
    }

    @Test
    void check_brokenXml_namesFileAndLine() throws IOException {
        Files.writeString(conf.resolve("hdfs-site.xml"), "<configuration>\n<property>\n</configuration>\n");

        assertThat(run()).isEqualTo(2);
        assertThat(out.toString()).contains("hdfs-site.xml is not well-formed XML: line 3");
    }

    @Test
    void check_pidOfNoProcess_isWrong() throws IOException {
        site("foresight.datanode.cache.policy", "lru");
        assertThat(run("--pid", "999999999")).isEqualTo(2);
        assertThat(out.toString()).contains("there is no process 999999999");
    }

    @Test
    void check_unknownRole_isAUsageError() {
        assertThat(run("--role", "gardener")).isEqualTo(2);
        assertThat(out.toString()).contains("accepted is one of namenode, datanode, placement, client, balancer");
    }

    private int run(String... more) {
        String[] arguments = new String[more.length + 4];
        arguments[0] = "--conf";
        arguments[1] = conf.toString();
        arguments[2] = "--classpath";
        arguments[3] = CLASSPATH;
        System.arraycopy(more, 0, arguments, 4, more.length);
        return new CommandLine(new CheckCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(arguments);
    }

    private void site(String name, String value) throws IOException {
        Files.writeString(
                conf.resolve("hdfs-site.xml"),
                "<configuration><property><name>" + name + "</name><value>" + value
                        + "</value></property></configuration>");
    }
}

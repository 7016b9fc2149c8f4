/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.conf.HadoopXml;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code enable} and {@code disable} with the fragments as shipped. */
final class SiteCommandsTest {

    private static final String SITE = """
            <?xml version="1.0"?>
            <!-- Our cluster. -->
            <configuration>
              <property><name>dfs.namenode.plugins</name><value>org.example.Ours</value></property>
              <property>
                <name>dfs.replication</name> <!-- three -->
                <value>3</value>
              </property>
            </configuration>
            """;

    private final StringWriter out = new StringWriter();
    private String homeBefore;

    @TempDir
    private Path folder;

    private Path conf;
    private Path lib;
    private Path site;

    @BeforeEach
    void node() throws IOException {
        Path home = Files.createDirectories(folder.resolve("release"));
        Path jars = Files.createDirectories(home.resolve("lib"));
        for (InstalledRole role : InstalledRole.values()) {
            Files.writeString(jars.resolve(role.jar()), "jar of " + role);
        }
        Files.createSymbolicLink(home.resolve("conf"), Path.of("../conf").toRealPath());
        homeBefore = System.setProperty("foresight.home", home.toString());
        conf = Files.createDirectories(folder.resolve("etc"));
        lib = Files.createDirectories(folder.resolve("hadoop-lib"));
        site = conf.resolve("hdfs-site.xml");
        Files.writeString(site, SITE);
    }

    @AfterEach
    void restoreHome() {
        if (homeBefore == null) {
            System.clearProperty("foresight.home");
        } else {
            System.setProperty("foresight.home", homeBefore);
        }
    }

    @Test
    void enable_addsToWhatIsThere_keepsACopyAndTheRights_andShowsTheChange() throws IOException {
        Files.setPosixFilePermissions(site, PosixFilePermissions.fromString("rw-r-----"));

        assertThat(enable("namenode", "--lib", lib.toString())).isZero();

        assertThat(HadoopXml.read(site))
                .containsEntry("dfs.namenode.plugins", "org.example.Ours,io.github.foresight.namenode.ForesightPlugin")
                .containsEntry("dfs.namenode.audit.loggers", "default,io.github.foresight.namenode.ChangeAuditLogger")
                .containsEntry("dfs.replication", "3");
        assertThat(Files.getPosixFilePermissions(site)).isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
        assertThat(copies()).singleElement().satisfies(copy -> assertThat(copy).hasContent(SITE));
        assertThat(lib.resolve("foresight-namenode.jar")).hasContent("jar of NAMENODE");
        assertThat(out.toString())
                .contains("-  <property><name>dfs.namenode.plugins</name><value>org.example.Ours</value></property>")
                .contains("+  <property><name>dfs.namenode.plugins</name><value>org.example.Ours,io.github")
                .contains("check --role namenode --conf " + conf);
    }

    @Test
    void enable_again_changesNothing() throws IOException {
        enable("namenode", "--lib", lib.toString());
        String enabled = Files.readString(site);
        out.getBuffer().setLength(0);

        assertThat(enable("namenode", "--lib", lib.toString())).isZero();

        assertThat(site).hasContent(enabled);
        assertThat(copies()).hasSize(1);
        assertThat(out.toString()).contains(site + " stays as it is.").contains("jar stays as it is.");
    }

    @Test
    void disable_givesBackTheFile_forEachRole() throws IOException {
        for (InstalledRole role : InstalledRole.values()) {
            Path file = conf.resolve(role.site());
            Files.writeString(file, SITE);
            assertThat(enable(role.word())).isZero();
            assertThat(file.toFile()).content().isNotEqualTo(SITE);

            assertThat(disable(role.word())).isZero();

            assertThat(file).hasContent(SITE);
        }
    }

    @Test
    void rolesInOneFile_leaveEachOtherAlone() throws IOException {
        enable("namenode");
        String withNameNode = Files.readString(site);
        enable("datanode");
        enable("placement");
        disable("datanode");
        disable("placement");
        assertThat(site).hasContent(withNameNode);
    }

    @Test
    void dryRun_changesNothing() throws IOException {
        assertThat(enable("namenode", "--dry-run", "--lib", lib.toString())).isZero();
        assertThat(site).hasContent(SITE);
        assertThat(copies()).isEmpty();
        assertThat(lib).isEmptyDirectory();
        assertThat(out.toString())
                .contains("+    <name>foresight.namenode.learn.enabled</name>")
                .contains("Would copy ");
    }

    @Test
    void valuesThatTheOperatorChose_outliveAnotherEnable() throws IOException {
        enable("namenode");
        Files.writeString(site, Files.readString(site).replace(">256m<", ">1g<"));

        assertThat(enable("namenode")).isZero();

        assertThat(HadoopXml.read(site)).containsEntry("foresight.namenode.graph.capacity", "1g");
        assertThat(out.toString()).contains("Note: foresight.namenode.graph.capacity stays 1g; as shipped it is 256m.");
    }

    @Test
    void anotherClassOfHadoops_isNotReplaced() throws IOException {
        String other = SITE.replace("dfs.namenode.plugins", "dfs.block.replicator.classname");
        Files.writeString(site, other);

        assertThat(enable("placement", "--lib", lib.toString())).isEqualTo(1);

        assertThat(site).hasContent(other);
        assertThat(lib).isEmptyDirectory();
        assertThat(out.toString())
                .contains(site
                        + ": dfs.block.replicator.classname is org.example.Ours; Foresight needs io.github.foresight");
    }

    @Test
    void propertyInAnIncludedFile_isNamed() throws IOException {
        Files.writeString(conf.resolve("plugins.xml"), SITE);
        String including = """
                <configuration xmlns:xi="http://www.w3.org/2001/XInclude">
                  <xi:include href="plugins.xml"/>
                </configuration>
                """;
        Files.writeString(site, including);

        assertThat(enable("namenode")).isEqualTo(1);

        assertThat(site).hasContent(including);
        assertThat(out.toString()).contains("dfs.namenode.plugins is set in an included file");
    }

    @Test
    void pastedFragment_isTakenOutToo_butForItsOwnKeys() throws IOException {
        Files.copy(Path.of("../conf/foresight-datanode.xml"), site, StandardCopyOption.REPLACE_EXISTING);
        assertThat(HadoopXml.read(site)).containsKey("dfs.datanode.fsdataset.factory");

        assertThat(disable("datanode")).isZero();

        assertThat(HadoopXml.read(site).values()).noneMatch(value -> value.contains("io.github.foresight"));
        assertThat(out.toString()).contains("without Foresight nobody reads it");
    }

    @Test
    void dryRun_refusesWhatTheRunWouldRefuse() throws IOException {
        String hidden = SITE.replace("</configuration>", "<!-- </configuration> -->\n</configuration >");
        Files.writeString(site, hidden);

        assertThat(enable("datanode", "--dry-run")).isEqualTo(1);

        assertThat(site).hasContent(hidden);
        assertThat(out.toString()).contains("is written in a way that this command cannot change");
    }

    @Test
    void fileThatIsNotThere_isMade_andReadableByAll() throws IOException {
        Files.delete(site);
        assertThat(enable("datanode")).as(out.toString()).isZero();
        assertThat(HadoopXml.read(site)).containsKey("dfs.datanode.fsdataset.factory");
        assertThat(Files.getPosixFilePermissions(site)).isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(copies()).isEmpty();
    }

    @Test
    void symbolicLink_staysOne() throws IOException {
        Path real = folder.resolve("shared-site.xml");
        Files.move(site, real);
        Files.createSymbolicLink(site, real);
        enable("datanode");
        assertThat(site).isSymbolicLink();
        assertThat(HadoopXml.read(real)).containsKey("dfs.datanode.fsdataset.factory");
    }

    @Test
    void otherEncoding_isNotTouched() throws IOException {
        byte[] latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<configuration></configuration>"
                .getBytes(StandardCharsets.ISO_8859_1);
        Files.write(site, latin);
        assertThat(enable("datanode")).isEqualTo(1);
        assertThat(site).hasBinaryContent(latin);
        assertThat(out.toString()).contains("has the encoding ISO-8859-1, accepted is UTF-8");
    }

    @Test
    void marksThatNoLongerPair_areNamed() throws IOException {
        enable("datanode");
        String torn = Files.readString(site).replace("<!-- Foresight, datanode: end. -->", "");
        Files.writeString(site, torn);
        assertThat(disable("datanode")).isEqualTo(1);
        assertThat(site).hasContent(torn);
        assertThat(out.toString()).contains("must stand there once");
    }

    private List<Path> copies() throws IOException {
        try (Stream<Path> files = Files.list(conf)) {
            return files.filter(file -> file.getFileName().toString().contains(".foresight-"))
                    .toList();
        }
    }

    private int enable(String role, String... more) {
        return run("enable", role, more);
    }

    private int disable(String role) {
        return run("disable", role);
    }

    private int run(String command, String role, String... more) {
        PrintWriter writer = new PrintWriter(out, true);
        List<String> arguments = Stream.concat(Stream.of("--role", role, "--conf", conf.toString()), Stream.of(more))
                .toList();
        return new CommandLine(command.equals("enable") ? new EnableCommand() : new DisableCommand())
                .setOut(writer)
                .setErr(writer)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, commandLine, parsed) -> {
                    writer.println(e.getMessage());
                    return 1;
                })
                .execute(arguments.toArray(new String[0]));
    }
}

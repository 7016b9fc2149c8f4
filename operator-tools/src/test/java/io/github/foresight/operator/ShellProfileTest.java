/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped shell profile, with stand-ins for the two functions of Hadoop's scripts that it calls. */
class ShellProfileTest {

    private static final Path PROFILE =
            Paths.get("../conf/shellprofile.d/foresight.sh").toAbsolutePath().normalize();
    private static final String HADOOP =
            "hadoop_add_subcommand() { echo \"command: $*\"; }; hadoop_error() { echo \"$*\" >&2; }; ";

    @TempDir
    private Path folder;

    private static String output(int status, String script, String... environment) throws Exception {
        List<String> command = new ArrayList<>(Arrays.asList("env"));
        command.addAll(Arrays.asList(environment));
        command.addAll(Arrays.asList("bash", "-c", HADOOP + script));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(status);
        return output;
    }

    @Test
    void profile_ofHdfs_addsTheCommand() throws Exception {
        assertThat(output(0, ". " + PROFILE, "HADOOP_SHELL_EXECNAME=hdfs")).startsWith("command: foresight admin");
        assertThat(output(0, ". " + PROFILE, "HADOOP_SHELL_EXECNAME=yarn")).isEmpty();
    }

    @Test
    void command_ofALinkedProfile_runsItsRelease() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("foresight.sh"), PROFILE);
        assertThat(output(0, ". " + link + "; hdfs_subcommand_foresight help", "HADOOP_SHELL_EXECNAME=hdfs"))
                .contains("usage: bin/foresight COMMAND");
    }

    @Test
    void command_ofACopiedProfile_runsTheNamedRelease_orNamesTheVariable() throws Exception {
        Path copy = Files.copy(
                PROFILE,
                Files.createDirectories(folder.resolve("etc/hadoop/conf")).resolve("foresight.sh"));
        String run = ". " + copy + "; hdfs_subcommand_foresight help";
        assertThat(output(0, run, "FORESIGHT_HOME=" + release())).contains("usage: bin/foresight COMMAND");
        assertThat(output(1, run)).contains("set FORESIGHT_HOME");
    }

    private static Path release() throws IOException {
        return PROFILE.getParent().getParent().getParent().toRealPath();
    }
}

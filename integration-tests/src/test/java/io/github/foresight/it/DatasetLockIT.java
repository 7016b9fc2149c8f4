/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/**
 * Foresight replaces a new replica in HDFS's map under the same lock under which this version of HDFS puts the replica there. Foresight uses no disk
 * under this lock.
 */
final class DatasetLockIT {

    private static final long GUARD_MINUTES = 4;

    @Test
    void newBlock_isReplacedUnderHdfssOwnLockWithoutTheDisk() throws Exception {
        Path work = Files.createDirectories(
                Path.of(System.getProperty("foresight.work"), "dataset-lock-" + System.nanoTime()));
        Path output = work.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Dnet.bytebuddy.experimental=true",
                "-Djava.net.preferIPv4Stack=true",
                "-Dhadoop.log.dir=" + work,
                "-Dtest.build.data=" + work.resolve("data")));
        for (String opened : List.of("java.lang", "java.util", "java.io", "java.net")) {
            command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        command.addAll(List.of(
                "-cp",
                HadoopJvm.classpath(work, true),
                DatasetLockProbe.class.getName(),
                work.resolve("data").toString()));

        Process process = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(GUARD_MINUTES, TimeUnit.MINUTES))
                    .as("the probe ends; its output: " + output)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }

        List<String> lines = Files.readAllLines(output);
        assertThat(lines).as("output: " + output).contains(DatasetLockProbe.ENDED);
        List<String> ours = after(DatasetLockProbe.FORESIGHT, lines);
        assertThat(ours).as("output: " + output).hasSize(3);
        assertThat(ours)
                .as("locks of Foresight's, each of which HDFS has taken for a new block")
                .allMatch(lock -> lock.startsWith(level()))
                .isSubsetOf(after(DatasetLockProbe.HDFS, lines));
        assertThat(after(DatasetLockProbe.DISK, lines)).isEmpty();
    }

    private static String level() {
        String version = VersionInfo.getVersion();
        return version.startsWith("3.3.")
                ? "acquire"
                : version.startsWith("3.4.") ? "writeLock VOLUME" : "writeLock DIR";
    }

    private static List<String> after(String prefix, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .collect(Collectors.toList());
    }
}

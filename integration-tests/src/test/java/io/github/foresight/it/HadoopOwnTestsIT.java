/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hadoop's own tests pass with everything switched on: an {@code hdfs-site.xml} first on the class path configures each NameNode,
 * DataNode and client that the tests start in their JVM by the shipped fragments.
 *
 * <p>Here are the tests that failed before clients retried, asked for locations, and read what others had replaced, as stock clients do,
 * and those around them that take seconds. A test that stubs a mock on one thread while another thread calls it is left out. The tests of
 * Hadoop 3.5 are of another JUnit and another Mockito, and are not run.
 */
final class HadoopOwnTestsIT {

    private static final String HDFS = "org.apache.hadoop.hdfs.";
    private static final long GUARD_MINUTES = 8;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TestDFSClientRetries#testNamenodeRestart",
                "TestDFSClientRetries#testIdempotentAllocateBlockAndClose testFailuresArePerOperation"
                        + " testLeaseRenewSocketTimeout testGetFileChecksum testRetryOnChecksumFailure"
                        + " testNotYetReplicatedErrors",
                "TestPread#testTruncateWhileReading",
                "TestParallelRead#testParallelReadCopying testParallelReadByteBuffer testParallelReadMixed"
                        + " testParallelNoChecksums",
                "server.datanode.fsdataset.impl.TestFsDatasetImpl#testAysncDiskServiceDeleteReplica",
            })
    void hadoopsTests_everythingSwitchedOn_pass(String tests) throws IOException, InterruptedException {
        assumeFalse(VersionInfo.getVersion().startsWith("3.5"), "the tests of Hadoop 3.5 are not run");
        Path work = Files.createDirectories(
                Path.of(System.getProperty("foresight.work"), "hadoop-tests-" + System.nanoTime()));
        Path output = work.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Dnet.bytebuddy.experimental=true",
                "-Djava.net.preferIPv4Stack=true",
                "-Dhadoop.log.dir=" + work,
                "-Dtest.build.data=" + work.resolve("data"),
                "-Dtest.build.dir=" + work.resolve("data")));
        for (String opened : List.of("java.lang", "java.util", "java.io", "java.net")) {
            command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", HadoopJvm.classpath(work), HadoopTestRunner.class.getName()));
        List<String> selected = selected(tests);
        command.addAll(selected);

        Process process = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(GUARD_MINUTES, TimeUnit.MINUTES))
                    .as("the tests end; their output: " + output)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }

        List<String> lines = Files.readAllLines(output);
        assertThat(lines).as("output: " + output).noneMatch(line -> line.startsWith(HadoopTestRunner.FAILED));
        assertThat(lines.stream().filter(line -> line.startsWith(HadoopTestRunner.PASSED)))
                .as("output: " + output)
                .hasSameSizeAs(selected);
    }

    /** The tests of a class, each with the class's full name. */
    private static List<String> selected(String tests) {
        int split = tests.indexOf('#');
        String type = HDFS + tests.substring(0, split);
        return Arrays.stream(tests.substring(split + 1).split(" ", -1))
                .map(method -> type + "#" + method)
                .collect(Collectors.toList());
    }
}

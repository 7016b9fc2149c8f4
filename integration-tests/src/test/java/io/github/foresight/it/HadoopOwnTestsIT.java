/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.foresight.protocol.conf.HadoopXml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hadoop's own tests have the same outcome with all features of Foresight as on stock HDFS. An {@code hdfs-site.xml} on the class path configures
 * each NameNode, DataNode and client of a test by the shipped fragments. A failed test is repeated once, and then run without Foresight. Only a test
 * that passes without Foresight is a difference.
 *
 * <p>For most classes only selected tests are run. These tests failed in the past, when clients did not retry, ask for locations or read replaced
 * files as stock clients do. {@code -Dforesight.hadoop.tests=all} runs the whole classes, which takes minutes. Hadoop 3.5 has tests for another
 * JUnit and another Mockito; they are not run.
 */
final class HadoopOwnTestsIT {

    private static final String HADOOP = "org.apache.hadoop.";
    private static final long GUARD_MINUTES = 15;

    /** The properties of HDFS for Hadoop's contract tests. The tests read them from a file that no Maven artifact contains. */
    private static final Map<String, String> CONTRACT = contract(
            "test.root-tests-enabled",
            "is-case-sensitive",
            "supports-append",
            "supports-atomic-directory-delete",
            "supports-atomic-rename",
            "supports-block-locality",
            "supports-concat",
            "supports-content-check",
            "supports-file-reference",
            "supports-getfilestatus",
            "supports-seek",
            "supports-settimes",
            "supports-strict-exceptions",
            "supports-unbuffer",
            "supports-unix-permissions",
            "rejects-seek-past-eof",
            "rename-returns-false-if-dest-exists",
            "rename-returns-false-if-source-missing");

    private static Map<String, String> contract(String... holds) {
        Map<String, String> contract = new TreeMap<>();
        for (String option : holds) {
            contract.put("fs.contract." + option, "true");
        }
        return contract;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hdfs.TestDFSClientRetries#testNamenodeRestart",
                "hdfs.TestDFSClientRetries#testIdempotentAllocateBlockAndClose testFailuresArePerOperation"
                        + " testLeaseRenewSocketTimeout testGetFileChecksum testRetryOnChecksumFailure"
                        + " testNotYetReplicatedErrors",
                "hdfs.TestPread#testTruncateWhileReading testPreadFailureWithChangedBlockLocations"
                        + " testPreadHedgedFailureWithChangedBlockLocations",
                "hdfs.TestParallelRead",
                "hdfs.TestFileConcurrentReader",
                "hdfs.TestDFSInputStream",
                "hdfs.server.datanode.fsdataset.impl.TestFsDatasetImpl#testAysncDiskServiceDeleteReplica"
                        + " testMoveBlockSuccessWithSameMountMove testMoveBlockWithSameMountMoveWithoutSpace",
            })
    void hadoopsTests_everythingSwitchedOn_haveTheOutcomeOfStock(String tests) throws Exception {
        assertOutcomeOfStock(tests);
    }

    @ParameterizedTest
    @EnabledIfSystemProperty(
            named = "foresight.hadoop.tests",
            matches = "all",
            disabledReason = "-Dforesight.hadoop.tests=all runs Hadoop's test classes whole")
    @ValueSource(
            strings = {
                "hdfs.TestDFSClientRetries",
                "hdfs.TestPread",
                "hdfs.TestFileAppend",
                "hdfs.TestDFSInputStreamBlockLocations",
                "hdfs.server.datanode.fsdataset.impl.TestFsDatasetImpl",
            })
    void hadoopsTestClassesWhole_everythingSwitchedOn_haveTheOutcomeOfStock(String type) throws Exception {
        assertOutcomeOfStock(type);
    }

    /** Hadoop's contract tests of all file systems pass on the class that {@code fs.hdfs.impl} names. */
    @ParameterizedTest
    @ValueSource(strings = {"Open", "Seek", "Unbuffer", "VectoredRead", "PathHandle"})
    void contract_ofStreams_hasTheOutcomeOfStock(String part) throws Exception {
        assertOutcomeOfStock("fs.contract.hdfs.TestHDFSContract" + part);
    }

    @ParameterizedTest
    @EnabledIfSystemProperty(
            named = "foresight.hadoop.tests",
            matches = "all",
            disabledReason = "-Dforesight.hadoop.tests=all runs Hadoop's test classes whole")
    @ValueSource(
            strings = {
                "Append",
                "Concat",
                "Create",
                "Delete",
                "GetFileStatus",
                "Mkdir",
                "MultipartUploader",
                "Rename",
                "RootDirectory",
                "SafeMode",
                "SetTimes"
            })
    void contract_ofTheRest_hasTheOutcomeOfStock(String part) throws Exception {
        assertOutcomeOfStock("fs.contract.hdfs.TestHDFSContract" + part);
    }

    private static void assertOutcomeOfStock(String tests) throws IOException, InterruptedException {
        assumeFalse(VersionInfo.getVersion().startsWith("3.5"), "the tests of Hadoop 3.5 are not run");
        Outcome first = run(selected(tests), true);
        assertThat(first.passed).as("output: " + first.output).isNotEmpty();
        if (first.failed.isEmpty()) {
            return;
        }
        String type = HADOOP + tests.replaceFirst("#.*", "");
        Outcome again = run(named(type, first.failed), true);
        assertThat(again.passed.size() + again.failed.size())
                .as("tests repeated; output: " + again.output)
                .isPositive();
        if (again.failed.isEmpty()) {
            System.out.println("passed only when repeated: " + first.failed + ", output: " + first.output);
            return;
        }
        Outcome stock = run(named(type, again.failed), false);
        System.out.println("failed on stock HDFS too: " + stock.failed + ", output: " + stock.output);
        assertThat(again.failed)
                .as("failed with Foresight alone; output: " + again.output)
                .isSubsetOf(stock.failed);
    }

    /** The results of the tests in one JVM, by the names of the test methods. */
    private record Outcome(Path output, List<String> passed, List<String> failed) {}

    private static Outcome run(List<String> tests, boolean withForesight) throws IOException, InterruptedException {
        Path work = Files.createDirectories(
                Path.of(System.getProperty("foresight.work"), "hadoop-tests-" + System.nanoTime()));
        HadoopXml.write(Files.createDirectories(work.resolve("contract")).resolve("hdfs.xml"), CONTRACT);
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
        command.addAll(List.of("-cp", HadoopJvm.classpath(work, withForesight), HadoopTestRunner.class.getName()));
        command.addAll(tests);

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
        assertThat(Files.readString(output))
                .as("all classes of the tests are there; output: " + output)
                .doesNotContain("NoClassDefFoundError", "NoSuchMethodError");
        return new Outcome(output, said(output, HadoopTestRunner.PASSED), said(output, HadoopTestRunner.FAILED));
    }

    /** Returns the rest of each output line that begins with a text: the names of tests. */
    private static List<String> said(Path output, String beginning) throws IOException {
        return Files.readAllLines(output).stream()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()))
                .collect(Collectors.toList());
    }

    /** Returns a class, or selected tests of a class: {@code Class#test1 test2}. */
    private static List<String> selected(String tests) {
        int split = tests.indexOf('#');
        return split < 0
                ? List.of(HADOOP + tests)
                : named(
                        HADOOP + tests.substring(0, split),
                        List.of(tests.substring(split + 1).split(" ", -1)));
    }

    private static List<String> named(String type, List<String> methods) {
        // A parameterized test's name ends with its parameters in brackets.
        return methods.stream()
                .map(method -> type + "#" + method.replaceFirst("\\[.*", ""))
                .distinct()
                .collect(Collectors.toList());
    }
}

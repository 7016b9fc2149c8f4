/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.Installation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The shipped status command on a running cluster. */
@TestMethodOrder(OrderAnnotation.class)
final class StatusIT {

    private static TestCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start("status", 2, Map.of(), Map.of("dfs.replication", "2"));
        try (FileSystem client = cluster.foresightClient()) {
            long written = TestCluster.write(client, "/file", 4, (short) 2);
            assertThat(TestCluster.read(client, "/file")).isEqualTo(written);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    /** Runs the command, and returns its answer. */
    private static String status(int exitStatus, String... options) throws Exception {
        Path conf = cluster.processes().clientConf("status", Installation.STOCK);
        Path tools =
                Path.of(System.getProperty("foresight.release")).toRealPath().resolve("lib/foresight-operator.jar");
        List<String> command = cluster.processes()
                .clientCommand(conf, Installation.STOCK, List.of(tools), "io.github.foresight.operator.OperatorMain");
        command.addAll(List.of("status", "--conf", conf.toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit status, after %s", answer).isEqualTo(exitStatus);
        return answer;
    }

    @Test
    @Order(1)
    void runningCluster_isWell() throws Exception {
        TestCluster.eventually(() -> assertThat(status(0))
                .contains("(active): works")
                .containsPattern("opens +[1-9]")
                .contains("DataNodes with Foresight: 2;"));
        assertThat(status(0, "--json")).contains("\"Opens\"", "\"PrefetchedBytes\"", "\"well\" : true");
    }

    @Test
    @Order(2)
    void killedDataNode_isNamed() throws Exception {
        cluster.processes().dataNodes().get(1).kill();
        assertThat(status(1)).contains("does not answer").contains("DataNodes with Foresight: 1;");
    }
}

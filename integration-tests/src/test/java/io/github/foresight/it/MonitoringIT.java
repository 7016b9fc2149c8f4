/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.Streams;
import io.github.foresight.cluster.Daemon;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shipped series, alerts and dashboard in a real Prometheus, which scrapes real daemons in both ways: from {@code /prom}, and by jmx_exporter. In
 * this test each way is a value of the label {@code hadoop_cluster}.
 */
final class MonitoringIT {

    private static final Path SHIPPED =
            Path.of(System.getProperty("foresight.release")).resolve("conf/monitoring");
    private static final Pattern RECORDED = Pattern.compile("(?m)^ +- record: (\\S+)$");
    private static final int FILES = 8;

    private static TestCluster cluster;
    private static Prometheus prometheus;
    private static FileSystem client;

    @BeforeAll
    static void start() throws Exception {
        Prometheus.assumeInstalled();
        cluster = TestCluster.plan("monitoring")
                .dataNodes(2)
                .withPlacement()
                .onAll(Map.of("dfs.replication", "2", "hadoop.prometheus.endpoint.enabled", "true"))
                .start();
        List<Integer> pages = new ArrayList<>();
        List<Integer> exporters = new ArrayList<>();
        for (Daemon daemon : daemons()) {
            pages.add(daemon.httpPort());
            exporters.add(JmxExporter.attachTo(daemon, SHIPPED.resolve("jmx-exporter.yml")));
        }
        prometheus = Prometheus.start(
                cluster.processes().workDir().resolve("prometheus"), SHIPPED, Map.of("prom", pages, "jmx", exporters));
        eventually(() -> assertThat(prometheus.value("count(up == 1)"))
                .isEqualTo(2 * daemons().size()));
        client = cluster.foresightClient();
        work(client);
    }

    private static List<Daemon> daemons() {
        List<Daemon> daemons = new ArrayList<>(cluster.processes().dataNodes());
        daemons.add(cluster.processes().nameNode());
        return daemons;
    }

    /** Makes each feature count something, after Prometheus has seen the counters at zero. */
    private static void work(FileSystem fs) throws IOException {
        List<Long> written = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            written.add(TestCluster.write(fs, "/file" + i, 4, (short) 2));
        }
        cluster.coolDown();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < FILES; i++) {
                assertThat(TestCluster.read(fs, "/file" + i)).isEqualTo(written.get(i));
            }
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (client != null) {
            client.close();
        }
        if (prometheus != null) {
            prometheus.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"prom", "jmx"})
    void everySeries_hasValues(String way) throws Exception {
        Matcher recorded = RECORDED.matcher(Files.readString(SHIPPED.resolve("foresight-rules.yml")));
        List<String> series = recorded.results().map(found -> found.group(1)).collect(Collectors.toList());
        assertThat(series).hasSizeGreaterThan(20);
        for (String name : series) {
            eventually(() -> assertThat(prometheus.value("count(" + name + "{hadoop_cluster='" + way + "'})"))
                    .as(name)
                    .isPositive());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"prom", "jmx"})
    void seriesOfWhatWasDone_arePositive(String way) {
        for (String name : List.of(
                "namenode_running",
                "namenode_opens:rate5m",
                "namenode_hits:rate5m",
                "predicted_files_returned:rate5m",
                "lease_sessions",
                "datanode_enabled",
                "hints:rate5m",
                "prefetched_bytes:rate5m",
                "used_bytes:rate5m",
                "cache_capacity_bytes",
                "blocks_on_replica_node:rate5m")) {
            eventually(() -> assertThat(prometheus.value("sum(foresight:" + name + "{hadoop_cluster='" + way + "'})"))
                    .as(name)
                    .isPositive());
        }
        eventually(() -> assertThat(prometheus.value(
                        "sum(increase(foresight_used_bytes[10m])) + sum(increase(hadoop_datanode_usedbytes[10m]))"))
                .isGreaterThan(BLOCK));
    }

    @ParameterizedTest
    @ValueSource(strings = {"prom", "jmx"})
    void everyPanelOfTheDashboard_hasValues(String way) throws Exception {
        JsonNode dashboard = new ObjectMapper()
                .readTree(SHIPPED.resolve("foresight-dashboard.json").toFile());
        List<String> queries = Streams.stream(dashboard.path("panels"))
                .flatMap(panel -> Streams.stream(panel.path("targets")))
                .map(target -> target.path("expr").asText())
                .collect(Collectors.toList());
        assertThat(queries).hasSizeGreaterThan(15);
        for (String query : queries) {
            String expression = query.replace("$hadoop_cluster", way).replace("$instance", ".*");
            eventually(() ->
                    assertThat(prometheus.result(expression)).as(expression).isNotEmpty());
        }
    }

    @Test
    void alerts_onACluster_thatWorks_areInactive() throws Exception {
        JsonNode groups = prometheus.get("/api/v1/rules").path("data").path("groups");
        List<JsonNode> rules = Streams.stream(groups)
                .flatMap(group -> Streams.stream(group.path("rules")))
                .collect(Collectors.toList());
        assertThat(rules).allSatisfy(rule -> assertThat(rule.path("health").asText())
                .as(rule.path("lastError").asText())
                .isEqualTo("ok"));
        assertThat(rules)
                .filteredOn(rule -> rule.path("type").asText().equals("alerting"))
                .hasSizeGreaterThan(10)
                .allSatisfy(rule -> assertThat(rule.path("state").asText())
                        .as(rule.path("name").asText())
                        .isEqualTo("inactive"));
    }

    @Test
    void alerts_onAClusterWhereEverythingIsWrong_fire() throws Exception {
        Path folder = Files.createDirectories(cluster.processes().workDir().resolve("promtool"));
        Files.copy(SHIPPED.resolve("foresight-rules.yml"), folder.resolve("foresight-rules.yml"));
        try (var cases = MonitoringIT.class.getResourceAsStream("/monitoring/alerts-test.yml")) {
            Files.copy(cases, folder.resolve("alerts-test.yml"));
        }
        Process promtool = new ProcessBuilder(Prometheus.command("promtool"), "test", "rules", "alerts-test.yml")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(output).isZero();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.foresight.cluster.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A Prometheus process with the shipped rules, which scrapes and evaluates once a second. */
final class Prometheus implements AutoCloseable {

    private final Process process;
    private final int port;

    private Prometheus(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Skips the test if the two commands of Prometheus are not on this machine. */
    static void assumeInstalled() {
        for (String command : List.of("prometheus", "promtool")) {
            Assumptions.assumeTrue(
                    find(command).isPresent(),
                    command + " is not on the PATH, nor in FORESIGHT_PROMETHEUS; Debian's package 'prometheus' has it");
        }
    }

    /** Returns the path of a command of Prometheus. */
    static String command(String name) {
        return find(name).orElseThrow().toString();
    }

    private static Optional<Path> find(String command) {
        Stream<String> folders = Stream.of(System.getenv("FORESIGHT_PROMETHEUS"), System.getenv("PATH"))
                .filter(value -> value != null && !value.isEmpty())
                .flatMap(value -> Stream.of(value.split(File.pathSeparator, -1)));
        return folders.map(folder -> Path.of(folder).resolve(command))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts Prometheus.
     *
     * @param work an empty folder for its files
     * @param rules the folder of the shipped rules
     * @param targets the ports to scrape, by the value of the label {@code hadoop_cluster}
     */
    static Prometheus start(Path work, Path rules, Map<String, List<Integer>> targets) throws IOException {
        Files.createDirectories(work);
        Files.writeString(
                work.resolve("prometheus.yml"),
                "global: {scrape_interval: 1s, evaluation_interval: 1s}\n"
                        + "rule_files: ['" + rules.toRealPath().resolve("foresight-rules.yml") + "']\n"
                        + "scrape_configs:\n"
                        + new TreeMap<>(targets)
                                .entrySet().stream()
                                        .map(way -> job(way.getKey(), way.getValue()))
                                        .collect(Collectors.joining()));
        int port = FreePorts.pick();
        Process process = new ProcessBuilder(
                        command("prometheus"),
                        "--config.file=" + work.resolve("prometheus.yml"),
                        "--storage.tsdb.path=" + work.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("prometheus.log").toFile())
                .start();
        return new Prometheus(process, port);
    }

    private static String job(String cluster, List<Integer> ports) {
        return "  - job_name: " + cluster + "\n"
                + "    metrics_path: " + (cluster.equals("prom") ? "/prom" : "/metrics") + "\n"
                + "    static_configs:\n"
                + "      - labels: {hadoop_cluster: " + cluster + "}\n"
                + "        targets: "
                + ports.stream().map(port -> "'127.0.0.1:" + port + "'").collect(Collectors.toList()) + "\n";
    }

    /** Returns the result of a query: the vector's samples. */
    JsonNode result(String query) throws IOException {
        return get("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                .path("data")
                .path("result");
    }

    /** Returns the value of the only sample of a query's result; zero if there is none. */
    double value(String query) throws IOException {
        return result(query).path(0).path("value").path(1).asDouble();
    }

    JsonNode get(String path) throws IOException {
        try (InputStream answer =
                URI.create("http://127.0.0.1:" + port + path).toURL().openStream()) {
            return new ObjectMapper().readTree(answer);
        }
    }

    @Override
    public void close() {
        ProcessEnd.of(process);
    }
}

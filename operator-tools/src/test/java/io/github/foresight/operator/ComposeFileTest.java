/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The cluster of containers in {@code compose/} names files and nodes that exist. */
class ComposeFileTest {

    private static final Path FOLDER = Path.of("../compose");
    private static final Pattern SERVICE = Pattern.compile("(?m)^  (\\w+):$");
    private static final Pattern MOUNTED = Pattern.compile("(?m)^ +- (\\.\\.?/[^:]+):");
    private static final Pattern STARTED = Pattern.compile("/opt/foresight/(compose/\\w+)\"");
    private static final Pattern TARGET = Pattern.compile("'(\\w+):\\d+'");

    private static List<String> found(Pattern pattern, String file) throws IOException {
        return pattern.matcher(Files.readString(FOLDER.resolve(file)))
                .results()
                .map(match -> match.group(1))
                .distinct()
                .collect(Collectors.toList());
    }

    @Test
    void mountedFiles_areInTheRelease() throws Exception {
        assertThat(found(MOUNTED, "compose.yaml")).hasSize(5).allSatisfy(file -> assertThat(FOLDER.resolve(file))
                .isRegularFile());
    }

    @Test
    void scriptOfTheNodes_canBeRun() throws Exception {
        assertThat(found(STARTED, "compose.yaml")).singleElement().satisfies(script -> assertThat(
                        FOLDER.resolveSibling(script).normalize())
                .isExecutable());
    }

    @Test
    void prometheus_scrapesServicesOfTheCluster() throws Exception {
        assertThat(found(SERVICE, "compose.yaml"))
                .containsAll(found(TARGET, "prometheus.yml"))
                .contains("namenode", "datanode1", "grafana");
        assertThat(found(TARGET, "prometheus.yml")).hasSize(4);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.benchmarks.workload.WriteWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoTest {

    @TempDir
    private Path home;

    /** A release whose daemons end at once. */
    private Demo failingDemo() throws IOException {
        Files.createDirectories(home.resolve("lib"));
        Files.createDirectories(home.resolve("conf"));
        for (String role : new String[] {"namenode", "datanode", "client"}) {
            Files.createFile(home.resolve("lib/foresight-" + role + ".jar"));
            Files.writeString(home.resolve("conf/foresight-" + role + ".xml"), "<configuration/>");
        }
        Path directory = Files.createDirectory(home.resolve("work"));
        DemoPlan plan = new DemoPlan(
                1 << 20, 1 << 20, 1, WriteWorkload.Placement.DEALT, 1, 1, 1, 0, Path.of("/bin/false"), "64m", "3.4.3");
        return new Demo(plan, System.getProperty("java.class.path"), home, directory);
    }

    @Test
    void demoThatFails_isNotTakenForADemoThatASignalStops() throws Exception {
        Demo demo = failingDemo();
        try (demo) {
            assertThatThrownBy(demo::run).isInstanceOf(IOException.class);
        }
        assertThat(demo.isStopping()).as("its errors are reported").isFalse();
        assertThat(home.resolve("work")).doesNotExist();
    }
}

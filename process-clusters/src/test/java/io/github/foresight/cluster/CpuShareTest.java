/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuLimitTest {

    @TempDir
    private Path directory;

    private Daemon sleeping() throws IOException {
        Process process = new ProcessBuilder("sleep", "60").start();
        return new Daemon("sleeping", process, 0, directory.resolve("log"));
    }

    private static String groupsOf(Daemon daemon) throws IOException {
        return Files.readString(Path.of("/proc", String.valueOf(daemon.pid()), "cgroup"));
    }

    @Test
    void limit_putsTheDaemonInAGroup_andRemovesTheGroupAtTheEnd() throws Exception {
        Daemon daemon = sleeping();
        String group = "foresight-cpu-" + daemon.pid();
        try (CpuLimit limit = CpuLimit.of(daemon, 50)) {
            assumeThat(limit.unavailableReason()).isNull();
            assertThat(groupsOf(daemon)).contains(group);
            daemon.kill();
        } finally {
            daemon.kill();
        }
        assertThat(Path.of("/sys/fs/cgroup/cpu", group)).doesNotExist();
        assertThat(Path.of("/sys/fs/cgroup", group)).doesNotExist();
    }

    @Test
    void limit_thatTheKernelDoesNotTake_isRefused() throws Exception {
        Daemon daemon = sleeping();
        try {
            assertThatThrownBy(() -> CpuLimit.of(daemon, 9))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("percent is 9; accepted is a number from 10 on");
        } finally {
            daemon.kill();
        }
    }
}

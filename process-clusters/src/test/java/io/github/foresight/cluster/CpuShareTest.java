/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class CpuShareTest {

    private static Process sleeping() throws IOException {
        return new ProcessBuilder("sleep", "60").start();
    }

    private static String groupsOf(Process process) throws IOException {
        return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cgroup"));
    }

    private static void end(Process process) throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private static void assertGrouped(LongFunction<CpuShare> share) throws Exception {
        Process process = sleeping();
        String group = "foresight-cpu-" + process.pid();
        try (CpuShare grouped = share.apply(process.pid())) {
            assumeThat(grouped.unavailableReason()).isNull();
            assertThat(groupsOf(process)).contains(group);
            end(process);
        } finally {
            end(process);
        }
        assertThat(Path.of("/sys/fs/cgroup/cpu", group)).doesNotExist();
        assertThat(Path.of("/sys/fs/cgroup", group)).doesNotExist();
    }

    @Test
    void limited_putsTheProcessInAGroup_andRemovesTheGroupAtTheEnd() throws Exception {
        assertGrouped(pid -> CpuShare.limited(pid, 50));
    }

    @Test
    void first_putsTheProcessInAGroup_andRemovesTheGroupAtTheEnd() throws Exception {
        assertGrouped(CpuShare::first);
    }

    @Test
    void limit_thatTheKernelDoesNotTake_isRefused() {
        assertThatThrownBy(() -> CpuShare.limited(1, 9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("percent is 9; accepted is a number from 10 on");
    }
}

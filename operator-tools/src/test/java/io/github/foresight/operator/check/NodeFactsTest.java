/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.memory.LockableMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The facts about the machine: {@link DaemonJava}, {@link LockLimit} and {@link NearestName}. */
final class NodeFactsTest {

    private static final String MEMINFO = "MemTotal:       16777216 kB\nMemFree: 1 kB\n";
    private static final String LIMITS = """
        Limit                     Soft Limit           Hard Limit           Units
        Max locked memory         65536                65536                bytes
        """;

    @TempDir
    private Path conf;

    @Test
    void java_ofHadoopEnv_goesBeforeTheOneThatRunsTheCheck() throws IOException {
        Path jdk = Files.createDirectories(conf.resolve("jdk8"));
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"1.8.0_392\"\n");
        Files.writeString(
                conf.resolve("hadoop-env.sh"),
                "# export JAVA_HOME=/nowhere\nexport JAVA_HOME=\"" + jdk + "\" # ours\n");

        DaemonJava java = DaemonJava.find(conf);

        assertThat(java.feature()).isEqualTo(8);
        assertThat(java.source()).contains("hadoop-env.sh");
    }

    @Test
    void java_withoutHadoopEnv_isTheOneThatRunsTheCheck() throws IOException {
        assertThat(DaemonJava.find(conf).feature()).isEqualTo(Runtime.version().feature());
    }

    /** The same figures as the DataNode's own. */
    @Test
    void lockLimit_isThatOfTheSharedClass() {
        Map<String, String> files = Map.of(
                "/proc/meminfo", MEMINFO,
                "/proc/self/limits", LIMITS,
                "/proc/self/cgroup", "0::/datanode\n",
                "/proc/self/mountinfo", "35 24 0:30 / /cgroup rw - cgroup2 cgroup2 rw\n",
                "/cgroup/datanode/memory.max", "8589934592\n");
        LockLimit limit = LockLimit.of("hdfs", LockableMemory.read(path -> files.getOrDefault(path, ""), 0));

        assertThat(limit.lockableBytes()).isEqualTo(65536);
        assertThat(limit.machineBytes()).isEqualTo(8L << 30);
    }

    @Test
    void nearestName_slip_isFoundAndANewWordIsNot() {
        List<String> names = List.of("foresight.client.files.max", "foresight.client.hint.threads");

        assertThat(NearestName.of("foresight.client.file.max", names)).contains("foresight.client.files.max");
        assertThat(NearestName.of("foresight.elsewhere.altogether.different", names))
                .isEmpty();
        assertThat(NearestName.edits("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestName.edits("", "abc")).isEqualTo(3);
    }

    @Test
    void lockLimit_ofARunningDaemon_isItsUnitsAndLeavesItsHeapOut() {
        Map<String, String> files = Map.of(
                "/proc/meminfo", "MemTotal:       16777216 kB\n",
                "/proc/self/limits", "Max locked memory         unlimited            unlimited            bytes\n",
                "/proc/42/status", "CapEff:\t0000000000000000\n",
                "/proc/42/limits", "Max locked memory         unlimited            unlimited            bytes\n",
                "/proc/42/cgroup", "0::/system.slice/datanode.service\n",
                "/proc/42/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
                "/sys/fs/cgroup/system.slice/datanode.service/memory.max", String.valueOf(8L << 30),
                "/proc/42/cmdline", "java\0-Xmx1g\0-Xmx2048m\0org.apache.hadoop.hdfs.server.datanode.DataNode\0");
        LockLimit limit = LockLimit.ofProcess(42, path -> files.getOrDefault(path, ""));
        assertThat(limit.machineBytes()).isEqualTo(8L << 30);
        assertThat(limit.lockableBytes()).isEqualTo(6L << 30);
        assertThat(limit.isOfRunningDaemon()).isTrue();
    }
}

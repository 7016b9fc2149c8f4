/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LockableMemoryTest {

    private static final long GIB = 1L << 30;
    private static final long MACHINE = 64 * GIB;

    private final Map<String, String> files = new HashMap<>();

    @BeforeEach
    void machine() {
        files.put("/proc/meminfo", "MemTotal:       67108864 kB\nMemFree: 1 kB\n");
        files.put("/proc/self/status", "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n");
        limits("unlimited");
    }

    private void limits(String soft) {
        files.put(
                "/proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                        + "Max processes             96302                96302                processes \n"
                        + "Max locked memory         " + soft + "              unlimited            bytes     \n"
                        + "Max address space         unlimited            unlimited            bytes     \n");
    }

    private LockableMemory memory(long heapBytes) {
        return LockableMemory.read(path -> files.getOrDefault(path, ""), heapBytes);
    }

    private long lockable() {
        return memory(0).lockableBytes();
    }

    // ---- limits of the process ----

    @Test
    void process_withLimit_mayLockSoMuch() {
        limits("8388608");
        assertThat(lockable()).isEqualTo(8 << 20);
        assertThat(memory(0).machineBytes()).isEqualTo(MACHINE);
    }

    @Test
    void process_withoutLimit_mayLockTheMachine() {
        assertThat(lockable()).isEqualTo(MACHINE);
    }

    @Test
    void process_withLimitBeyondTheMachine_mayLockTheMachine() {
        limits(String.valueOf(2 * MACHINE));
        assertThat(lockable()).isEqualTo(MACHINE);
    }

    @Test
    void process_withIpcLockCapability_mayLockTheMachineWhateverTheLimit() {
        limits("0");
        files.put("/proc/self/status", "CapEff:\t0000000000004000\n");
        assertThat(lockable()).isEqualTo(MACHINE);
        files.put("/proc/self/status", "CapEff:\tffffffffffffffff\n");
        assertThat(lockable()).isEqualTo(MACHINE);
    }

    @Test
    void process_withOtherCapabilitiesOnly_isLimited() {
        limits("65536");
        files.put("/proc/self/status", "CapEff:\t000001ffffffbfff\n");
        assertThat(lockable()).isEqualTo(65536);
    }

    @Test
    void proc_unreadable_letsNothingBeLocked() {
        files.clear();
        assertThat(lockable()).isZero();
    }

    @Test
    void heap_isNotUsable() {
        assertThat(memory(48 * GIB).usableBytes()).isEqualTo(16 * GIB);
        assertThat(memory(48 * GIB).lockableBytes()).isEqualTo(16 * GIB);
        assertThat(memory(65 * GIB).usableBytes()).isZero();
    }

    @Test
    void proc_ofThisMachine_isUnderstood() {
        LockableMemory memory = LockableMemory.read(
                path -> {
                    try {
                        return Files.readString(Path.of(path));
                    } catch (IOException e) {
                        return "";
                    }
                },
                0);
        assertThat(memory.machineBytes()).isPositive();
        assertThat(memory.lockableBytes()).isBetween(0L, memory.machineBytes());
    }

    // ---- control groups ----

    private void secondVersion(String group) {
        files.put("/proc/self/cgroup", "0::" + group + "\n");
        files.put("/proc/self/mountinfo", "35 24 0:30 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
    }

    @Test
    void systemdUnitWithMemoryMax_isTheMachine() {
        secondVersion("/system.slice/hadoop-datanode.service");
        files.put("/sys/fs/cgroup/memory.max", "max\n");
        files.put("/sys/fs/cgroup/system.slice/memory.max", "max\n");
        files.put("/sys/fs/cgroup/system.slice/hadoop-datanode.service/memory.max", "8589934592\n");

        assertThat(memory(0).machineBytes()).isEqualTo(8 * GIB);
        assertThat(memory(6 * GIB).lockableBytes()).isEqualTo(2 * GIB);
    }

    @Test
    void anyAncestorsLimit_holds() {
        secondVersion("/a/b/c");
        files.put("/sys/fs/cgroup/a/memory.max", "4294967296\n");
        files.put("/sys/fs/cgroup/a/b/c/memory.max", "8589934592\n");
        assertThat(memory(0).machineBytes()).isEqualTo(4 * GIB);
    }

    @Test
    void memoryHigh_isALimitToo() {
        secondVersion("/a");
        files.put("/sys/fs/cgroup/a/memory.max", "max\n");
        files.put("/sys/fs/cgroup/a/memory.high", "4294967296\n");
        assertThat(memory(0).machineBytes()).isEqualTo(4 * GIB);
    }

    @Test
    void containerWithItsOwnGroupAsRoot_isLimitedByTheRootsFile() {
        secondVersion("/");
        files.put("/sys/fs/cgroup/memory.max", "4294967296\n");
        assertThat(memory(0).machineBytes()).isEqualTo(4 * GIB);
    }

    @Test
    void firstVersion_walksTheMemoryHierarchy() {
        files.put("/proc/self/cgroup", "9:cpu,cpuacct:/x\n4:memory:/hadoop/datanode\n0::/y\n");
        files.put("/proc/self/mountinfo", """
                34 31 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct
                35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
                """);
        files.put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        files.put("/sys/fs/cgroup/memory/hadoop/memory.limit_in_bytes", "8589934592\n");
        files.put("/sys/fs/cgroup/memory/hadoop/datanode/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(memory(0).machineBytes()).isEqualTo(8 * GIB);
    }

    /** A container without a namespace of groups: its paths count from the host's root, of which it sees a part. */
    @Test
    void firstVersion_inAContainer_findsItsPartOfTheHierarchy() {
        files.put("/proc/self/cgroup", "4:memory:/docker/4711/inner\n");
        files.put(
                "/proc/self/mountinfo",
                "35 31 0:32 /docker/4711 /sys/fs/cgroup/memory ro shared:7 - cgroup cgroup rw,memory\n");
        files.put("/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "4294967296\n");
        assertThat(memory(0).machineBytes()).isEqualTo(4 * GIB);
        files.put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2147483648\n");
        assertThat(memory(0).machineBytes()).isEqualTo(2 * GIB);
    }

    @Test
    void groupOutsideOfTheMount_isLimitedByTheMount() {
        files.put("/proc/self/cgroup", "0::/../../elsewhere\n");
        files.put("/proc/self/mountinfo", "35 24 0:30 /part /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        files.put("/sys/fs/cgroup/memory.max", "4294967296\n");
        assertThat(memory(0).machineBytes()).isEqualTo(4 * GIB);
    }

    @Test
    void nonsenseInProc_isNoLimit() {
        files.put("/proc/self/cgroup", "nonsense\n0:\n\n0::/a\n");
        files.put("/proc/self/mountinfo", "nonsense\n - \n35 24 - cgroup2\n");
        assertThat(memory(0).machineBytes()).isEqualTo(MACHINE);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.foresight.core.cache.CachingPolicyKind;
import io.github.foresight.core.memory.LockableMemory;
import io.github.foresight.protocol.conf.InvalidValueException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DataNodeSettingsTest {

    private static final long GIB = 1L << 30;

    private static DataNodeSettings read(Map<String, String> configured) {
        return DataNodeSettings.read(configured::get, 0);
    }

    @Test
    void capacity_allLockable_isAQuarterOfTheMachine() {
        assertThat(DataNodeSettings.automaticCapacity(LockableMemory.of(64 * GIB, 0, 64 * GIB), 0, true))
                .isEqualTo(16 * GIB);
    }

    @Test
    void capacity_lockLimit_isHalfOfIt() {
        assertThat(DataNodeSettings.automaticCapacity(LockableMemory.of(64 * GIB, 0, 8 * GIB), 0, true))
                .isEqualTo(4 * GIB);
    }

    @Test
    void capacity_hdfsOwnCache_goesFirst() {
        assertThat(DataNodeSettings.automaticCapacity(LockableMemory.of(64 * GIB, 0, 8 * GIB), 4 * GIB, true))
                .isEqualTo(2 * GIB);
        assertThat(DataNodeSettings.automaticCapacity(LockableMemory.of(64 * GIB, 0, 8 * GIB), 9 * GIB, true))
                .as("nothing is left to lock: an eighth, unpinned")
                .isEqualTo(8 * GIB);
    }

    @Test
    void capacity_defaultUlimit_isAnEighthUnpinned() {
        assertThat(DataNodeSettings.automaticCapacity(LockableMemory.of(64 * GIB, 0, 65_536), 0, true))
                .isEqualTo(8 * GIB);
    }

    @Test
    void capacity_cannotPin_isAnEighth() {
        assertThat(DataNodeSettings.automaticCapacity(LockableMemory.of(64 * GIB, 0, 64 * GIB), 0, false))
                .isEqualTo(8 * GIB);
    }

    @Test
    void capacity_justEnoughToLock_isPinned() {
        assertThat(DataNodeSettings.automaticCapacity(LockableMemory.of(64 * GIB, 0, 2 * GIB), 0, true))
                .isEqualTo(GIB);
        assertThat(DataNodeSettings.automaticCapacity(LockableMemory.of(64 * GIB, 0, 2 * GIB - 2), 0, true))
                .isEqualTo(8 * GIB);
    }

    /** A DataNode under systemd's MemoryMax=8G with a heap of 6 GiB. */
    @Test
    void capacity_processWithALimitAndALargeHeap_isAPartOfWhatTheHeapLeaves() {
        LockableMemory memory = LockableMemory.of(8 * GIB, 6 * GIB, Long.MAX_VALUE);
        assertThat(DataNodeSettings.automaticCapacity(memory, 0, true)).isEqualTo(GIB / 2);
        assertThat(DataNodeSettings.automaticCapacity(memory, 0, false)).isEqualTo(GIB / 4);
    }

    @Test
    void capacity_besideWindows_leavesTheirs() {
        assertThat(DataNodeSettings.besideWindows(9 * GIB, -1)).isEqualTo(8 * GIB);
        assertThat(DataNodeSettings.besideWindows(9 * GIB, 2 * GIB)).isEqualTo(7 * GIB);
        assertThat(DataNodeSettings.besideWindows(9 * GIB, 10 * GIB)).isZero();
        assertThat(DataNodeSettings.besideWindows(9 * GIB, 0)).isEqualTo(9 * GIB);
    }

    @Test
    void settings_nothingConfigured_areEnabledWithSomeCapacity() {
        DataNodeSettings settings = read(Map.of());
        assertThat(settings.isReadAheadEnabled()).isTrue();
        assertThat(settings.capacityBytes()).isPositive();
    }

    @Test
    void settings_switchedOff_areNotEnabled() {
        assertThat(read(Map.of("foresight.datanode.prefetch.enabled", "false")).isReadAheadEnabled())
                .isFalse();
        assertThat(read(Map.of("foresight.datanode.cache.capacity", "0")).isReadAheadEnabled())
                .isFalse();
    }

    @Test
    void settings_configured_reachTheCore() {
        DataNodeSettings settings = read(Map.of(
                "foresight.datanode.cache.capacity", "3g",
                "foresight.datanode.cache.policy", "lru",
                "foresight.datanode.cache.retry.time", "90s",
                "foresight.datanode.sessions.max", "17",
                "foresight.datanode.prefetch.depth.max", "9"));
        assertThat(settings.capacityBytes()).isEqualTo(3 * GIB);
        assertThat(settings.cache().capacityBytes()).isEqualTo(3 * GIB);
        assertThat(settings.cache().policy()).isEqualTo(CachingPolicyKind.LRU);
        assertThat(settings.cache().retryNanos()).isEqualTo(90_000_000_000L);
        assertThat(settings.readAhead().maxSessions()).isEqualTo(17);
        assertThat(settings.readAhead().maxDepth()).isEqualTo(9);
    }

    @Test
    void settings_invalidValue_nameKeyValueAndWhatIsAccepted() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> read(Map.of("foresight.datanode.prefetch.chunk", "4 elephants")))
                .withMessage(
                        "foresight.datanode.prefetch.chunk is '4 elephants'; accepted is a size from 64k to 64m, in"
                                + " bytes or with suffix k, m, g or t");
    }

    @Test
    void settings_anyInvalidValue_isFoundAtOnceEvenSwitchedOff() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> read(Map.of(
                        "foresight.datanode.prefetch.enabled", "false", "foresight.datanode.failures.max", "none")))
                .withMessageStartingWith("foresight.datanode.failures.max is 'none'; accepted is");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FileLimitsTest {

    private static FileLimits limits(Map<String, String> files) {
        return FileLimits.read(path -> files.getOrDefault(path, ""));
    }

    private static String openFiles(String soft) {
        return "Limit                     Soft Limit           Hard Limit           Units     \n"
                + "Max processes             96302                96302                processes \n"
                + "Max open files            " + soft + "                1048576              files     \n";
    }

    @Test
    void limits_ofAProcess_areItsSoftLimitAndTheKernels() {
        FileLimits limits =
                limits(Map.of("/proc/self/limits", openFiles("20000"), "/proc/sys/vm/max_map_count", "262144\n"));
        assertThat(limits.descriptors()).isEqualTo(20_000);
        assertThat(limits.mappings()).isEqualTo(262_144);
    }

    @Test
    void limits_unlimited_areHuge() {
        assertThat(limits(Map.of("/proc/self/limits", openFiles("unlimited"))).descriptors())
                .isGreaterThan(1L << 40);
    }

    @Test
    void limits_unreadable_areLinuxsDefaults() {
        assertThat(limits(Map.of()).descriptors()).isEqualTo(1024);
        assertThat(limits(Map.of("/proc/sys/vm/max_map_count", "what?")).mappings())
                .isEqualTo(65_530);
    }

    @Test
    void share_isRoundedDown() {
        assertThat(FileLimits.share(0.25, 1023)).isEqualTo(255);
        assertThat(FileLimits.share(0, 1023)).isZero();
        assertThat(FileLimits.share(0.9, Long.MAX_VALUE)).isPositive();
    }
}

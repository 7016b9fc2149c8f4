/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcFilesTest {

    private static final String MAP_COUNT = "/proc/sys/vm/max_map_count";

    /** The kernel gives such a file's text to the first read only, however short that is. */
    @Test
    void text_ofAKernelSetting_isWhole() {
        assumeTrue(Files.isReadable(Path.of(MAP_COUNT)), "Linux");
        assertThat(ProcFiles.text(MAP_COUNT)).matches("\\d{4,}\n");
    }

    @Test
    void text_ofAFileThatIsNotThere_isEmpty() {
        assertThat(ProcFiles.text("/proc/self/nothing")).isEmpty();
    }
}

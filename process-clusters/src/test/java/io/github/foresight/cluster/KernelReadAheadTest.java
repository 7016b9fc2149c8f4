/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

final class KernelReadAheadTest {

    @Test
    void disk_readsAhead_andSettingWhatItIs_changesNothing() throws IOException {
        KernelReadAhead readAhead = ofBuildFolder();
        int kib = readAhead.kib();

        assertThat(kib).isNotNegative();
        Assumptions.assumeTrue(Files.isWritable(readAhead.file()), "only root may change the kernel's read-ahead");
        readAhead.set(kib);
        assertThat(readAhead.kib()).isEqualTo(kib);
    }

    private static KernelReadAhead ofBuildFolder() {
        try {
            return KernelReadAhead.of(Path.of("target"));
        } catch (IOException e) {
            return Assumptions.abort("this folder is on no disk of its own: " + e.getMessage());
        }
    }

    @Test
    void folderOnNoDisk_isRefused() {
        assertThatIOException()
                .isThrownBy(() -> KernelReadAhead.of(Path.of("/proc")).kib());
    }
}

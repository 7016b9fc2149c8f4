/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LauncherTest {

    private final Launcher launcher = new Launcher();

    @TempDir
    private Path folder;

    @Test
    void stopAll_runningProcesses_endsThemAll() throws IOException, InterruptedException {
        Daemon first = launch("sleep", "60");
        Daemon second = launch("sleep", "60");

        launcher.stopAll();

        assertThat(first.isAlive()).isFalse();
        assertThat(second.isAlive()).isFalse();
    }

    @Test
    void launch_afterStopAll_isRefused() throws InterruptedException {
        launcher.stopAll();

        assertThatIOException().isThrownBy(() -> launch("sleep", "60")).withMessageContaining("being closed");
    }

    @Test
    void logTail_ofAFailedProcess_isTheEndOfWhatItSaid() throws IOException, InterruptedException {
        Daemon failed = launch("sh", "-c", "seq 1 100; echo reason >&2; exit 3");

        assertThat(failed.waitFor()).isEqualTo(3);
        assertThat(failed.logTail()).endsWith("100\nreason").doesNotContain("\n50\n");
    }

    @Test
    void kill_processThatIgnoresSigterm_endsIt() throws IOException, InterruptedException {
        Daemon stubborn = launch("sh", "-c", "trap '' TERM; sleep 60");

        stubborn.kill();

        assertThat(stubborn.isAlive()).isFalse();
    }

    private Daemon launch(String... command) throws IOException {
        return launcher.launch(command[0], List.of(command), 0, folder.resolve("log"));
    }
}

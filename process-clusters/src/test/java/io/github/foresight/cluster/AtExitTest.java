/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AtExitTest {

    private final AtExit exit = new AtExit();
    private final List<String> done = new ArrayList<>();

    @Test
    void lastAdded_isCleanedUpFirst() throws IOException {
        exit.add(() -> done.add("directory"));
        exit.add(() -> done.add("process"));
        exit.cleanUp();
        assertThat(done).containsExactly("process", "directory");
    }

    @Test
    void removed_isLeftAlone() throws IOException {
        AtExit.CleanUp process = () -> done.add("process");
        exit.add(process);
        exit.add(() -> done.add("other"));
        exit.remove(process);
        exit.cleanUp();
        assertThat(done).containsExactly("other");
    }

    @Test
    void failure_leavesTheRestToBeCleanedUp() throws IOException {
        exit.add(() -> done.add("directory"));
        exit.add(() -> {
            throw new IOException("device is busy");
        });
        exit.cleanUp();
        assertThat(done).containsExactly("directory");
    }

    @Test
    void onceItEnds_nothingMoreIsBegun() {
        exit.cleanUp();
        assertThatThrownBy(() -> exit.add(() -> {})).hasMessageContaining("ending");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FreePortsTest {

    @Test
    void pick_ports_areDifferentAndBelowThoseOfOutgoingConnections() throws IOException {
        assertThat(FreePorts.pick(14, new SplittableRandom(1)))
                .hasSize(14)
                .doesNotHaveDuplicates()
                .allMatch(port -> port >= 10_000 && port < 61_000);
    }

    @Test
    void pick_port_isNotPickedAgain() throws IOException {
        int first = FreePorts.pick(1, new SplittableRandom(7)).get(0);
        assertThat(FreePorts.pick(1, new SplittableRandom(7))).doesNotContain(first);
    }

    @Test
    void portInUse_isNotFree() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            assertThat(FreePorts.isFree(taken.getLocalPort())).isFalse();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BandwidthLimitTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void transfersInARow_areSpacedByTheirSize() {
        BandwidthLimit limit = new BandwidthLimit(1000);
        long now = -5 * SECOND;
        assertThat(limit.reserve(500, now)).isZero();
        assertThat(limit.reserve(2000, now)).isEqualTo(SECOND / 2);
        assertThat(limit.reserve(1, now)).isEqualTo(5 * SECOND / 2);
    }

    @Test
    void aPause_isNotMadeUpFor() {
        BandwidthLimit limit = new BandwidthLimit(1000);
        assertThat(limit.reserve(1000, 0)).isZero();
        assertThat(limit.reserve(1000, 60 * SECOND)).isZero();
        assertThat(limit.reserve(1000, 60 * SECOND)).isEqualTo(SECOND);
    }
}

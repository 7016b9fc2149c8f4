/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NodeLoadsTest {

    private static final long SECOND = 1_000_000_000L;

    private final NodeLoads<String> loads = new NodeLoads<>(BalanceSettings.builder()
            .maxNodes(3)
            .forgetNanos(60 * SECOND)
            .halfLifeNanos(SECOND)
            .build());

    @Test
    void load_heartbeatAndHandOuts_isTheirSum() {
        loads.heartbeat("a", 5, 0);
        loads.handedOut("a", 0);
        loads.handedOut("a", 0);
        assertThat(loads.load("a", 0)).isEqualTo(7);
        assertThat(loads.load("a", SECOND)).isCloseTo(6, within(0.1));
        assertThat(loads.load("a", 30 * SECOND)).isEqualTo(5);
    }

    @Test
    void heartbeat_keepsHandedOutReads() {
        loads.heartbeat("a", 5, 0);
        loads.handedOut("a", SECOND);
        loads.heartbeat("a", 2, SECOND);
        assertThat(loads.load("a", SECOND)).isEqualTo(3);
    }

    @Test
    void heartbeat_olderThanTheLast_changesNothing() {
        loads.heartbeat("a", 5, 10 * SECOND);
        loads.heartbeat("a", 9, 9 * SECOND);
        assertThat(loads.load("a", 10 * SECOND)).isEqualTo(5);
    }

    @Test
    void heartbeat_firstOneOlderThanAHandOut_counts() {
        loads.handedOut("a", 10 * SECOND);
        loads.heartbeat("a", 9, 9 * SECOND);
        assertThat(loads.load("a", 10 * SECOND)).isEqualTo(10);
    }

    @Test
    void heartbeat_clockWrapsAround_counts() {
        loads.heartbeat("a", 5, Long.MAX_VALUE);
        loads.heartbeat("a", 6, Long.MIN_VALUE);
        loads.handedOut("a", Long.MIN_VALUE);
        assertThat(loads.load("a", Long.MIN_VALUE)).isEqualTo(7);
    }

    @Test
    void heartbeat_belowNothing_namesTheNode() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> loads.heartbeat("a", -1, 0))
                .withMessage("xceivers must be at least 0: -1 of a");
    }

    @Test
    void load_nodeThatIsNotKnown_isTheMean() {
        assertThat(loads.load("d", 0)).isZero();
        loads.heartbeat("a", 2, 0);
        loads.heartbeat("b", 6, 0);
        loads.sweep(0);
        assertThat(loads.meanLoad()).isEqualTo(4);
        assertThat(loads.load("d", 0)).isEqualTo(4);
    }

    @Test
    void heartbeat_moreNodesThanMayBe_areNotRemembered() {
        for (String node : List.of("a", "b", "c", "d", "d")) {
            loads.heartbeat(node, 1, 0);
        }
        assertThat(loads.size()).isEqualTo(3);
        assertThat(loads.refusals()).isEqualTo(2);
        loads.handedOut("a", 0);
        assertThat(loads.load("a", 0)).isEqualTo(2);
    }

    @Test
    void sweep_nodeThatIsSilent_forgetsIt() {
        loads.heartbeat("a", 1, 0);
        loads.heartbeat("b", 3, 59 * SECOND);
        loads.handedOut("c", 0);
        loads.sweep(60 * SECOND - 1);
        assertThat(loads.size()).isEqualTo(3);
        loads.sweep(60 * SECOND);
        assertThat(loads.size()).isEqualTo(1);
        assertThat(loads.meanLoad()).isEqualTo(3);
        loads.heartbeat("d", 1, 60 * SECOND);
        assertThat(loads.size()).isEqualTo(2);
        assertThat(loads.refusals()).isZero();
    }

    @Test
    void sweep_silentNodeWithReadsHandedOut_isKept() {
        loads.heartbeat("a", 1, 0);
        loads.handedOut("a", 60 * SECOND);
        loads.sweep(61 * SECOND);
        assertThat(loads.size()).isEqualTo(1);
    }

    @Test
    void load_swept_isNeverSeenAgain() {
        loads.heartbeat("a", 0, 0);
        loads.handedOut("a", 0);
        for (long minute = 1; minute <= 10; minute++) {
            loads.heartbeat("a", 0, minute * 60 * SECOND);
            loads.sweep(minute * 60 * SECOND);
        }
        // So many ticks of 2^25 ns later that the difference is negative.
        long later = ((1L << 31) + 5) << 25;
        assertThat(loads.load("a", later)).isZero();
    }

    @Test
    @Timeout(60)
    void handedOut_byManyThreads_losesNone() throws Exception {
        int threads = 4;
        int each = 20_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                done.add(executor.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        loads.handedOut(i % 2 == 0 ? "a" : "b", 0);
                    }
                }));
            }
            for (Future<?> future : done) {
                future.get();
            }
        } finally {
            executor.shutdownNow();
            executor.awaitTermination(10, TimeUnit.SECONDS);
        }
        assertThat(loads.load("a", 0)).isEqualTo(threads * each / 2.0);
        assertThat(loads.load("b", 0)).isEqualTo(threads * each / 2.0);
        assertThat(loads.size()).isEqualTo(2);
    }
}

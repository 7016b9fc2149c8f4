/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.graph.GraphSettings;
import io.github.foresight.core.graph.PackedGraph;
import io.github.foresight.core.graph.Predictor;
import io.github.foresight.core.graph.PrefetchGroup;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.core.graph.WeightScheme;
import org.junit.jupiter.api.Test;

class ClientSessionTest {

    private static final double DEMANDED = 0.25;
    private static final long HERE = 0x1234_5678_9abc_def0L;
    private static final long ELSEWHERE = 42;

    private final Predictor predictor = new Predictor(
            new PackedGraph(1 << 16, new GraphSettings(4, 65535, 0)),
            null,
            WeightScheme.EXPONENTIAL,
            0.05,
            true,
            false);
    private final Usefulness usefulness = new Usefulness(DEMANDED, 6, 200);
    private final PrefetchGroup group = new PrefetchGroup(4);

    private static ClientSession session(long scope) {
        return new ClientSession(scope, 2, Long.MAX_VALUE, DEMANDED);
    }

    private void open(ClientSession session, long file) {
        session.opened(predictor, file, 0, usefulness, group);
    }

    @Test
    void learnsFromOthersOfItsScope() {
        session(HERE).opened(predictor, new long[] {1, 2}, new long[2], 2);
        ClientSession other = session(HERE);

        open(other, 1);

        assertThat(group.size()).isEqualTo(1);
        assertThat(other.file(group.file(0))).isEqualTo(2);
    }

    @Test
    void learnsNothingFromOtherScopes() {
        session(HERE).opened(predictor, new long[] {1, 2}, new long[2], 2);

        open(session(ELSEWHERE), 1);

        assertThat(group.size()).isZero();
    }

    @Test
    void toldOfMuchAndUsingNothing_isPredictedNothing() {
        ClientSession session = session(HERE);
        session.opened(predictor, new long[] {1, 2, 3}, new long[3], 3);
        for (int i = 0; i < 17; i++) {
            session.noteHeld(100 + i, Long.MAX_VALUE);
        }

        open(session, 1);
        assertThat(group.size()).isZero();

        session.used(5);
        open(session, 2);
        assertThat(session.file(group.file(0))).isEqualTo(3);
    }

    @Test
    void grantedFile_mayBeHeld_untilItsTimeIsOver_orTheClientOpensIt() {
        ClientSession session = session(HERE);
        session.noteHeld(7, 100);

        assertThat(session.mayHold(7, 99)).isTrue();
        assertThat(session.mayHold(7, 100)).isFalse();

        open(session, 7);
        assertThat(session.mayHold(7, 0)).isFalse();
    }
}

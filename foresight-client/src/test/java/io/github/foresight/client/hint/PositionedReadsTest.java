/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.hint.ReadIntent;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small reads by position, from front to back or elsewhere. */
class PositionedReadsTest extends HintFixture {

    private static final int READ = 64 << 10;

    private PositionedReads reads;

    @BeforeEach
    void stream() {
        reads = new PositionedReads(path, POOL, CLIENT, EVIDENCE);
    }

    private void readOn(long from, long to) {
        for (long at = from; at < to; at += READ) {
            reads.read(at, READ);
        }
    }

    @Test
    void readsInSequence_areHinted_onceTheEvidenceIsThere() {
        opened(6);
        readOn(0, EVIDENCE - READ);
        staysAt(0);
        readOn(EVIDENCE - READ, EVIDENCE);

        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(0), true)).containsExactly(0L, 3L));
        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(2), true)).containsExactly(2L, 5L));
        readOn(EVIDENCE, BLOCK_BYTES);
        staysAt(3);
    }

    @Test
    void readsElsewhere_releaseTheHints_andANewSequenceIsHintedAnew() {
        opened(6);
        readOn(0, EVIDENCE);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(3));
        for (long block = 5; block > 1; block--) {
            reads.read(block * BLOCK_BYTES, READ);
        }
        await().untilAsserted(() -> assertThat(requests(OpType.RELEASE)).hasSize(3));

        readOn(4 * BLOCK_BYTES, 4 * BLOCK_BYTES + 2 * EVIDENCE);
        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(1), true)).containsExactly(1L, 4L, 4L));
        assertThat(hintedBy(dataNodes.get(2), true)).containsExactly(2L, 5L, 5L);
    }

    @Test
    void longFile_getsMoreOfItsLayout_asTheReadsComeToItsEnd() {
        located(0, layout(0, 4, 40, 1, null));
        readOn(0, EVIDENCE);
        await().untilAsserted(() -> assertThat(layoutQuestions).containsExactly(4 * BLOCK_BYTES));
        readOn(EVIDENCE, 4 * BLOCK_BYTES + READ);

        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(0), true)).contains(9L));
    }

    @Test
    void applicationThatReadsAtRandom_byItsOwnWord_isNotHinted() {
        OpenFiles.Opening opening = OpenFiles.INSTANCE.opening(path, ReadIntent.of("hbase", 0));
        OpenFiles.INSTANCE.opened(path, layout(0, 6, 6, 1, null), settings, sender, (file, from) -> null);
        opening.end();
        readOn(0, 2 * BLOCK_BYTES);
        staysAt(0);
    }

    @Test
    void fileThatIsNotKnown_isMerelyRead() {
        readOn(0, BLOCK_BYTES);
        staysAt(0);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.hint.ReadIntent;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small reads by position, from front to back or elsewhere. */
class PositionedReadsTest extends HintFixture {

    private static final int READ = 64 << 10;

    private final AtomicLong nanos = new AtomicLong();
    private PositionedReads reads;

    @BeforeEach
    void stream() {
        reads = new PositionedReads(path, POOL, CLIENT, settings, false, nanos::get);
    }

    private void readOn(long from, long to) {
        for (long at = from; at < to; at += READ) {
            reads.read(at, READ);
        }
    }

    @Test
    void readsInSequence_onceTheEvidenceIsThere_getTheNextBlockHinted() {
        opened(6);
        readOn(0, EVIDENCE - READ);
        staysAt(0);
        readOn(EVIDENCE - READ, EVIDENCE);

        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(0), true)).containsExactly(0L));
        await().untilAsserted(() -> assertThat(hintedBy(dataNodes.get(1), true)).containsExactly(1L));
        readOn(EVIDENCE, BLOCK_BYTES);
        staysAt(2);
    }

    @Test
    void readerAsSlowAsADisk_getsTwoMoreBlocksHinted_andAFasterOneAllThatItWillReach() {
        opened(40);
        readOn(0, EVIDENCE);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        readOn(EVIDENCE, BLOCK_BYTES + READ);
        // 60 MiB in 2 s are 150 MiB in 5 s, which end in block 3.
        await().untilAsserted(() -> assertThat(allHinted()).containsExactlyInAnyOrder(0L, 1L, 1L, 2L, 3L));

        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(500));
        readOn(BLOCK_BYTES + READ, 2 * BLOCK_BYTES + READ);
        // 64 MiB in half a second are ten blocks in 5 s.
        await().untilAsserted(() -> assertThat(allHinted()).contains(11L, 12L).doesNotContain(13L));
    }

    private List<Long> allHinted() {
        return dataNodes.stream().flatMap(node -> hintedBy(node, true).stream()).toList();
    }

    @Test
    void readsElsewhere_releaseTheHints_andANewSequenceIsHintedAnew() {
        opened(6);
        readOn(0, EVIDENCE);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(2));
        for (long block = 5; block > 1; block--) {
            reads.read(block * BLOCK_BYTES, READ);
        }
        await().untilAsserted(() -> assertThat(requests(OpType.RELEASE)).hasSize(2));

        readOn(4 * BLOCK_BYTES, 4 * BLOCK_BYTES + 2 * EVIDENCE);
        await().untilAsserted(() -> assertThat(allHinted()).containsExactlyInAnyOrder(0L, 1L, 4L, 5L));
    }

    @Test
    void longFile_getsMoreOfItsLayout_asTheReadsComeToItsEnd() {
        located(0, layout(0, 4, 40, 1));
        readOn(0, EVIDENCE);
        await().untilAsserted(() -> assertThat(layoutQuestions).containsExactly(4 * BLOCK_BYTES));
        readOn(EVIDENCE, 4 * BLOCK_BYTES + READ);

        await().untilAsserted(() -> assertThat(allHinted()).contains(5L));
    }

    @Test
    void applicationThatReadsAtRandom_byItsOwnWord_isNotHinted() {
        OpenFiles.Opening opening = OpenFiles.INSTANCE.opening(path, ReadIntent.of("hbase", 0));
        OpenFiles.INSTANCE.opened(path, layout(0, 6, 6, 1), settings, sender, (file, from) -> null);
        opening.end();
        readOn(0, 2 * BLOCK_BYTES);
        staysAt(0);
    }

    @Test
    void close_releasesTheHints_onceAndWhereThereAreAny() {
        opened(6);
        reads.end();
        readOn(0, EVIDENCE);
        await().untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(2));
        assertThat(requests(OpType.RELEASE)).isEmpty();
        reads.end();
        reads.end();

        await().untilAsserted(() -> assertThat(requests(OpType.RELEASE)).hasSize(2));
        await().during(QUIET)
                .untilAsserted(() -> assertThat(requests(OpType.RELEASE)).hasSize(2));
    }

    @Test
    void fileWithAWindow_isHintedForReadsThatAreTooLongForTheWindow_andForNoOthers() {
        long most = settings.windows().reachBytes();
        reads = new PositionedReads(path, POOL, CLIENT, settings, true, nanos::get);
        opened(6);
        for (long at = 0; at < BLOCK_BYTES; at += most) {
            reads.read(at, most);
        }
        staysAt(0);
        for (long at = 0; at < BLOCK_BYTES / 2; at += most + 1) {
            reads.read(at, most + 1);
        }
        await().untilAsserted(() -> assertThat(allHinted()).containsExactlyInAnyOrder(0L, 1L));
    }

    @Test
    void shortReads_areNotHinted() {
        opened(6);
        for (long at = 0; at < 2 * BLOCK_BYTES; at += READ) {
            reads.read(at, READ - 1);
        }
        staysAt(0);
    }

    @Test
    void fileThatIsNotKnown_isMerelyRead() {
        readOn(0, BLOCK_BYTES);
        staysAt(0);
    }
}

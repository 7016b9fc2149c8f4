/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What DataNodes are told of files that are predicted, and whose blocks have several replicas. */
class PredictedFilesTest extends ReplicasFixture {

    @Test
    void predictedFileOfLongBlocks_isWarmed_upToTheEvidence_whereItsFirstPartIsRead() {
        sender.warm(List.of(new HintSender.FirstReads(layout(2, nodes), 0)));

        FakeDataNode first = dataNodes.stream()
                .filter(each -> each.info().getDatanodeUuid().equals(order().get(0)))
                .findAny()
                .orElseThrow();
        await().untilAsserted(() -> assertThat(first.requests(OpType.WARM)).hasSize(1));
        HintedBlockProto begin = first.requests(OpType.WARM).get(0).getBlocks(0);
        assertThat(begin.getRangeOffset()).isZero();
        assertThat(begin.getRangeLength()).isEqualTo(EVIDENCE);
        assertThat(begin.getLength()).isEqualTo(BLOCK_BYTES);
        await().during(QUIET)
                .untilAsserted(() -> assertThat(requests(OpType.WARM)).hasSize(1));
    }

    @Test
    void predictedFileOfALongBlock_thatIsReadFromItsEnd_isWarmedThereAlone() {
        sender.warm(List.of(new HintSender.FirstReads(layout(1, nodes), MIB)));

        await().untilAsserted(() -> assertThat(requests(OpType.WARM)).hasSize(1));
        HintRequestProto request = requests(OpType.WARM).get(0);
        assertThat(request.getBlocksList()).singleElement().satisfies(footer -> {
            assertThat(footer.getRangeOffset()).isEqualTo(BLOCK_BYTES - MIB);
            assertThat(footer.getRangeLength()).isEqualTo(MIB);
        });
    }

    @Test
    void predictedFileOfShortBlocks_isWarmedByItsWholeFirstBlock() throws IOException {
        configured("foresight.client.hint.min.bytes", String.valueOf(BLOCK_BYTES));
        configured("foresight.client.hint.part.replicas", "1");
        sender.warm(List.of(new HintSender.FirstReads(layout(1, nodes), MIB)));

        await().untilAsserted(() -> assertThat(requests(OpType.WARM)).hasSize(1));
        assertThat(requests(OpType.WARM).get(0).getBlocksList())
                .singleElement()
                .matches(block -> !block.hasRangeOffset());
    }
}

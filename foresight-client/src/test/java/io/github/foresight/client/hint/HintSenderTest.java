/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import io.github.foresight.client.hint.HintSender.ProgressListener;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.protocol.hint.HintTarget;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HintSenderTest {

    private static final long FILE = 42;
    private static final long BLOCK_BYTES = 1 << 20;
    private static final long FOOTER = 64 << 10;

    private final Configuration conf = new Configuration();
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }

    private HintSender sender() throws IOException {
        HintSender sender = new HintSender(ClientSettings.read(conf), conf, UserGroupInformation.getCurrentUser());
        opened.add(0, sender);
        return sender;
    }

    private FakeDataNode dataNode() throws IOException {
        FakeDataNode dataNode = FakeDataNode.start("a");
        opened.add(dataNode);
        return dataNode;
    }

    private static List<Placed<HintTarget>> sequence(DatanodeInfo node, Token<BlockTokenIdentifier> token, int blocks) {
        List<Placed<HintTarget>> sequence = new ArrayList<>();
        for (int i = 0; i < blocks; i++) {
            HintedBlock block = new HintedBlock(new BlockKey("BP-1", 100 + i), 7, i * BLOCK_BYTES, BLOCK_BYTES);
            sequence.add(new Placed<>(block, new HintTarget(node, token)));
        }
        return sequence;
    }

    private static void hint(HintSender sender, DatanodeInfo node, ProgressListener answered) {
        List<Placed<HintTarget>> sequence = sequence(node, new Token<>(), 2);
        sender.hint(FILE, "client", sequence.get(0).node(), sequence, true, answered);
    }

    @Test
    void hint_carriesEachBlockInOrderAndItsToken() throws Exception {
        FakeDataNode dataNode = dataNode();
        Token<BlockTokenIdentifier> token =
                new Token<>(new byte[] {1, 2}, new byte[] {3}, new Text("HDFS_BLOCK_TOKEN"), new Text("service"));
        List<Placed<HintTarget>> sequence = sequence(dataNode.info(), token, 3);

        sender().hint(FILE, "client", sequence.get(0).node(), sequence, true, ProgressListener.NOBODY);

        await().untilAsserted(() -> assertThat(dataNode.requests()).hasSize(1));
        HintRequestProto request = dataNode.requests().get(0);
        assertThat(request.getOpType()).isEqualTo(OpType.HINT);
        assertThat(request.getFileId()).isEqualTo(FILE);
        assertThat(request.getClientName()).isEqualTo("client");
        assertThat(request.getBlockPoolId()).isEqualTo("BP-1");
        assertThat(request.getSequential()).isTrue();
        assertThat(request.getBlockNum()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            assertThat(request.getBlocks(i).getBlockId()).isEqualTo(100 + i);
            assertThat(request.getBlocks(i).getGenerationStamp()).isEqualTo(7);
            assertThat(request.getBlocks(i).getOffset()).isEqualTo(i * BLOCK_BYTES);
            assertThat(request.getBlocks(i).getLength()).isEqualTo(BLOCK_BYTES);
            assertThat(request.getBlocks(i).getToken().getIdentifier().toByteArray())
                    .containsExactly(1, 2);
            assertThat(request.getBlocks(i).getToken().getPassword().toByteArray())
                    .containsExactly(3);
        }
    }

    @Test
    void hint_toADataNodeThatWasRestarted_comes() throws Exception {
        FakeDataNode before = dataNode();
        HintSender sender = sender();
        hint(sender, before.info(), ProgressListener.NOBODY);
        await().untilAsserted(() -> assertThat(before.requests()).hasSize(1));

        FakeDataNode after = before.restart();
        opened.add(after);
        hint(sender, after.info(), ProgressListener.NOBODY);
        await().untilAsserted(() -> assertThat(after.requests()).hasSize(1));
    }

    @Test
    void hints_ofOneSession_comeInTheirOrder_andHoldUpNoOther() throws Exception {
        FakeDataNode dataNode = dataNode();
        CountDownLatch firstAnswer = new CountDownLatch(1);
        opened.add(0, firstAnswer::countDown);
        dataNode.answering(request -> {
            if (request.getFileId() == FILE && request.getOpType() == OpType.HINT && !request.getSequential()) {
                Uninterruptibles.awaitUninterruptibly(firstAnswer);
            }
            return HintResponseProto.getDefaultInstance();
        });
        HintSender sender = sender();
        List<Placed<HintTarget>> sequence = sequence(dataNode.info(), new Token<>(), 2);
        HintTarget target = sequence.get(0).node();

        sender.hint(FILE, "client", target, sequence, false, ProgressListener.NOBODY);
        sender.hint(FILE, "client", target, sequence, true, ProgressListener.NOBODY);
        sender.release(FILE, target);
        sender.hint(FILE + 1, "client", target, sequence, true, ProgressListener.NOBODY);

        await().untilAsserted(() -> assertThat(dataNode.requests())
                .extracting(HintRequestProto::getFileId)
                .contains(FILE + 1));
        assertThat(ofFile(dataNode)).as("the first is not answered").hasSize(1);
        firstAnswer.countDown();
        await().untilAsserted(() -> assertThat(ofFile(dataNode)).hasSize(3));
        assertThat(ofFile(dataNode))
                .extracting(HintRequestProto::getOpType, HintRequestProto::getSequential)
                .containsExactly(tuple(OpType.HINT, false), tuple(OpType.HINT, true), tuple(OpType.RELEASE, false));
    }

    private static List<HintRequestProto> ofFile(FakeDataNode dataNode) {
        return dataNode.requests().stream()
                .filter(request -> request.getFileId() == FILE)
                .collect(Collectors.toList());
    }

    @Test
    void warm_tellsEachDataNodeOfItsFilesAtOnce() throws Exception {
        FakeDataNode one = dataNode();
        FakeDataNode two = FakeDataNode.start("b");
        opened.add(two);
        sender().warm(List.of(
                new HintSender.FirstReads(file(1, one), 0),
                new HintSender.FirstReads(file(2, two), 0),
                new HintSender.FirstReads(file(3, one), FOOTER)));

        await().untilAsserted(() -> {
            assertThat(one.requests()).hasSize(1);
            assertThat(two.requests()).hasSize(1);
        });
        HintRequestProto request = one.requests().get(0);
        assertThat(request.getOpType()).isEqualTo(OpType.WARM);
        assertThat(request.getBlockNum()).isEqualTo(2);
        assertThat(request.hasClientName()).isFalse();
        assertThat(request.getBlocksList())
                .extracting(HintedBlockProto::getBlockId)
                .containsExactly(1L, 3L);
        assertThat(two.requests().get(0).getBlocks(0).getBlockId()).isEqualTo(2);
    }

    @Test
    void warm_ofAFileThatIsReadFromItsEnd_tellsOfTheLastBytes() throws Exception {
        FakeDataNode first = dataNode();
        FakeDataNode last = FakeDataNode.start("b");
        opened.add(last);
        LocatedBlock tail =
                new LocatedBlock(new ExtendedBlock("BP-1", 2, BLOCK_BYTES / 2, 7), new DatanodeInfo[] {last.info()});
        tail.setStartOffset(BLOCK_BYTES);
        LocatedBlock head = file(1, first).get(0);
        LocatedBlocks file =
                new LocatedBlocks(BLOCK_BYTES + BLOCK_BYTES / 2, false, List.of(head, tail), tail, true, null, null);
        sender().warm(List.of(new HintSender.FirstReads(file, FOOTER)));

        await().untilAsserted(() -> assertThat(last.requests()).hasSize(1));
        HintedBlockProto footer = last.requests().get(0).getBlocks(0);
        assertThat(footer.getBlockId()).isEqualTo(2);
        assertThat(footer.getRangeOffset()).isEqualTo(BLOCK_BYTES / 2 - FOOTER);
        assertThat(footer.getRangeLength()).isEqualTo(FOOTER);
        await().untilAsserted(() -> assertThat(first.requests()).hasSize(1));
        assertThat(first.requests().get(0).getBlocks(0).hasRangeOffset()).isFalse();
    }

    private static LocatedBlocks file(long blockId, FakeDataNode on) {
        LocatedBlock block =
                new LocatedBlock(new ExtendedBlock("BP-1", blockId, BLOCK_BYTES, 7), new DatanodeInfo[] {on.info()});
        block.setStartOffset(0);
        return new LocatedBlocks(BLOCK_BYTES, false, List.of(block), block, true, null, null);
    }

    @Test
    void hint_withoutBlockTokens_carriesNone() throws Exception {
        FakeDataNode dataNode = dataNode();

        hint(sender(), dataNode.info(), ProgressListener.NOBODY);

        await().untilAsserted(() -> assertThat(dataNode.requests()).hasSize(1));
        assertThat(dataNode.requests().get(0).getBlocks(0).hasToken()).isFalse();
    }

    @Test
    void askProgress_tellsTheListenerWhatTheDataNodeSays() throws Exception {
        FakeDataNode dataNode = dataNode();
        dataNode.answering(request -> HintResponseProto.newBuilder()
                .setBytesRead(12345)
                .setOpenStreams(2)
                .build());
        AtomicLong bytes = new AtomicLong();
        AtomicLong streams = new AtomicLong();

        sender().askProgress(FILE, new HintTarget(dataNode.info(), new Token<>()), 1, (bytesRead, openStreams) -> {
            streams.set(openStreams);
            bytes.set(bytesRead);
        });

        await().untilAsserted(() -> assertThat(bytes).hasValue(12345));
        assertThat(streams).hasValue(2);
        assertThat(dataNode.requests(OpType.PROGRESS)).hasSize(1);
    }

    @Test
    void dataNodeWithoutHints_isAskedOnceAndThenLeftAlone() throws Exception {
        conf.set("foresight.client.hint.threads", "1");
        FakeDataNode stock = FakeDataNode.startStock("stock");
        opened.add(stock);
        FakeDataNode other = dataNode();
        HintSender sender = sender();
        long without = metrics.nodesWithoutHints.value();
        long errors = metrics.hintErrors.value();

        hint(sender, stock.info(), ProgressListener.NOBODY);
        hint(sender, stock.info(), ProgressListener.NOBODY);
        hint(sender, other.info(), ProgressListener.NOBODY);

        await().untilAsserted(() -> assertThat(other.requests()).hasSize(1));
        assertThat(metrics.nodesWithoutHints.value()).isEqualTo(without + 1);
        assertThat(metrics.hintErrors.value()).isEqualTo(errors + 1);
    }

    @Test
    void dataNodeThatIsDown_isTriedAgainLater() throws Exception {
        int port = unusedPort();
        conf.set("foresight.client.hint.backoff", "100ms");
        HintSender sender = sender();
        DatanodeInfo node = FakeDataNode.info("down", port);
        long errors = metrics.hintErrors.value();
        long without = metrics.nodesWithoutHints.value();

        await().untilAsserted(() -> {
            hint(sender, node, ProgressListener.NOBODY);
            assertThat(metrics.hintErrors.value()).isGreaterThanOrEqualTo(errors + 2);
        });
        assertThat(metrics.nodesWithoutHints.value()).isEqualTo(without);
    }

    @Test
    void dataNodeThatHangs_holdsASenderForTheTimeOutOnly() throws Exception {
        conf.set("foresight.client.hint.timeout", "100ms");
        conf.set("foresight.client.hint.threads", "1");
        CountDownLatch hang = new CountDownLatch(1);
        FakeDataNode hanging = dataNode();
        hanging.answering(request -> {
            waitFor(hang);
            return HintResponseProto.getDefaultInstance();
        });
        FakeDataNode other = FakeDataNode.start("b");
        opened.add(other);
        HintSender sender = sender();

        hint(sender, hanging.info(), ProgressListener.NOBODY);
        hint(sender, other.info(), ProgressListener.NOBODY);

        await().untilAsserted(() -> assertThat(other.requests()).hasSize(1));
        hang.countDown();
    }

    @Test
    void fullQueue_dropsAndCounts() throws Exception {
        conf.set("foresight.client.hint.queue.max", "2");
        conf.set("foresight.client.hint.threads", "1");
        HintSender sender = sender();
        CountDownLatch hang = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        sender.enqueue(() -> {
            running.countDown();
            waitFor(hang);
        });
        running.await();
        long dropped = metrics.hintsDropped.value();

        assertThat(sender.enqueue(() -> {})).isTrue();
        assertThat(sender.enqueue(() -> {})).isTrue();
        assertThat(sender.enqueue(() -> {})).isFalse();
        assertThat(metrics.hintsDropped.value()).isEqualTo(dropped + 1);
        hang.countDown();
    }

    @Test
    void closedSender_dropsQuietly() throws Exception {
        FakeDataNode dataNode = dataNode();
        HintSender sender = sender();
        sender.close();
        long dropped = metrics.hintsDropped.value();

        hint(sender, dataNode.info(), ProgressListener.NOBODY);
        sender.askProgress(FILE, new HintTarget(dataNode.info(), new Token<>()), 1, ProgressListener.NOBODY);

        assertThat(metrics.hintsDropped.value()).isEqualTo(dropped + 2);
        assertThat(dataNode.requests()).isEmpty();
    }

    @Test
    void close_sendsTheEndsOfSessions_andDropsOtherHints() throws Exception {
        conf.set("foresight.client.hint.threads", "1");
        FakeDataNode dataNode = dataNode();
        CountDownLatch closing = new CountDownLatch(1);
        opened.add(0, closing::countDown);
        dataNode.answering(request -> {
            waitFor(closing);
            return HintResponseProto.getDefaultInstance();
        });
        HintSender sender = sender();
        List<Placed<HintTarget>> sequence = sequence(dataNode.info(), new Token<>(), 2);
        HintTarget target = sequence.get(0).node();
        hint(sender, dataNode.info(), ProgressListener.NOBODY);
        await().untilAsserted(() -> assertThat(dataNode.requests()).hasSize(1));
        sender.hint(FILE + 1, "client", target, sequence, true, ProgressListener.NOBODY);
        sender.release(FILE, target);

        CompletableFuture<Void> closed = CompletableFuture.runAsync(sender::close);
        await().pollInterval(1, TimeUnit.MILLISECONDS).until(() -> !sender.enqueue(() -> {}));
        closing.countDown();
        closed.join();

        assertThat(dataNode.requests())
                .extracting(HintRequestProto::getFileId, HintRequestProto::getOpType)
                .containsExactly(tuple(FILE, OpType.HINT), tuple(FILE, OpType.RELEASE));
    }

    @Test
    void closedSender_countsWhatWasOnItsWayAsNoFailureOfTheDataNodes() throws Exception {
        FakeDataNode dataNode = dataNode();
        CountDownLatch hang = new CountDownLatch(1);
        opened.add(0, hang::countDown);
        dataNode.answering(request -> {
            waitFor(hang);
            return HintResponseProto.getDefaultInstance();
        });
        HintSender sender = sender();
        long errors = metrics.hintErrors.value();
        hint(sender, dataNode.info(), ProgressListener.NOBODY);
        await().untilAsserted(() -> assertThat(dataNode.requests()).hasSize(1));

        sender.close();
        await().during(500, TimeUnit.MILLISECONDS).until(() -> metrics.hintErrors.value() == errors);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.fuzz.Fuzz;
import io.github.foresight.core.hint.ReadPattern;
import io.github.foresight.protocol.hint.HintConnections;
import io.github.foresight.protocol.hint.HintTarget;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto.Reason;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client takes every answer that a DataNode may give to a hint, and takes none for a failure of its own. */
class HintResponseFuzzTest {

    private static final long WAIT_SECONDS = 30;
    private static final int TAKEN_BYTES_MAX = 63 << 10;

    private final Configuration conf = new Configuration();
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final ReadPattern pattern = new ReadPattern(10, 4096);

    @Test
    void response_damaged_isTaken() throws Exception {
        conf.set("foresight.client.hint.timeout", WAIT_SECONDS + "s");
        try (FakeDataNode dataNode = FakeDataNode.start("a");
                HintSender sender =
                        new HintSender(ClientSettings.read(conf), conf, UserGroupInformation.getCurrentUser())) {
            HintTarget target = new HintTarget(dataNode.info(), new Token<BlockTokenIdentifier>());
            Fuzz.of("hint-response", HintResponseFuzzTest.class)
                    .sample(HintResponseProto.newBuilder()
                            .setAccepted(3)
                            .addRefusals(RefusalProto.newBuilder()
                                    .setReason(Reason.STALE)
                                    .setCount(2))
                            .setBytesRead(1 << 20)
                            .setOpenStreams(1)
                            .build()
                            .toByteArray())
                    .sample(HintResponseProto.newBuilder()
                            .setUnknownSession(true)
                            .build()
                            .toByteArray())
                    .into(HintResponseFuzzTest::parsed, response -> take(dataNode, sender, target, response));
        }
    }

    /** The memory that a DataNode's answer takes in the client is bounded, whatever the DataNode sends. */
    @Test
    void response_larger_isNotTakenAndTheNextIs() throws Exception {
        HintResponseProto.Builder huge = HintResponseProto.newBuilder();
        for (int i = 0; i < 100_000; i++) {
            huge.addRefusals(RefusalProto.newBuilder().setReason(Reason.STALE).setCount(i));
        }
        try (FakeDataNode dataNode = FakeDataNode.start("b");
                HintConnections connections = new HintConnections(
                        conf, UserGroupInformation.getCurrentUser(), Duration.ofSeconds(30), Duration.ofMillis(1))) {
            HintTarget target = new HintTarget(dataNode.info(), new Token<BlockTokenIdentifier>());
            HintRequestProto request = HintRequestProto.newBuilder()
                    .setOpType(HintRequestProto.OpType.PROGRESS)
                    .build();
            dataNode.answering(unused -> huge.build());
            assertThatThrownBy(() -> connections.send(target, request))
                    .isInstanceOf(HintConnections.NotTakenException.class)
                    .hasStackTraceContaining("exceeds maximum data length");
            dataNode.answering(unused -> HintResponseProto.getDefaultInstance());
            await().untilAsserted(
                            () -> assertThat(connections.send(target, request)).isNotNull());
        }
    }

    /** HDFS's RPC client refuses an answer that cannot be parsed, or that is larger than 64 KiB with its header. */
    private static @Nullable HintResponseProto parsed(byte[] message) {
        try {
            HintResponseProto response = HintResponseProto.parseFrom(message);
            return response.getSerializedSize() > TAKEN_BYTES_MAX ? null : response;
        } catch (InvalidProtocolBufferException e) {
            return null;
        }
    }

    private void take(FakeDataNode dataNode, HintSender sender, HintTarget target, HintResponseProto response)
            throws InterruptedException {
        long errors = metrics.internalErrors.value();
        dataNode.answering(request -> response);
        CountDownLatch answered = new CountDownLatch(1);
        sender.askProgress(1, target, 0, (bytesRead, openStreams) -> {
            pattern.recordBlockRead(0);
            pattern.progressed(bytesRead);
            answered.countDown();
        });
        assertThat(answered.await(WAIT_SECONDS, TimeUnit.SECONDS))
                .as("answered")
                .isTrue();
        assertThat(metrics.internalErrors.value()).as("internal errors").isEqualTo(errors);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.datanode.ReadAheadFixture;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.ipc.CallerConnection;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintServiceTest {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final long FORBIDDEN = 13;
    private static final long POISONED = 14;

    @TempDir
    private Path directory;

    private ReadAheadFixture fixture;
    private HintService service;

    @BeforeEach
    void service() throws IOException {
        begin(Map.of("foresight.datanode.hint.blocks.max", "4"));
    }

    private void begin(Map<String, String> configured) throws IOException {
        end();
        fixture = new ReadAheadFixture(directory, configured);
        for (long blockId = 1; blockId <= 4; blockId++) {
            fixture.write(blockId, BLOCK_BYTES);
        }
        fixture.write(FORBIDDEN, BLOCK_BYTES);
        service = new HintService(fixture.settings, fixture.readAhead, HintServiceTest::mayRead, fixture.metrics);
    }

    private static boolean mayRead(String pool, HintedBlockProto block) {
        if (block.getBlockId() == POISONED) {
            throw new IllegalStateException("on purpose");
        }
        return block.getBlockId() != FORBIDDEN;
    }

    @AfterEach
    void end() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private static HintedBlockProto.Builder block(long blockId) {
        return HintedBlockProto.newBuilder()
                .setBlockId(blockId)
                .setGenerationStamp(1)
                .setOffset((blockId - 1) * BLOCK_BYTES)
                .setLength(BLOCK_BYTES);
    }

    private static HintRequestProto.Builder request(OpType type) {
        return HintRequestProto.newBuilder().setOpType(type).setClientId(7).setFileId(8);
    }

    private static HintRequestProto.Builder hint(HintedBlockProto.Builder... blocks) {
        HintRequestProto.Builder request =
                request(OpType.HINT).setBlockPoolId(ReadAheadFixture.POOL).setBlockNum(blocks.length);
        for (HintedBlockProto.Builder block : blocks) {
            request.addBlocks(block);
        }
        return request;
    }

    private HintResponseProto send(HintRequestProto.Builder request) {
        return service.hint(null, request.build());
    }

    private static Map<Reason, Integer> refusals(HintResponseProto response) {
        Map<Reason, Integer> refusals = new EnumMap<>(Reason.class);
        response.getRefusalsList().forEach(refusal -> refusals.put(refusal.getReason(), refusal.getCount()));
        return refusals;
    }

    private static HintedBlockProto.Builder part(long blockId, long offset, long length) {
        return block(blockId).setRangeOffset(offset).setRangeLength(length);
    }

    @Test
    void hint_ofParts_prefetchesTheseAlone() {
        HintResponseProto response = send(hint(part(1, BLOCK_BYTES / 2, BLOCK_BYTES / 4), part(2, 0, BLOCK_BYTES / 2))
                .setSequential(true));
        assertThat(response.getAccepted()).isEqualTo(2);
        await().until(() -> fixture.metrics.prefetchedBlocks.value() == 2);
        assertThat(fixture.metrics.prefetchedBytes.value() + fixture.metrics.residentBytes.value())
                .isEqualTo(BLOCK_BYTES * 3 / 4);
    }

    @Test
    void hint_ofPartsThatAreNotInTheirBlock_isRefused() {
        HintResponseProto response =
                send(hint(part(1, -1, 10), part(2, BLOCK_BYTES, 1), part(3, BLOCK_BYTES - 10, 11), part(4, 10, 0)));
        assertThat(refusals(response)).isEqualTo(Map.of(Reason.MALFORMED, 4));
        assertThat(response.getAccepted()).isZero();
        response = send(hint(block(1).setRangeOffset(5), part(2, Long.MAX_VALUE, Long.MAX_VALUE)));
        assertThat(refusals(response)).as("half a part").isEqualTo(Map.of(Reason.MALFORMED, 2));
    }

    @Test
    void hint_good_isAcceptedAndPrefetched() {
        HintResponseProto response = send(hint(block(1), block(2)).setSequential(true));
        assertThat(response.getAccepted()).isEqualTo(2);
        assertThat(refusals(response)).isEmpty();
        assertThat(response.getUnknownSession()).isFalse();
        assertThat(response.getBytesRead()).isZero();
        await().until(() -> fixture.metrics.prefetchedBlocks.value() >= 1);
        assertThat(fixture.metrics.hints.value()).isEqualTo(1);
        assertThat(fixture.metrics.hintedBlocks.value()).isEqualTo(2);
    }

    @Test
    void release_ofAnotherCallersSession_doesNotEndIt() throws Exception {
        as("alice", "10.0.0.1", hint(block(1), block(2)).setSequential(true));
        for (String[] stranger : new String[][] {{"mallory", "10.0.0.1"}, {"alice", "10.0.0.2"}}) {
            as(stranger[0], stranger[1], request(OpType.RELEASE));
            assertThat(as(stranger[0], stranger[1], request(OpType.PROGRESS)).getUnknownSession())
                    .as("alice's session, asked for by %s at %s", stranger[0], stranger[1])
                    .isTrue();
        }
        assertThat(as("alice", "10.0.0.1", request(OpType.PROGRESS)).getUnknownSession())
                .isFalse();
        as("alice", "10.0.0.1", request(OpType.RELEASE));
        assertThat(as("alice", "10.0.0.1", request(OpType.PROGRESS)).getUnknownSession())
                .isTrue();
    }

    private HintResponseProto as(String user, String address, HintRequestProto.Builder request) throws IOException {
        UserGroupInformation caller = UserGroupInformation.createRemoteUser(user);
        InetAddress from = InetAddress.getByName(address);
        Server.getCurCall().set(new Server.Call(1, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[16]) {
            @Override
            public UserGroupInformation getRemoteUser() {
                return caller;
            }

            @Override
            public InetAddress getHostInetAddress() {
                return from;
            }
        });
        try {
            return send(request);
        } finally {
            Server.getCurCall().remove();
        }
    }

    @Test
    void warm_allBlocks_arePrefetchedAtOnce() {
        HintRequestProto.Builder warm =
                hint(block(1), block(2), block(3), block(FORBIDDEN)).setOpType(OpType.WARM);
        assertThat(send(warm).getAccepted()).isEqualTo(3);
        await().untilAsserted(() ->
                assertThat(fixture.metrics.prefetchedBlocks.value()).isEqualTo(3));
    }

    @Test
    void warm_moreBlocksThanSessions_leavesTheSessionsToReaders() throws IOException {
        begin(Map.of("foresight.datanode.sessions.max", "1"));
        HintRequestProto.Builder warm = hint(block(1), block(2), block(3)).setOpType(OpType.WARM);
        assertThat(send(warm).getAccepted()).isEqualTo(3);
        assertThat(send(hint(block(4)).setFileId(9)).getAccepted()).isOne();
    }

    @Test
    void hint_lackingWhatItNeeds_isMalformed() {
        HintRequestProto.Builder[] malformed = {
            HintRequestProto.newBuilder(),
            hint(block(1)).clearOpType(),
            hint(block(1)).clearClientId(),
            hint(block(1)).clearFileId(),
            hint(block(1)).clearBlockPoolId(),
            hint(block(1)).clearBlockNum(),
            hint(block(1)).setBlockNum(2),
            hint(),
            hint(block(1), block(2), block(3), block(4), block(1)),
            hint(block(1).clearBlockId()),
            hint(block(1).clearGenerationStamp()),
            hint(block(1).clearLength()),
            hint(block(1).setLength(-1)),
            hint(block(1).setOffset(-1)),
        };
        for (HintRequestProto.Builder request : malformed) {
            HintResponseProto response = send(request);
            assertThat(refusals(response)).as(request.toString()).containsExactly(Map.entry(Reason.MALFORMED, 1));
            assertThat(response.getAccepted()).isZero();
        }
        assertThat(fixture.metrics.internalErrors.value()).isZero();
    }

    @Test
    void hint_blocksOfAllKinds_acceptsTheGoodAndCountsTheRest() {
        HintResponseProto response = send(hint(block(1), block(99), block(2).setGenerationStamp(2), block(FORBIDDEN)));
        assertThat(response.getAccepted()).isEqualTo(1);
        assertThat(refusals(response)).isEqualTo(Map.of(Reason.NO_REPLICA, 1, Reason.STALE, 1, Reason.BAD_TOKEN, 1));
    }

    @Test
    void hint_otherLength_isStale() {
        assertThat(refusals(send(hint(block(1).setLength(BLOCK_BYTES - 1))))).isEqualTo(Map.of(Reason.STALE, 1));
    }

    @Test
    void hint_poolNotServed_isRefusedBeforeTokensAndReplicas() {
        for (OpType type : List.of(OpType.HINT, OpType.WARM, OpType.WINDOW)) {
            HintRequestProto.Builder request = hint(
                            block(1).setRangeLength(1), block(2).setRangeLength(1), block(POISONED))
                    .setOpType(type)
                    .setBlockPoolId("BP-2");
            HintResponseProto response = send(request);
            assertThat(response.getAccepted()).as(type.toString()).isZero();
            assertThat(refusals(response)).as(type.toString()).isEqualTo(Map.of(Reason.UNKNOWN_POOL, 1));
            assertThat(fixture.poolsAsked).as(type.toString()).isEmpty();
            assertThat(fixture.metrics.internalErrors.value()).isZero();
        }
    }

    @Test
    void hint_nothingAccepted_beginsNoSession() {
        send(hint(block(99)));
        assertThat(send(request(OpType.PROGRESS)).getUnknownSession()).isTrue();
    }

    @Test
    void hints_beyondTheRate_areRefused() throws IOException {
        begin(Map.of("foresight.datanode.hint.rate", "1", "foresight.datanode.hint.burst", "2"));
        assertThat(send(hint(block(1))).getAccepted()).isOne();
        assertThat(send(hint(block(1))).getAccepted()).isOne();
        HintResponseProto third = send(hint(block(1)));
        assertThat(third.getAccepted()).isZero();
        assertThat(refusals(third)).isEqualTo(Map.of(Reason.RATE_LIMITED, 1));
    }

    @Test
    void hint_moreBlocksThanTracked_refusesTheRest() throws IOException {
        begin(Map.of("foresight.datanode.sessions.blocks.max", "3"));
        HintResponseProto response = send(hint(block(1), block(2), block(3), block(4)));
        assertThat(response.getAccepted()).isEqualTo(3);
        assertThat(refusals(response)).isEqualTo(Map.of(Reason.TOO_MANY, 1));
    }

    @Test
    void hint_moreSessionsThanTracked_refusesAll() throws IOException {
        begin(Map.of("foresight.datanode.sessions.max", "1"));
        assertThat(send(hint(block(1))).getAccepted()).isOne();
        HintResponseProto second = send(hint(block(2), block(3)).setFileId(9));
        assertThat(second.getAccepted()).isZero();
        assertThat(refusals(second)).isEqualTo(Map.of(Reason.TOO_MANY, 2));
    }

    @Test
    void hint_readAheadClosed_isDisabled() {
        fixture.close();
        HintResponseProto response = send(hint(block(1)));
        assertThat(response.getAccepted()).isZero();
        assertThat(refusals(response)).isEqualTo(Map.of(Reason.DISABLED, 1));
    }

    @Test
    void hint_serviceFails_isRefusedAndCounted() {
        HintResponseProto response = send(hint(block(POISONED)));
        assertThat(refusals(response)).isEqualTo(Map.of(Reason.OTHER, 1));
        assertThat(fixture.metrics.internalErrors.value()).isEqualTo(1);
    }

    @Test
    void release_beyondTheRate_endsTheSession() throws IOException {
        begin(Map.of("foresight.datanode.hint.rate", "1", "foresight.datanode.hint.burst", "1"));
        assertThat(send(hint(block(1))).getAccepted()).isOne();
        assertThat(refusals(send(request(OpType.RELEASE)))).isEmpty();
        assertThat(fixture.level("Sessions")).isZero();
    }

    @Test
    void clientsConnectionClosed_itsSessionsAndWindowsEndAtOnce() throws Exception {
        Set<CallerConnection> open = ConcurrentHashMap.newKeySet();
        CallerConnection alices = new CallerConnection(InetAddress.getByName("10.0.0.1"), 0);
        CallerConnection bobs = new CallerConnection(InetAddress.getByName("10.0.0.2"), 0);
        open.addAll(List.of(alices, bobs));
        fixture.readAhead.followConnections(() -> Set.copyOf(open));
        as("alice", "10.0.0.1", hint(block(1), block(2)).setConnectionIdleMillis(600_000));
        as(
                "alice",
                "10.0.0.1",
                hint(block(3).setRangeOffset(0).setRangeLength(BLOCK_BYTES))
                        .setOpType(OpType.WINDOW)
                        .setFileId(9)
                        .setConnectionIdleMillis(600_000));
        as("bob", "10.0.0.2", hint(block(4)).setConnectionIdleMillis(600_000));
        assertThat(fixture.level("Sessions")).isEqualTo(2);
        assertThat(fixture.level("Windows")).isOne();

        open.remove(alices);

        await().untilAsserted(() -> assertThat(fixture.level("Sessions")).isOne());
        await().untilAsserted(() -> assertThat(fixture.level("Windows")).isZero());
        assertThat(as("bob", "10.0.0.2", request(OpType.PROGRESS)).getUnknownSession())
                .isFalse();
        assertThat(fixture.metrics.sessionsCutOff.value()).isEqualTo(2);
        assertThat(fixture.metrics.internalErrors.value()).isZero();
    }

    @Test
    void oneUserAtOneAddress_withManyClients_makesWayForAnother() throws IOException {
        begin(Map.of("foresight.datanode.sessions.max", "4", "foresight.datanode.sessions.caller.share", "0.5"));
        for (int client = 0; client < 4; client++) {
            assertThat(as("mallory", "10.0.0.1", hint(block(1)).setClientId(client))
                            .getAccepted())
                    .isOne();
        }
        assertThat(as("alice", "10.0.0.2", hint(block(2)).setFileId(1)).getAccepted())
                .isOne();
        assertThat(as("alice", "10.0.0.2", hint(block(2)).setFileId(2)).getAccepted())
                .isOne();
        assertThat(as("bob", "10.0.0.3", hint(block(2))).getAccepted())
                .as("nobody has more than the share")
                .isZero();
        assertThat(as("mallory", "10.0.0.1", hint(block(1)).setClientId(99)).getAccepted())
                .as("the user has its share already")
                .isZero();
    }

    @Test
    void session_released_isUnknown() {
        send(hint(block(1)));
        assertThat(send(request(OpType.PROGRESS)).getUnknownSession()).isFalse();
        send(request(OpType.RELEASE));
        assertThat(send(request(OpType.PROGRESS)).getUnknownSession()).isTrue();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.hint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.fuzz.Fuzz;
import io.github.foresight.datanode.ReadAheadFixture;
import io.github.foresight.protocol.proto.HintProtos.BlockTokenProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The DataNode answers every hint that a client may send, with bounded work, and takes none for a failure of its own: failures switch the
 * read-ahead off.
 */
class HintServiceFuzzTest {

    private static final int BLOCKS = 4;
    private static final int BLOCKS_MAX = 16;
    private static final int SESSIONS_MAX = 64;
    private static final int BLOCK_BYTES = 4096;

    /** The service looks at 16 blocks of any message; HDFS's refusal of a token is an exception with a stack trace. */
    private static final int ALLOCATED_MAX = BLOCKS_MAX * (32 << 10);

    /** HDFS's parser makes an object of every two bytes of a token's identifier. */
    private static final int ALLOCATED_MAX_PER_BYTE = 256;

    @TempDir
    private Path directory;

    private ReadAheadFixture fixture;
    private HintService service;
    private BlockTokenCheck tokens;
    private BlockTokenSecretManager legacy;
    private BlockTokenSecretManager protobuf;
    private int lookedAt;

    @BeforeEach
    void service() throws IOException {
        fixture = new ReadAheadFixture(
                directory,
                Map.of(
                        "foresight.datanode.hint.blocks.max",
                        String.valueOf(BLOCKS_MAX),
                        "foresight.datanode.sessions.max",
                        String.valueOf(SESSIONS_MAX),
                        "foresight.datanode.hint.rate",
                        "1000000",
                        "foresight.datanode.hint.burst",
                        "1000000"));
        for (long blockId = 1; blockId <= BLOCKS; blockId++) {
            fixture.write(blockId, BLOCK_BYTES);
        }
        long hour = TimeUnit.HOURS.toMillis(1);
        legacy = new BlockTokenSecretManager(hour, 24 * hour, 0, 1, ReadAheadFixture.POOL, null, false);
        protobuf = new BlockTokenSecretManager(hour, 24 * hour, ReadAheadFixture.POOL, null, true);
        protobuf.addKeys(legacy.exportKeys());
        BlockPoolTokenSecretManager secrets = new BlockPoolTokenSecretManager();
        secrets.addBlockPool(ReadAheadFixture.POOL, legacy);
        tokens = new BlockTokenCheck(secrets, pool -> false);
        service = new HintService(fixture.settings, fixture.readAhead, this::mayRead, fixture.metrics);
    }

    private boolean mayRead(String pool, HintedBlockProto block) {
        lookedAt++;
        return tokens.mayRead(pool, block);
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    private static BlockTokenProto token(BlockTokenSecretManager secrets, long blockId) throws IOException {
        Token<BlockTokenIdentifier> token = secrets.generateToken(
                "alice",
                new ExtendedBlock(ReadAheadFixture.POOL, blockId, BLOCK_BYTES, 1),
                EnumSet.of(AccessMode.READ),
                new StorageType[] {StorageType.DISK, StorageType.SSD},
                new String[] {"DS-1", "DS-2"});
        return BlockTokenProto.newBuilder()
                .setIdentifier(ByteString.copyFrom(token.getIdentifier()))
                .setPassword(ByteString.copyFrom(token.getPassword()))
                .setKind(token.getKind().toString())
                .setService(token.getService().toString())
                .build();
    }

    private static byte[] request(OpType type, BlockTokenSecretManager secrets) throws IOException {
        HintRequestProto.Builder request = HintRequestProto.newBuilder()
                .setOpType(type)
                .setClientId(7)
                .setFileId(8)
                .setBlockPoolId(ReadAheadFixture.POOL)
                .setBlockNum(BLOCKS)
                .setSequential(true)
                .setReaderAddress("10.0.0.1")
                .setClientName("DFSClient_NONMAPREDUCE_1_1");
        for (long blockId = 1; blockId <= BLOCKS; blockId++) {
            request.addBlocks(HintedBlockProto.newBuilder()
                    .setBlockId(blockId)
                    .setGenerationStamp(1)
                    .setOffset((blockId - 1) * BLOCK_BYTES)
                    .setLength(BLOCK_BYTES)
                    .setRangeOffset(100)
                    .setRangeLength(1000)
                    .setToken(token(secrets, blockId)));
        }
        return request.build().toByteArray();
    }

    @Test
    void hint_damaged_isAnswered() throws IOException {
        Fuzz fuzz = Fuzz.of("hint", HintServiceFuzzTest.class)
                .allocatingAtMost(ALLOCATED_MAX, ALLOCATED_MAX_PER_BYTE)
                .sample(HintRequestProto.newBuilder()
                        .setOpType(OpType.PROGRESS)
                        .setClientId(7)
                        .setFileId(8)
                        .build()
                        .toByteArray());
        for (OpType type : OpType.values()) {
            fuzz.sample(request(type, legacy));
            fuzz.sample(request(type, protobuf));
        }
        fuzz.into(HintServiceFuzzTest::parsed, this::take);
        assertThat(fixture.metrics.hintedBlocks.value()).as("blocks accepted").isPositive();
        assertThat(fixture.level("Sessions")).as("sessions").isBetween(0L, (long) SESSIONS_MAX);
        assertThat(fixture.level("SessionBlocks")).as("blocks tracked").isBetween(0L, (long) SESSIONS_MAX * BLOCKS_MAX);
    }

    /** HDFS's parser of identifiers gets the bytes that a client puts into a token. */
    @Test
    void blockToken_damaged_isRefused() throws IOException {
        HintedBlockProto.Builder block = HintedBlockProto.newBuilder()
                .setBlockId(1)
                .setGenerationStamp(1)
                .setLength(BLOCK_BYTES);
        BlockTokenProto valid = token(legacy, 1);
        assertThat(tokens.mayRead(ReadAheadFixture.POOL, block.setToken(valid).build()))
                .isTrue();
        assertThat(tokens.mayRead(
                        ReadAheadFixture.POOL,
                        block.setToken(token(protobuf, 1)).build()))
                .isTrue();
        Fuzz.of("block-token", HintServiceFuzzTest.class)
                .sample(valid.getIdentifier().toByteArray())
                .sample(token(protobuf, 1).getIdentifier().toByteArray())
                .allocatingAtMost(64 << 10, ALLOCATED_MAX_PER_BYTE)
                .into(identifier -> {
                    BlockTokenProto damaged = valid.toBuilder()
                            .setIdentifier(ByteString.copyFrom(identifier))
                            .build();
                    boolean same = damaged.getIdentifier().equals(valid.getIdentifier());
                    assertThat(tokens.mayRead(
                                    ReadAheadFixture.POOL,
                                    block.setToken(damaged).build()))
                            .as("a token with this identifier is good")
                            .isEqualTo(same);
                });
    }

    /** Hadoop's RPC server refuses what cannot be parsed. */
    private static @Nullable HintRequestProto parsed(byte[] message) {
        try {
            return HintRequestProto.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            return null;
        }
    }

    private void take(HintRequestProto request) {
        lookedAt = 0;
        HintResponseProto response = service.hint(null, request);
        assertThat(lookedAt).as("blocks looked at").isLessThanOrEqualTo(BLOCKS_MAX);
        assertThat(response.getAccepted()).isBetween(0, BLOCKS_MAX);
        assertThat(fixture.metrics.internalErrors.value()).as("internal errors").isZero();
    }
}

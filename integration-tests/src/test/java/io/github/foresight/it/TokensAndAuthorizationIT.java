/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static io.github.foresight.it.TestCluster.read;
import static io.github.foresight.it.TestCluster.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.client.ClientCounters;
import io.github.foresight.protocol.proto.HintProtos.BlockTokenProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto.Reason;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cluster with block tokens and service authorization: hints still work, and give no user additional rights. */
final class TokensAndAuthorizationIT {

    private static final int READ = 16 << 10;

    private static TestCluster cluster;
    private static FileSystem stock;

    /** The number of blocks that tests hinted without a valid token, on purpose. */
    private static int forged;

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.start(
                "tokens",
                2,
                Map.of("foresight.datanode.cache.capacity", "64m"),
                Map.of("dfs.block.access.token.enable", "true", "hadoop.security.authorization", "true"));
        stock = cluster.stockClient();
    }

    @AfterAll
    static void stop() throws Exception {
        stock.close();
        cluster.close();
    }

    @Test
    void sequentialRead_withTokens_isPrefetched() throws Exception {
        long written = write(stock, "/tokens", 10, (short) 1);
        try (FileSystem fs = cluster.foresightClient()) {
            assertThat(read(fs, "/tokens")).isEqualTo(written);
        }
        eventually(() -> assertThat(cluster.hintedBytesInMemory()).isGreaterThan(3L * BLOCK));
        assertNoOtherTokenWasRefused();
    }

    /** Asserts that no other token was refused. DataNodes publish their metrics with a delay. */
    private static void assertNoOtherTokenWasRefused() {
        eventually(() -> assertThat(cluster.metric("RefusedBadToken")).isEqualTo(forged));
    }

    /** The file has two replicas on two nodes, so each node holds the whole file. */
    @Test
    void randomReads_withTokens_haveAWindow() throws Exception {
        write(stock, "/random", 4, (short) 2);
        long refusals = ClientCounters.value("WindowRefusals");
        long hits = ClientCounters.value("WindowHits");
        byte[] expected = new byte[READ];
        byte[] buffer = new byte[READ];
        try (FileSystem fs = cluster.foresightClient();
                FSDataInputStream in = fs.open(new Path("/random"));
                FSDataInputStream plain = stock.open(new Path("/random"))) {
            Random random = new Random(2);
            for (int i = 0; i < 400; i++) {
                // The reads cover 2 MiB around each of four places, one place in each block.
                long offset = i / 100 * (long) BLOCK + 3 * (BLOCK / 8) + random.nextInt(BLOCK / 4);
                in.readFully(offset, buffer);
                plain.readFully(offset, expected);
                assertThat(buffer).as("bytes at %d", offset).isEqualTo(expected);
            }
        }
        assertThat(ClientCounters.value("WindowHits") - hits).isGreaterThan(200);
        assertThat(ClientCounters.value("WindowRefusals"))
                .as("windows refused or not answered; DataNodes have refused %s", cluster.refusals())
                .isEqualTo(refusals);
        eventually(() -> assertThat(cluster.metric("WindowReadBytes")).isGreaterThan(1 << 20));
        assertNoOtherTokenWasRefused();
    }

    @Test
    void window_withAForgedToken_isRefused() throws Exception {
        write(stock, "/forged-window", 1, (short) 1);
        LocatedBlock block = TestCluster.blocks(stock, "/forged-window").get(0);
        byte[] password = block.getBlockToken().getPassword().clone();
        password[0]++;

        forged++;
        HintResponseProto response = cluster.hintProxy(cluster.nodeOf(block))
                .hint(
                        null,
                        HintRequestProto.newBuilder()
                                .setOpType(OpType.WINDOW)
                                .setClientId(1)
                                .setFileId(2)
                                .setBlockPoolId(block.getBlock().getBlockPoolId())
                                .setBlockNum(1)
                                .addBlocks(HintedBlockProto.newBuilder()
                                        .setBlockId(block.getBlock().getBlockId())
                                        .setGenerationStamp(block.getBlock().getGenerationStamp())
                                        .setLength(block.getBlockSize())
                                        .setRangeLength(block.getBlockSize())
                                        .setToken(token(block, password)))
                                .build());

        assertThat(response.getAccepted()).isZero();
        assertThat(response.getRefusals(0).getReason()).isEqualTo(Reason.BAD_TOKEN);
    }

    private static BlockTokenProto.Builder token(LocatedBlock block, byte[] password) {
        return BlockTokenProto.newBuilder()
                .setIdentifier(ByteString.copyFrom(block.getBlockToken().getIdentifier()))
                .setPassword(ByteString.copyFrom(password))
                .setKind(block.getBlockToken().getKind().toString())
                .setService("");
    }

    @Test
    void hint_withoutATokenOrWithAForgedOne_isRefused() throws Exception {
        write(stock, "/forged", 1, (short) 1);
        LocatedBlock block = TestCluster.blocks(stock, "/forged").get(0);
        HintedBlockProto.Builder record = HintedBlockProto.newBuilder()
                .setBlockId(block.getBlock().getBlockId())
                .setGenerationStamp(block.getBlock().getGenerationStamp())
                .setLength(block.getBlockSize());
        byte[] password = block.getBlockToken().getPassword().clone();
        password[0]++;

        assertRefused(block, record);
        assertRefused(block, record.setToken(token(block, password)));
        assertRefused(
                block,
                record.setToken(BlockTokenProto.newBuilder()
                        .setIdentifier(ByteString.copyFromUtf8("garbage"))
                        .setPassword(ByteString.copyFromUtf8("garbage"))));
    }

    @Test
    void hint_forABlockPoolOfTheCallersInvention_isRefused() throws Exception {
        write(stock, "/invented", 1, (short) 1);
        LocatedBlock block = TestCluster.blocks(stock, "/invented").get(0);
        HintRequestProto request = HintRequestProto.newBuilder()
                .setOpType(OpType.HINT)
                .setClientId(1)
                .setFileId(3)
                .setBlockPoolId("BP-of-nobody")
                .setBlockNum(1)
                .addBlocks(HintedBlockProto.newBuilder()
                        .setBlockId(block.getBlock().getBlockId())
                        .setGenerationStamp(block.getBlock().getGenerationStamp())
                        .setLength(block.getBlockSize()))
                .build();

        HintResponseProto response = cluster.hintProxy(cluster.nodeOf(block)).hint(null, request);

        assertThat(response.getAccepted()).isZero();
        assertThat(response.getRefusals(0).getReason()).isEqualTo(Reason.UNKNOWN_POOL);
    }

    private static void assertRefused(LocatedBlock block, HintedBlockProto.Builder record) throws Exception {
        HintRequestProto request = HintRequestProto.newBuilder()
                .setOpType(OpType.HINT)
                .setClientId(1)
                .setFileId(1)
                .setBlockPoolId(block.getBlock().getBlockPoolId())
                .setBlockNum(1)
                .addBlocks(record)
                .build();
        forged++;
        HintResponseProto response = cluster.hintProxy(cluster.nodeOf(block)).hint(null, request);

        assertThat(response.getAccepted()).isZero();
        assertThat(response.getRefusals(0).getReason()).isEqualTo(Reason.BAD_TOKEN);
    }
}

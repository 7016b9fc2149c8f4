/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** DataNodes that take hints, and a file whose blocks are dealt to them in turn. */
abstract class HintFixture {

    static final String POOL = "BP-1";
    static final String CLIENT = "DFSClient_1";
    static final long BLOCK_BYTES = 64L << 20;
    static final long EVIDENCE = 4L << 20;
    static final Duration QUIET = Duration.ofMillis(300);
    private static final AtomicInteger PATHS = new AtomicInteger();

    final String path = "/file" + PATHS.incrementAndGet();
    final Configuration conf = new Configuration();
    final List<FakeDataNode> dataNodes = new ArrayList<>();
    final AtomicLong served = new AtomicLong();
    final List<Long> layoutQuestions = new ArrayList<>();
    HintSender sender;
    ClientSettings settings;

    @BeforeEach
    void dataNodes() throws IOException {
        for (int i = 0; i < 3; i++) {
            FakeDataNode dataNode = FakeDataNode.start("node" + i + path);
            dataNode.answering(request -> HintResponseProto.newBuilder()
                    .setAccepted(request.getBlockNum())
                    .setBytesRead(served.get())
                    .setOpenStreams(1)
                    .build());
            dataNodes.add(dataNode);
        }
        configured("foresight.client.hint.evidence", String.valueOf(EVIDENCE));
    }

    final void configured(String key, String value) throws IOException {
        conf.set(key, value);
        settings = ClientSettings.read(conf);
        if (sender != null) {
            sender.close();
        }
        sender = new HintSender(settings, conf, UserGroupInformation.getCurrentUser());
    }

    @AfterEach
    void close() {
        sender.close();
        dataNodes.forEach(FakeDataNode::close);
    }

    /** Blocks of a file, dealt to the DataNodes in turn; block ids are the indexes, from 0. */
    final LocatedBlocks layout(int from, int to, int fileBlocks, long generationStamp) {
        List<LocatedBlock> blocks = new ArrayList<>();
        for (int i = from; i < to; i++) {
            ExtendedBlock block = new ExtendedBlock(POOL, i, BLOCK_BYTES, generationStamp);
            DatanodeInfo node = dataNodes.get(i % dataNodes.size()).info();
            LocatedBlock located = new LocatedBlock(block, new DatanodeInfo[] {node});
            located.setStartOffset(i * BLOCK_BYTES);
            blocks.add(located);
        }
        return new LocatedBlocks(
                fileBlocks * BLOCK_BYTES, false, blocks, blocks.get(blocks.size() - 1), true, null, null);
    }

    final void opened(int blocks) {
        located(0, layout(0, blocks, blocks, 1));
    }

    final void located(long offset, LocatedBlocks layout) {
        OpenFiles.INSTANCE.located(path, offset, layout, settings, sender, (file, from) -> {
            synchronized (layoutQuestions) {
                layoutQuestions.add(from);
            }
            int first = Math.toIntExact(from / BLOCK_BYTES);
            int all = Math.toIntExact(layout.getFileLength() / BLOCK_BYTES);
            return layout(first, Math.min(all, first + 8), all, 1);
        });
    }

    final void turnsTo(long block) {
        OpenFiles.INSTANCE.recordBlockRead(path, POOL, block, BLOCK_BYTES, CLIENT);
    }

    final List<HintRequestProto> requests(OpType type) {
        List<HintRequestProto> all = new ArrayList<>();
        for (FakeDataNode dataNode : dataNodes) {
            all.addAll(dataNode.requests(type));
        }
        return all;
    }

    final List<Long> hintedBy(FakeDataNode dataNode, boolean sequential) {
        List<Long> blocks = new ArrayList<>();
        for (HintRequestProto request : dataNode.requests(OpType.HINT)) {
            if (request.getSequential() == sequential) {
                for (HintedBlockProto block : request.getBlocksList()) {
                    blocks.add(block.getBlockId());
                }
            }
        }
        return blocks;
    }

    final void staysAt(int hints) {
        await().during(QUIET)
                .untilAsserted(() -> assertThat(requests(OpType.HINT)).hasSize(hints));
    }
}

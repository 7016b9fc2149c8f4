/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.hint.FakeDataNode;
import io.github.foresight.client.hint.HintSender;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.client.window.WindowedBlock.Order;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A file whose blocks have an original replica on one of two DataNodes, and a replica on a third DataNode that holds all of them. */
abstract class WindowFixture {

    static final String POOL = "BP-1";

    static final long OBJECT = 128 << 10;

    static final long BLOCK_BYTES = 1 << 20;

    static final int BLOCKS = 8;

    final Configuration conf = new Configuration();

    final List<FakeDataNode> originals = new ArrayList<>();

    FakeDataNode replicaNode;

    HintSender sender;

    FileWindows windows;

    @BeforeEach
    void begin() throws IOException {
        for (int i = 0; i < 2; i++) {
            originals.add(FakeDataNode.start("original" + i));
        }
        replicaNode = FakeDataNode.start("replica-node");
        configured("foresight.client.window.enabled", "true");
    }

    void configured(String key, String value) throws IOException {
        conf.set(key, value);
        if (sender != null) {
            sender.close();
        }
        ClientSettings settings = ClientSettings.read(conf);
        sender = new HintSender(settings, conf, UserGroupInformation.getCurrentUser());
        windows = new FileWindows(settings, sender);
    }

    @AfterEach
    void end() {
        sender.close();
        originals.forEach(FakeDataNode::close);
        replicaNode.close();
    }

    /** Each block's original first, the replica node second. */
    LocatedBlocks layout(int from, int to, long stamp) {
        List<LocatedBlock> blocks = new ArrayList<>();
        for (int i = from; i < to; i++) {
            DatanodeInfo[] nodes = {originals.get(i % 2).info(), replicaNode.info()};
            StorageType[] types = {StorageType.DISK, StorageType.SSD};
            LocatedBlock block = new LocatedBlock(
                    new ExtendedBlock(POOL, 100 + i, BLOCK_BYTES, stamp), nodes, new String[] {"a", "b"}, types);
            block.setStartOffset(i * BLOCK_BYTES);
            blocks.add(block);
        }
        return new LocatedBlocks(BLOCKS * BLOCK_BYTES, false, blocks, blocks.get(blocks.size() - 1), true, null, null);
    }

    LocatedBlocks opened() {
        return windows.windowed("/file", layout(0, BLOCKS, 1), true);
    }

    static WindowedBlock blockAt(LocatedBlocks layout, long offset) {
        LocatedBlock block = layout.get(layout.findBlock(offset));
        assertThat(block).isInstanceOf(WindowedBlock.class);
        return (WindowedBlock) block;
    }

    /** Where a read goes; HDFS's stack is not there, so the test gives the kind of the read. */
    Order turn(LocatedBlocks layout, long offset, BlockLookup.Kind kind) {
        FileWindow window = Objects.requireNonNull(windows.known("/file"));
        return window.recordBlockRead(blockAt(layout, offset), offset, kind);
    }

    Order pread(LocatedBlocks layout, long offset) {
        return turn(layout, offset, BlockLookup.Kind.POSITIONED);
    }

    void awaitRequests(int count) {
        await().until(() -> replicaNode.requests(OpType.WINDOW).size() == count);
    }

    /** Reads until the replica node is known to have taken a window. */
    void readInto(LocatedBlocks layout, long offset) {
        pread(layout, offset);
        await().until(() -> pread(layout, offset) == Order.REPLICA_NODE_FIRST);
    }

    /** A read from an offset, with its length as the builder that HDFS asks when it opens the block learns it. */
    Order pread(LocatedBlocks layout, long offset, long length) {
        WindowedBlock block = blockAt(layout, offset);
        Order order = pread(layout, offset);
        Objects.requireNonNull(BlockLookup.current()).decide(block, BlockLookup.Kind.POSITIONED, order);
        BlockLookup.opened(block.getBlock().getBlockId(), offset - block.getStartOffset() + length);
        return order;
    }
}

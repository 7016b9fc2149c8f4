/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import io.github.foresight.client.hint.BlockPart;
import io.github.foresight.client.hint.ReaderHost;
import io.github.foresight.client.metrics.ClientMetrics;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A block that gives its locations to a random read in the order that the file's window asks for; to all others in the NameNode's. Streams
 * try locations in their order and leave out failed ones. So a dead replica node costs no more than any other dead DataNode. As thread-safe
 * as HDFS's own.
 */
final class WindowedBlock extends BlockPart {

    private static final Logger LOG = LoggerFactory.getLogger(WindowedBlock.class);

    /** The order of a block's locations. */
    enum Order {
        /** The NameNode's. */
        STOCK,
        /** From the replica node, which has read ahead there. */
        REPLICA_NODE_FIRST,
        /** From an original replica, for the replica node has to read the neighbourhood. */
        REPLICA_NODE_LAST
    }

    private final FileWindow window;

    WindowedBlock(LocatedBlock block, FileWindow window) {
        super(block, block.getLocations(), block.getStorageIDs(), block.getStorageTypes(), 0, block.getBlockSize());
        this.window = window;
    }

    private WindowedBlock(WindowedBlock whole, int first, long endInBlock) {
        super(whole, whole.stockLocations(), whole.getStorageIDs(), whole.stockStorageTypes(), first, endInBlock);
        this.window = whole.window;
    }

    @Override
    protected BlockPart part(int first, long endInBlock) {
        return new WindowedBlock(this, first, endInBlock);
    }

    private DatanodeInfoWithStorage[] stockLocations() {
        return super.getLocations();
    }

    private StorageType @Nullable [] stockStorageTypes() {
        return super.getStorageTypes();
    }

    FileWindow window() {
        return window;
    }

    @Override
    public DatanodeInfoWithStorage[] getLocations() {
        DatanodeInfoWithStorage[] stock = super.getLocations();
        int node = replicaNodeIn(stock);
        Order order = node < 0 ? Order.STOCK : order(stock, node);
        return order == Order.STOCK ? stock : moved(stock.clone(), node, order);
    }

    /** In the order of the locations; HDFS asks for them after these, on the same thread. */
    @Override
    public StorageType @Nullable [] getStorageTypes() {
        StorageType[] stock = super.getStorageTypes();
        BlockLookup turn = BlockLookup.current();
        Order order = turn == null ? null : turn.decidedFor(this);
        DatanodeInfoWithStorage[] locations = super.getLocations();
        int node = replicaNodeIn(locations);
        if (stock == null || order == null || order == Order.STOCK || node < 0 || stock.length != locations.length) {
            return stock;
        }
        return moved(stock.clone(), node, order);
    }

    private static <T> T[] moved(T[] array, int from, Order order) {
        T moving = array[from];
        if (order == Order.REPLICA_NODE_FIRST) {
            System.arraycopy(array, 0, array, 1, from);
            array[0] = moving;
        } else {
            System.arraycopy(array, from + 1, array, from, array.length - 1 - from);
            array[array.length - 1] = moving;
        }
        return array;
    }

    private int replicaNodeIn(DatanodeInfo[] locations) {
        String uuid = window.replicaNodeOf(this);
        for (int i = 0; uuid != null && i < locations.length; i++) {
            if (uuid.equals(locations[i].getDatanodeUuid())) {
                return i;
            }
        }
        return -1;
    }

    private Order order(DatanodeInfo[] locations, int node) {
        BlockLookup turn = BlockLookup.current();
        if (turn == null || turn.offset() < getStartOffset() || turn.offset() >= getStartOffset() + getBlockSize()) {
            return Order.STOCK;
        }
        Order decided = turn.decidedFor(this);
        if (decided != null) {
            return decided;
        }
        try {
            BlockLookup.Kind kind = BlockLookup.kind();
            if (kind == BlockLookup.Kind.NONE) {
                return Order.STOCK;
            }
            Order order = nearest(locations, node, turn.offset(), kind);
            turn.decide(this, kind, order);
            return order;
        } catch (RuntimeException | LinkageError e) {
            ClientMetrics.INSTANCE.internalErrors.incr();
            LOG.debug("{} is read as HDFS reads it", getBlock(), e);
            turn.decide(this, BlockLookup.Kind.NONE, Order.STOCK);
            return Order.STOCK;
        }
    }

    /**
     * Decides for a read from an offset, with the replica node at some place among the locations. A replica on the reader's own host is given
     * up neither for another host's memory nor for another host's disk.
     */
    Order nearest(DatanodeInfo[] locations, int node, long offset, BlockLookup.Kind kind) {
        boolean nodeIsLocal = ReaderHost.has(locations[node]);
        if (locations.length < 2 || (!nodeIsLocal && ReaderHost.has(locations[0]))) {
            return Order.STOCK;
        }
        Order order = window.recordBlockRead(this, offset, kind);
        return order == Order.REPLICA_NODE_LAST && nodeIsLocal && !ReaderHost.has(locations[node == 0 ? 1 : 0])
                ? Order.STOCK
                : order;
    }
}

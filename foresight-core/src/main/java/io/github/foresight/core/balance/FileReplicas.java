/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

import java.util.Arrays;

/**
 * The replicas of consecutive blocks of a file, as one request asks for them. The caller fills it, {@link ReplicaOrder}
 * puts the replicas in order, and the caller reads the order.
 *
 * <pre>{@code
 * replicas.begin(stream, offsetBytes);
 * for each block:
 *     replicas.block(blockId, lengthBytes);
 *     for each of its locations:
 *         replicas.replica(dataNode, distance);
 * order.arrange(replicas, nowNanos);
 * replicas.at(block, 0);                // which of the block's locations comes first
 * }</pre>
 *
 * <p>A thread keeps an instance and uses it again. It allocates only to grow. At its next use it frees memory that only
 * a very large request needed. Not thread-safe.
 *
 * @param <K> the name of a DataNode, as in {@link NodeLoads}
 */
public final class FileReplicas<K> {

    /** The first capacity, in blocks; an array of more than 64 times as many is not kept. Chosen, not measured. */
    private static final int FEW_BLOCKS = 64;

    private static final int FEW_REPLICAS = 4 * FEW_BLOCKS;
    private static final int MANY_BLOCKS = 64 * FEW_BLOCKS;
    private static final int MANY_REPLICAS = 64 * FEW_REPLICAS;

    /**
     * Working memory of the order: the costs of overlaps, the first locations of the last blocks by block modulo
     * length, and an assignment of blocks.
     */
    final OverlapCosts overlapCosts = new OverlapCosts();

    final int[] firsts = new int[BalanceSettings.MOST_DISTINCT_BLOCKS];
    final EvenFirsts evenFirsts = new EvenFirsts();

    private long stream;
    private long beginBytes;
    private long endBytes;

    private int blocks;
    private long[] ids = new long[FEW_BLOCKS];
    private int[] ends = new int[FEW_BLOCKS];

    /** Indexed by a replica's number among the replicas of all blocks. */
    private Object[] keys = new Object[FEW_REPLICAS];

    private int[] distances = new int[FEW_REPLICAS];

    /** The numbers of each block's replicas in order. */
    private int[] order = new int[FEW_REPLICAS];

    /** Indexed by place in the order. */
    private Node[] nodes = new Node[FEW_REPLICAS];

    private long[] ranks = new long[FEW_REPLICAS];

    /**
     * Begins a request.
     *
     * @param stream a number for reader and file: the same for all requests of a reader for a file, and probably
     *     different for others
     * @param offsetBytes the offset of the first block in the file
     */
    public void begin(long stream, long offsetBytes) {
        if (ids.length > MANY_BLOCKS) {
            ids = new long[FEW_BLOCKS];
            ends = new int[FEW_BLOCKS];
        }
        if (keys.length > MANY_REPLICAS) {
            resizeReplicas(FEW_REPLICAS);
        }
        this.stream = stream;
        this.beginBytes = offsetBytes;
        this.endBytes = offsetBytes;
        this.blocks = 0;
    }

    /** Begins the next block; its replicas follow. */
    public void block(long id, long lengthBytes) {
        if (blocks == ids.length) {
            ids = Arrays.copyOf(ids, 2 * blocks);
            ends = Arrays.copyOf(ends, 2 * blocks);
        }
        ids[blocks] = id;
        ends[blocks] = start(blocks);
        blocks++;
        endBytes += lengthBytes;
    }

    /**
     * Adds a replica to the last block, in HDFS's order. Leave out replicas that must stay last, such as on a DataNode
     * that is stale or being decommissioned.
     *
     * @param distance the distance from the reader, not less than the distance of the replica before; replicas of one
     *     distance are equally near
     */
    public void replica(K node, int distance) {
        if (blocks == 0) {
            throw new IllegalStateException("a replica needs a block first: " + node);
        }
        int end = ends[blocks - 1];
        if (end > start(blocks - 1) && distance < distances[end - 1]) {
            throw new IllegalArgumentException("distance must be at least that of the replica before, "
                    + distances[end - 1] + ": " + distance + " of " + node);
        }
        if (end == keys.length) {
            resizeReplicas(2 * end);
        }
        keys[end] = node;
        distances[end] = distance;
        order[end] = end;
        ends[blocks - 1] = end + 1;
    }

    public int blocks() {
        return blocks;
    }

    /** The number of a block's replicas. */
    public int replicas(int block) {
        return end(block) - start(block);
    }

    /**
     * The replica at a place of the order. The result counts the block's replicas from 0 as they were added; places
     * count from 0.
     */
    public int at(int block, int place) {
        return order[start(block) + place] - start(block);
    }

    long stream() {
        return stream;
    }

    long beginBytes() {
        return beginBytes;
    }

    long endBytes() {
        return endBytes;
    }

    long id(int block) {
        return ids[block];
    }

    /** The place of a block's first replica in the order. */
    int start(int block) {
        return block == 0 ? 0 : ends[block - 1];
    }

    int end(int block) {
        return ends[block];
    }

    @SuppressWarnings("unchecked") // only replica() stores keys
    K key(int place) {
        return (K) keys[order[place]];
    }

    int distance(int place) {
        return distances[order[place]];
    }

    Node node(int place) {
        return nodes[place];
    }

    long rank(int place) {
        return ranks[place];
    }

    /**
     * Inserts the replica at a place into the ordered replicas before it: by distance, then by rank.
     *
     * @param first the place where the block begins
     */
    void insert(int first, int place, Node node, long rank) {
        int replica = order[place];
        int distance = distances[replica];
        int to = place;
        while (to > first && distances[order[to - 1]] == distance && ranks[to - 1] > rank) {
            move(to - 1, to);
            to--;
        }
        put(to, replica, node, rank);
    }

    /** Moves the replica at a place to the block's front; the order of the others stays. */
    void bringForward(int first, int place) {
        int replica = order[place];
        Node node = nodes[place];
        long rank = ranks[place];
        for (int to = place; to > first; to--) {
            move(to - 1, to);
        }
        put(first, replica, node, rank);
    }

    private void move(int from, int to) {
        put(to, order[from], nodes[from], ranks[from]);
    }

    private void put(int place, int replica, Node node, long rank) {
        order[place] = replica;
        nodes[place] = node;
        ranks[place] = rank;
    }

    private void resizeReplicas(int length) {
        keys = Arrays.copyOf(keys, length);
        distances = Arrays.copyOf(distances, length);
        order = Arrays.copyOf(order, length);
        nodes = Arrays.copyOf(nodes, length);
        ranks = Arrays.copyOf(ranks, length);
    }
}

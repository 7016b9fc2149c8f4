/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

/**
 * Puts the replicas of a file's blocks in the order in which a client will try them: load-aware request distribution.
 *
 * <p>These criteria count, in this order:
 *
 * <ol>
 *   <li><b>Distance.</b> A nearer replica comes before a farther replica. The exception is
 *       {@link BalanceSettings#yieldFactor}: overloaded nearer DataNodes may yield to a farther DataNode.
 *   <li><b>Overload.</b> An overloaded DataNode ({@link BalanceSettings#overloadFactor}) is not first while another
 *       DataNode at the same distance is not overloaded.
 *   <li><b>Overlap.</b> Of {@link BalanceSettings#distinctBlocks} consecutive blocks, as few as possible share a
 *       first DataNode. The nearer two blocks are to one another, the more their overlap counts.
 *   <li><b>Evenness.</b> A reader of all disks waits for the DataNode that is first for the most blocks. In a request
 *       of at most {@link BalanceSettings#evenBlocks} blocks this DataNode gets as few as possible. Evenness counts less
 *       than overlaps of neighbours, and more than overlaps of blocks that are farther apart.
 *   <li><b>Load</b>, then a hash of block and DataNode, which spreads files where loads are equal.
 * </ol>
 *
 * <p>A DataNode is overloaded if its load exceeds two loads by a factor: the mean, and the load of the DataNode to
 * which it would yield. The second condition is necessary because the mean may be a second old. In a sudden rush all
 * DataNodes exceed the old mean, but none exceeds the others.
 *
 * <p>The other replicas of a block follow by distance and load.
 *
 * <p><b>Three passes.</b> First {@link OverlapCosts} computes for each block and candidate the overlaps that the
 * following blocks can no longer avoid. Then the first replicas are chosen block by block: among the candidates of
 * least cost, the candidate with the least load at that moment. A chosen replica counts as load at once, so that later
 * blocks and other handlers see it. By this order overlaps are optimal and loads are near-optimal. Last, {@link
 * EvenFirsts} replaces the choices if its own are more even. Optimal loads
 * together are NP-hard, as the paper says.
 *
 * <p><b>Optimality.</b> Without the third pass, overlaps are optimal within one request, up to the distance {@link OverlapCosts#depth}. This
 * always covers neighbours. With three replicas, in a request of up to a thousand blocks, it covers four consecutive
 * blocks. At larger distances each block avoids the first DataNodes of earlier blocks where it can. For the optimum it
 * is enough to consider the {@code 2 distinctBlocks - 1} least loaded candidates of a block. The blocks around it that
 * matter are fewer than that, so one candidate is left. The last request counts through {@link RecentFirsts}, with its
 * choices as they were made.
 *
 * <p><b>Differences from the paper.</b> The paper takes the first DataNode that passes its filters. Four things are
 * added. Evenness counts, because prefetch reads all of a file's DataNodes at once. Distance counts, because readers in HDFS have near replicas. The look at later blocks is necessary, because
 * otherwise a block between two others may find all its DataNodes taken. Handed-out reads count ({@link NodeLoads}),
 * because otherwise all readers are sent to one DataNode between two heartbeats.
 *
 * <p>The order is a function of the settings and of the calls so far. Takes time linear in the blocks and quadratic in
 * the replicas of a block. At most {@value #MOST_ORDERED} replicas of a block are put in order, and further replicas
 * stay behind them. No allocation. Thread-safe without locks.
 *
 * <p>SSPF (Li et al.), section II.D.
 *
 * @param <K> the name of a DataNode, as in {@link NodeLoads}
 */
public final class ReplicaOrder<K> {

    /** The most ordered replicas of a block, far above HDFS's default of 3, to bound the time. Chosen, not measured. */
    private static final int MOST_ORDERED = 16;

    /** The purpose of an order. */
    private enum Purpose {
        READ,
        LATER
    }

    /** The low bits of a rank: a hash. The high bits are a load in 256ths. */
    private static final int HASH_BITS = 23;

    private final NodeLoads<K> loads;
    private final RecentFirsts recent;
    private final int before;
    private final int evenBlocks;
    private final int mostCandidates;
    private final double overloadFactor;
    private final double yieldFactor;
    private final int overloadMinimum;

    /** Makes an order by these loads, to which it adds the reads that it hands out. */
    public ReplicaOrder(NodeLoads<K> loads, BalanceSettings settings) {
        this.loads = loads;
        this.before = Math.max(settings.distinctBlocks() - 1, 0);
        this.recent = new RecentFirsts(before == 0 ? 0 : settings.maxRemembered());
        this.evenBlocks = settings.evenBlocks();
        this.mostCandidates = Math.min(2 * before + 1, MOST_ORDERED);
        this.overloadFactor = settings.overloadFactor();
        this.yieldFactor = settings.yieldFactor();
        this.overloadMinimum = settings.overloadMinimum();
    }

    /**
     * Puts a request's replicas in order, and counts for each block a read of its first replica. Call this once for
     * each request.
     *
     * @param file the request that the caller has just filled
     */
    public void arrange(FileReplicas<K> file, long nowNanos) {
        arrange(file, nowNanos, Purpose.READ);
    }

    /**
     * Puts replicas in order for reads that may come later or never, and counts no reads. Since other handlers do not
     * see these choices, the least loaded DataNode would get all such reads at once. For this reason load counts only
     * above the overload limit; otherwise a hash decides. Call this once for each request.
     *
     * @param file the request that the caller has just filled
     */
    public void arrangeForLater(FileReplicas<K> file, long nowNanos) {
        arrange(file, nowNanos, Purpose.LATER);
    }

    private void arrange(FileReplicas<K> file, long nowNanos, Purpose purpose) {
        long overloadLimit = loads.limitUnits(overloadFactor, overloadMinimum);
        long yieldLimit = loads.limitUnits(yieldFactor, overloadMinimum);
        file.overlapCosts.clear();
        recall(file);
        for (int block = 0; block < file.blocks(); block++) {
            rank(file, block, nowNanos, purpose, overloadLimit);
            yieldToFarther(file, block, yieldLimit);
            addCandidates(file, block, overloadLimit);
        }
        file.overlapCosts.prepare(before);
        settle(file, nowNanos, purpose, overloadLimit);
        even(file, nowNanos, purpose);
        remember(file);
    }

    /** Adds the last blocks of the reader's last request; their first nodes are already chosen. */
    private void recall(FileReplicas<K> file) {
        boolean isContinued = file.beginBytes() != 0;
        for (int back = before; back >= 1; back--) {
            int node = isContinued ? recent.recall(file.stream(), file.beginBytes(), back) : Node.UNKNOWN;
            file.firsts[before - back] = node;
            file.overlapCosts.candidates.addBlock();
            file.overlapCosts.candidates.add(node);
        }
    }

    private void rank(FileReplicas<K> file, int block, long nowNanos, Purpose purpose, long limit) {
        int first = file.start(block);
        int end = orderedEnd(file, block);
        for (int place = first; place < end; place++) {
            Node node = loads.node(file.key(place), nowNanos);
            file.insert(first, place, node, rank(node, file.id(block), nowNanos, purpose, limit));
        }
    }

    private long rank(Node node, long blockId, long nowNanos, Purpose purpose, long limit) {
        long units = node.units(loads.fading(), nowNanos);
        long counted = purpose == Purpose.READ || units > limit ? units : 0;
        return counted << HASH_BITS | Hash.of(blockId ^ node.hash) >>> (Long.SIZE - HASH_BITS);
    }

    private static long units(long rank) {
        return rank >>> HASH_BITS;
    }

    /**
     * Moves the nearest replicas that are not overloaded to the front, if all replicas at the least distance are
     * overloaded.
     */
    private void yieldToFarther(FileReplicas<K> file, int block, long limit) {
        int first = file.start(block);
        int end = orderedEnd(file, block);
        int place = first;
        while (place < end && units(file.rank(place)) > limit) {
            place++;
        }
        if (place == end
                || file.distance(place) == file.distance(first)
                || !isFarAbove(file.rank(first), file.rank(place), yieldFactor)) {
            return;
        }
        int distance = file.distance(place);
        for (int to = first;
                place < end && file.distance(place) == distance && units(file.rank(place)) <= limit;
                place++, to++) {
            file.bringForward(to, place);
        }
    }

    /**
     * Adds a block with its candidates to the overlap costs. The candidates are the replicas at the front that may be
     * first.
     */
    private void addCandidates(FileReplicas<K> file, int block, long limit) {
        int first = file.start(block);
        int end = Math.min(orderedEnd(file, block), first + mostCandidates);
        FirstCandidates candidates = file.overlapCosts.candidates;
        candidates.addBlock();
        for (int place = first; place < end && mayBeFirst(file, first, place, limit); place++) {
            candidates.add(file.node(place).number);
        }
    }

    private boolean mayBeFirst(FileReplicas<K> file, int first, int place, long limit) {
        return file.distance(place) == file.distance(first)
                && (units(file.rank(place)) <= limit
                        || !isFarAbove(file.rank(place), file.rank(first), overloadFactor));
    }

    private static boolean isFarAbove(long rank, long otherRank, double factor) {
        return units(rank) > factor * units(otherRank);
    }

    private void settle(FileReplicas<K> file, long nowNanos, Purpose purpose, long limit) {
        OverlapCosts overlapCosts = file.overlapCosts;
        int state = overlapCosts.firstState();
        for (int block = 0; block < file.blocks(); block++) {
            int choice = choose(file, block, state, nowNanos, purpose, limit);
            int number = Node.UNKNOWN;
            if (choice >= 0) {
                int first = file.start(block);
                Node node = file.node(first + choice);
                if (purpose == Purpose.READ) {
                    node.handOut(loads.fading(), nowNanos);
                }
                number = node.number;
                file.bringForward(first, first + choice);
            }
            file.firsts[slot(before + block)] = number;
            state = overlapCosts.nextState(state, Math.max(choice, 0));
        }
    }

    /** The best candidate's number, or -1 if the block has none. */
    private int choose(FileReplicas<K> file, int block, int state, long nowNanos, Purpose purpose, long limit) {
        OverlapCosts overlapCosts = file.overlapCosts;
        int position = before + block;
        int best = -1;
        long bestCost = 0;
        long bestOverlaps = 0;
        long bestRank = 0;
        for (int choice = 0; choice < overlapCosts.candidates.count(position); choice++) {
            Node node = file.node(file.start(block) + choice);
            long cost = overlapCosts.cost(position, state, choice);
            long overlaps = overlapsBeyond(file, position, node.number);
            long rank = rank(node, file.id(block), nowNanos, purpose, limit);
            if (best < 0
                    || cost < bestCost
                    || (cost == bestCost
                            && (overlaps < bestOverlaps || (overlaps == bestOverlaps && rank < bestRank)))) {
                best = choice;
                bestCost = cost;
                bestOverlaps = overlaps;
                bestRank = rank;
            }
        }
        return best;
    }

    /**
     * The earlier blocks, beyond the depth of the overlap costs, that have the same first node: one bit each, higher
     * bits for nearer blocks.
     */
    private long overlapsBeyond(FileReplicas<K> file, int position, int number) {
        long overlaps = 0;
        for (int back = file.overlapCosts.depth() + 1; back <= before && number != Node.UNKNOWN; back++) {
            if (file.firsts[slot(position - back)] == number) {
                overlaps |= 1L << (before - back);
            }
        }
        return overlaps;
    }

    /** Replaces the first replicas if others put fewer blocks on the DataNode with the most. */
    private void even(FileReplicas<K> file, long nowNanos, Purpose purpose) {
        if (before == 0
                || file.blocks() > evenBlocks
                || before + file.blocks() > BalanceSettings.MOST_DISTINCT_BLOCKS) {
            return;
        }
        int most = mostOfANode(file);
        if (most <= 1
                || file.evenFirsts.assign(file.overlapCosts.candidates, before) >= most
                || overlapsOfNeighbours(file, true) > overlapsOfNeighbours(file, false)) {
            return;
        }
        for (int block = 0; block < file.blocks(); block++) {
            int number = file.evenFirsts.node(block);
            int first = file.start(block);
            if (number == file.firsts[slot(before + block)]) {
                continue;
            }
            int place = first + 1;
            while (file.node(place).number != number) {
                place++;
            }
            if (purpose == Purpose.READ) {
                file.node(first).takeBack(loads.fading(), nowNanos);
                file.node(place).handOut(loads.fading(), nowNanos);
            }
            file.bringForward(first, place);
            file.firsts[slot(before + block)] = number;
        }
    }

    /** The blocks that share their first node with the block before, in the last request's last block too. */
    private int overlapsOfNeighbours(FileReplicas<K> file, boolean isEven) {
        int overlaps = 0;
        int last = file.firsts[slot(before - 1)];
        for (int block = 0; block < file.blocks(); block++) {
            int number = isEven ? file.evenFirsts.node(block) : file.firsts[slot(before + block)];
            overlaps += number == last && number != Node.UNKNOWN ? 1 : 0;
            last = number;
        }
        return overlaps;
    }

    private int mostOfANode(FileReplicas<K> file) {
        int most = 0;
        for (int block = 0; block < file.blocks(); block++) {
            int number = file.firsts[slot(before + block)];
            int count = 0;
            for (int earlier = 0; earlier <= block && number != Node.UNKNOWN; earlier++) {
                count += file.firsts[slot(before + earlier)] == number ? 1 : 0;
            }
            most = Math.max(most, count);
        }
        return most;
    }

    private void remember(FileReplicas<K> file) {
        for (int back = 1; back <= before; back++) {
            int number = file.firsts[slot(before + file.blocks() - back)];
            recent.remember(file.stream(), file.endBytes(), back, number);
        }
    }

    private static int slot(int position) {
        return position & (BalanceSettings.MOST_DISTINCT_BLOCKS - 1);
    }

    private static <K> int orderedEnd(FileReplicas<K> file, int block) {
        return Math.min(file.end(block), file.start(block) + MOST_ORDERED);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.balance;

/**
 * Puts the replicas of a file's blocks in the order in which a client is to try them: load-aware request distribution.
 *
 * <p>What counts, in this order:
 *
 * <ol>
 *   <li><b>Distance.</b> A nearer replica comes before a farther one, unless all the nearer ones' DataNodes are overloaded and
 *       {@link BalanceSettings#yieldFactor} allows it.
 *   <li><b>Overload.</b> A DataNode that is overloaded ({@link BalanceSettings#overloadFactor}) is not first while another at the
 *       same distance is not.
 *   <li><b>Overlap.</b> Of {@link BalanceSettings#distinctBlocks} blocks in a row as few as possible share a first DataNode, the
 *       nearer to one another the fewer.
 *   <li><b>Load</b>, then a hash of block and DataNode, so that files are spread where loads are equal.
 * </ol>
 *
 * <p>Overloaded is who exceeds the mean, and what it would give way to, by a factor. The mean may be a second old: in a sudden rush
 * all exceed it, but none exceeds the others.
 *
 * <p>A block's other replicas follow by distance and load.
 *
 * <p><b>Two passes.</b> {@link Lookahead} says for each block what each candidate will cost the blocks after it in overlaps that
 * cannot be avoided any more. Then the blocks are settled one after the other: of the candidates that cost least, the one
 * that is loaded least at that moment. What is chosen counts as load at once, so a file's later blocks, and other handlers, see
 * it. So overlaps are optimal, and loads are near-optimal: choosing them together is NP-hard, as the paper says.
 *
 * <p>Optimal are overlaps within the blocks of one request as far as {@link Lookahead#depth} reaches: between neighbours always,
 * and with three replicas between four blocks in a row, in a request of up to a thousand. Beyond, each block avoids those before
 * it where it can. To be optimal it need look at no more than {@code 2 distinctBlocks - 1} candidates of a block, the least
 * loaded: the blocks around it that matter are fewer, so one is left. The request before counts through {@link RecentFirsts}, as
 * it was settled.
 *
 * <p>The paper takes the first DataNode that passes its filters. What is added: distance, as HDFS's readers have near replicas;
 * looking ahead, without which a block between two others may find all its DataNodes taken; and counting what is handed out
 * ({@link NodeLoads}), without which all readers are sent to one DataNode between two heartbeats.
 *
 * <p>A function of its settings and of the calls made so far. Linear in the blocks and, per block, quadratic in its replicas, of
 * which at most {@value #MOST_ORDERED} are put in order and the others left behind them; no allocation. Thread-safe, without
 * locks.
 *
 * <p>SSPF (Li et al.), section II.D.
 *
 * @param <K> names a DataNode, as in {@link NodeLoads}
 */
public final class ReplicaOrder<K> {

    private static final int MOST_ORDERED = 16;

    /** What replicas are put in order for. */
    private enum Purpose {
        READ,
        LATER
    }

    /** A rank is a load in 256ths and, below it, a hash. */
    private static final int HASH_BITS = 23;

    private final NodeLoads<K> loads;
    private final RecentFirsts recent;
    private final int before;
    private final int mostCandidates;
    private final double overloadFactor;
    private final double yieldFactor;
    private final int overloadMinimum;

    /** Orders by these loads, to which it adds what it hands out. */
    public ReplicaOrder(NodeLoads<K> loads, BalanceSettings settings) {
        this.loads = loads;
        this.before = Math.max(settings.distinctBlocks() - 1, 0);
        this.recent = new RecentFirsts(before == 0 ? 0 : settings.maxRemembered());
        this.mostCandidates = Math.min(2 * before + 1, MOST_ORDERED);
        this.overloadFactor = settings.overloadFactor();
        this.yieldFactor = settings.yieldFactor();
        this.overloadMinimum = settings.overloadMinimum();
    }

    /**
     * Puts a request's replicas in order, once, and counts for each block a read of the one that is now first.
     *
     * @param file what the caller has just filled
     */
    public void arrange(FileReplicas<K> file, long nowNanos) {
        arrange(file, nowNanos, Purpose.READ);
    }

    /**
     * Puts replicas in order, once, for a read that may come later or never, and counts none. So other handlers don't see what is
     * chosen here, and the least loaded DataNode would get all such reads at once: only overload counts, and a hash decides.
     *
     * @param file what the caller has just filled
     */
    public void arrangeForLater(FileReplicas<K> file, long nowNanos) {
        arrange(file, nowNanos, Purpose.LATER);
    }

    private void arrange(FileReplicas<K> file, long nowNanos, Purpose purpose) {
        long overloadLimit = loads.limitUnits(overloadFactor, overloadMinimum);
        long yieldLimit = loads.limitUnits(yieldFactor, overloadMinimum);
        file.lookahead.clear();
        recall(file);
        for (int block = 0; block < file.blocks(); block++) {
            rank(file, block, nowNanos, purpose, overloadLimit);
            giveWay(file, block, yieldLimit);
            nominate(file, block, overloadLimit);
        }
        file.lookahead.prepare(before);
        settle(file, nowNanos, purpose, overloadLimit);
        remember(file);
    }

    /** Lets the blocks before the request's first take part, as settled ones. */
    private void recall(FileReplicas<K> file) {
        boolean isContinued = file.beginBytes() != 0;
        for (int back = before; back >= 1; back--) {
            int node = isContinued ? recent.recall(file.stream(), file.beginBytes(), back) : Node.UNKNOWN;
            file.firsts[before - back] = node;
            file.lookahead.candidates.addBlock();
            file.lookahead.candidates.add(node);
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

    /** Brings the nearest replicas that are not overloaded to the front, where those at the least distance all are. */
    private void giveWay(FileReplicas<K> file, int block, long limit) {
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

    /** Tells the lookahead which replicas may be first: they are those at the front. */
    private void nominate(FileReplicas<K> file, int block, long limit) {
        int first = file.start(block);
        int end = Math.min(orderedEnd(file, block), first + mostCandidates);
        Candidates candidates = file.lookahead.candidates;
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
        Lookahead lookahead = file.lookahead;
        int state = lookahead.firstState();
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
            state = lookahead.nextState(state, Math.max(choice, 0));
        }
    }

    /** The best candidate by its number, or -1 where the block has none. */
    private int choose(FileReplicas<K> file, int block, int state, long nowNanos, Purpose purpose, long limit) {
        Lookahead lookahead = file.lookahead;
        int position = before + block;
        int best = -1;
        long bestCost = 0;
        long bestOverlaps = 0;
        long bestRank = 0;
        for (int choice = 0; choice < lookahead.candidates.count(position); choice++) {
            Node node = file.node(file.start(block) + choice);
            long cost = lookahead.cost(position, state, choice);
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

    /** Which of the blocks that the lookahead does not reach start at the node too: a bit each, the nearer the higher. */
    private long overlapsBeyond(FileReplicas<K> file, int position, int number) {
        long overlaps = 0;
        for (int back = file.lookahead.depth() + 1; back <= before && number != Node.UNKNOWN; back++) {
            if (file.firsts[slot(position - back)] == number) {
                overlaps |= 1L << (before - back);
            }
        }
        return overlaps;
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

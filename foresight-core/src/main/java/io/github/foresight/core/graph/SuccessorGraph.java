/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * A directed graph of files. The weight of an edge says how often the second file was read soon after the first (Nexus,
 * section 4.1).
 *
 * <p>A vertex has a bounded number of successors, ordered by weight. Of equals, the successor that was seen last comes
 * first; the paper's examples predict in this order (Fig. 7, Table 2). A new successor of a full vertex replaces the
 * last in this order.
 *
 * <p>When a weight would exceed {@link GraphSettings#maxWeight()}, the vertex's weights become their ranks, the weakest
 * 0 (Fig. 11). When a vertex has been visited {@link GraphSettings#agingVisits()} times, its visits and weights are
 * halved. By this aging a vertex forgets old successors. Vertices and successors are any 64-bit numbers.
 */
public interface SuccessorGraph {

    /**
     * The largest number of an owner, which is a user that is charged for vertices. Two users with the same number are
     * charged together.
     */
    int OWNERS_MAX = 255;

    /** The owner of vertices that are charged to no user, such as vertices from an old checkpoint. */
    int NOBODY = 0;

    /**
     * Loads a vertex into the processor's cache for a change that follows at once. Loads of several vertices overlap.
     */
    default void touch(long vertex) {}

    /**
     * Starts to load a vertex into the processor's cache for a read that follows soon. Loads of several vertices
     * overlap.
     *
     * @return a number without meaning; the caller must use it, or the compiler would remove the load
     */
    default long fetch(long vertex) {
        return 0;
    }

    /**
     * Counts an access to a vertex, and fills in the vertex's successors.
     *
     * @param leastConfidence the least confidence of a filled-in successor, 0 for all
     */
    void visit(long vertex, double leastConfidence, Successors successors);

    /**
     * Counts an access by a user to a vertex, and fills in the vertex's successors. A new vertex is charged to the
     * user.
     *
     * @param owner the user's number, 1 to {@value #OWNERS_MAX}; or {@link #NOBODY}
     */
    default void visit(int owner, long vertex, double leastConfidence, Successors successors) {
        visit(vertex, leastConfidence, successors);
    }

    /** Adds weight to an edge, from 1 to {@link WeightScheme#FULL}. */
    void strengthen(long from, long to, int weight);

    /**
     * Adds weight to an edge, from 1 to {@link WeightScheme#FULL}. A new vertex is charged to the user.
     *
     * @param owner the user's number, 1 to {@value #OWNERS_MAX}; or {@link #NOBODY}
     */
    default void strengthen(int owner, long from, long to, int weight) {
        strengthen(from, to, weight);
    }

    /**
     * Learns one access of a batch in one step, as {@link #visit} and {@link #strengthen} would in several. Counts the
     * access if it is new. Adds weight to the edges from the vertex to the new accesses that follow.
     *
     * @param vertex the access's file, or the pair that ends with the access
     * @param index of the access
     * @param reach the largest distance of an edge, in accesses
     */
    void learn(long vertex, AccessBatch batch, int index, int reach);

    /**
     * Fills in the successors of a vertex; none if the graph does not hold the vertex.
     *
     * @param leastConfidence the least confidence of a filled-in successor, 0 for all
     */
    void read(long vertex, double leastConfidence, Successors successors);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * A directed graph of files, an edge's weight saying how much the one was read after the other (Nexus, section 4.1).
 *
 * <p>A vertex keeps a bounded number of successors, in the order of their weights and among equals the one seen last first, which
 * is the order in which the paper's examples predict (Fig. 7, Table 2). A new successor of a full vertex takes the place of the
 * last in that order. When a weight would exceed {@link GraphSettings#maxWeight()} the vertex's weights become their ranks, the
 * weakest 0 (Fig. 11). When a vertex has been visited {@link GraphSettings#agingVisits()} times its visits and weights are
 * halved, so that it forgets what is no longer so. Vertices and successors are any numbers.
 */
public interface SuccessorGraph {

    /** How many users are told apart by whom vertices are charged to; two that fall on one number are charged together. */
    int OWNERS_MAX = 255;

    /** To whom a vertex is charged that is nobody's, such as one from a checkpoint. */
    int NOBODY = 0;

    /**
     * A vertex will be changed at once: has the processor fetch what it needs for that, and for several vertices at the same time.
     */
    default void touch(long vertex) {}

    /**
     * A vertex will be read soon: has the processor fetch it, without waiting for it, so that several are under way at the same time.
     *
     * @return what means nothing, and must be made use of lest the compiler leave the fetching out
     */
    default long fetch(long vertex) {
        return 0;
    }

    /**
     * Counts an access of a vertex, and fills in its successors.
     *
     * @param leastConfidence of those that are filled in, 0 for all
     */
    void visit(long vertex, double leastConfidence, Successors successors);

    /**
     * The same for an access by a user, to whom the vertex is charged if it is new.
     *
     * @param owner who that is, 1 to {@value #OWNERS_MAX}; or {@link #NOBODY}
     */
    default void visit(int owner, long vertex, double leastConfidence, Successors successors) {
        visit(vertex, leastConfidence, successors);
    }

    /** Adds weight to an edge, from 1 to {@link WeightScheme#FULL}. */
    void strengthen(long from, long to, int weight);

    /**
     * The same for accesses by a user, to whom the vertex is charged if it is new.
     *
     * @param owner who that is, 1 to {@value #OWNERS_MAX}; or {@link #NOBODY}
     */
    default void strengthen(int owner, long from, long to, int weight) {
        strengthen(from, to, weight);
    }

    /**
     * Does for a vertex what {@link #visit} and {@link #strengthen} do, for one access of a run and those that follow it: counts the
     * access if it is new, and adds weight to the edges to the new ones behind it.
     *
     * @param vertex the access's file, or what else is accessed with it
     * @param index of the access
     * @param reach how many accesses later an edge may lead
     */
    void learn(long vertex, AccessRun run, int index, int reach);

    /**
     * Fills in a vertex's successors, none if it is not known.
     *
     * @param leastConfidence of those that are filled in, 0 for all
     */
    void read(long vertex, double leastConfidence, Successors successors);
}

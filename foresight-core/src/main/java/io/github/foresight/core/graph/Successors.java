/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * A vertex's successors as they were at one moment, strongest first and among equals the one seen last first. Made to be filled
 * again and again, so that a prediction allocates nothing. Not thread-safe.
 */
public final class Successors {

    final long[] files;
    final int[] weights;
    int size;
    int visits;

    /** To whom the vertex is charged. */
    int owner;

    /** Makes room for as many successors as a vertex may have. */
    public Successors(int capacity) {
        this.files = new long[capacity];
        this.weights = new int[capacity];
    }

    void clear() {
        size = 0;
        visits = 0;
        owner = SuccessorGraph.NOBODY;
    }

    public int size() {
        return size;
    }

    /** How often the vertex was visited, since it was last aged; 0 if the graph does not know it. */
    public int visits() {
        return visits;
    }

    public long file(int rank) {
        return files[rank];
    }

    public int weight(int rank) {
        return weights[rank];
    }

    /**
     * The share of visits that the successor followed, discounted by its distance: 1 if it was the direct successor of every
     * visit.
     *
     * @param visitsToCome counted besides, 0 or 1
     */
    double confidence(int rank, int visitsToCome) {
        int all = visits + visitsToCome;
        return all == 0 ? 0 : Math.min(1, (double) weights[rank] / ((long) WeightScheme.FULL * all));
    }
}

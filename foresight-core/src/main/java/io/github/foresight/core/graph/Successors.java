/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * The successors of a vertex as they were at one moment, strongest first; of equals, the successor that was seen last
 * comes first. An instance is filled again for each read, so that a prediction allocates nothing. Not thread-safe.
 */
public final class Successors {

    final long[] files;
    final int[] weights;
    int size;
    int visits;

    /** The owner that is charged for the vertex. */
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

    /** The visits of the vertex since its last aging; 0 if the graph does not hold the vertex. */
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
     * The share of visits that the successor followed, discounted by its distance. The confidence is 1 if the successor
     * directly followed each visit.
     *
     * @param visitsToCome visits that the graph has not counted yet, 0 or 1
     */
    double confidence(int rank, int visitsToCome) {
        int all = visits + visitsToCome;
        return all == 0 ? 0 : Math.min(1, (double) weights[rank] / ((long) WeightScheme.FULL * all));
    }
}

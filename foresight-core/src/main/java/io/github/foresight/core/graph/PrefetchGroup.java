/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * A prefetch group: the files that a client is expected to access next, likeliest first. An instance is filled again
 * for each prediction. Not thread-safe.
 */
public final class PrefetchGroup {

    final long[] files;
    final double[] confidences;
    int size;

    /**
     * Makes an empty group.
     *
     * @param capacity the most files of the group, at least 1
     */
    public PrefetchGroup(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1: " + capacity);
        }
        this.files = new long[capacity];
        this.confidences = new double[capacity];
    }

    public int size() {
        return size;
    }

    public long file(int rank) {
        return files[rank];
    }

    /**
     * The predicted probability that the file is accessed soon, 0 to 1. {@link Usefulness} knows how often such
     * predictions were right.
     */
    public double confidence(int rank) {
        return confidences[rank];
    }

    void add(long file, double confidence) {
        files[size] = file;
        confidences[size] = confidence;
        size++;
    }
}

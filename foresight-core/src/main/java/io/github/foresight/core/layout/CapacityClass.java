/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

/**
 * A node's share of files by the capacity of its disks, in steps of the square root of two.
 *
 * <p>A node changes its class only if its capacity changes a lot, and only this node then gains or loses files. A disk
 * that fills up, or that reports a few bytes more or less, moves no file. The cost is that a node's share may differ
 * from its capacity's by up to 19 %. Stateless.
 */
public final class CapacityClass {

    /** Two classes for a factor of two, that is a step of the square root of two. Chosen, not measured. */
    private static final double CLASSES_PER_DOUBLING = 2;

    private CapacityClass() {}

    /**
     * The weight of a node.
     *
     * @param capacityBytes the capacity of all its disks, used or not
     * @return a power of the square root of two; 0 for a node without capacity, which gets no files
     */
    public static double weight(long capacityBytes) {
        if (capacityBytes <= 0) {
            return 0;
        }
        double step = Math.rint(CLASSES_PER_DOUBLING * Math.log((double) capacityBytes) / Math.log(2));
        return Math.pow(2, step / CLASSES_PER_DOUBLING);
    }
}

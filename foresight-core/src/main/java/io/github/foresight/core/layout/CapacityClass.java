/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

/**
 * A node's share of files, from what its disks hold when empty, in steps of the square root of two.
 *
 * <p>Only a node that gets a good deal larger or smaller changes its class, and then only it gives or takes files: neither a disk
 * that fills up nor one that reports a few bytes more or less moves any. The price is that a node's share may be up to 19 % beside
 * its capacity's.
 */
public final class CapacityClass {

    private static final double CLASSES_PER_DOUBLING = 2;

    private CapacityClass() {}

    /**
     * The weight of a node.
     *
     * @param capacityBytes of all its disks, used or not
     * @return a power of the square root of two; or 0 for a node without capacity, which gets nothing
     */
    public static double weight(long capacityBytes) {
        if (capacityBytes <= 0) {
            return 0;
        }
        double step = Math.rint(CLASSES_PER_DOUBLING * Math.log((double) capacityBytes) / Math.log(2));
        return Math.pow(2, step / CLASSES_PER_DOUBLING);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

/**
 * Which replica goes when the Balancer has copied one from a node: its own choice is the copy on the node that it drains.
 *
 * <p>Another node's replica may go instead only if that node is as full as the drained one. Then the cluster comes nearer to its mean by as
 * much, and no move leaves the fullest of a block's nodes as full as it was.
 */
public final class Fullness {

    /** As the least threshold that the Balancer accepts, one percent: nearer than that it moves nothing. */
    static final double ALIKE = 0.01;

    private Fullness() {}

    /**
     * The share of a capacity that is used.
     *
     * @return 0 where there is no capacity
     */
    public static double of(long usedBytes, long capacityBytes) {
        return capacityBytes <= 0 ? 0 : (double) usedBytes / capacityBytes;
    }

    /** Whether draining a node serves as well as draining another, both by their fullness in [0, 1]. */
    public static boolean servesAsWell(double fullness, double drained) {
        return fullness >= drained - ALIKE;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * The weight that an access adds to the edge from an earlier access, by the distance between them (Nexus, section
 * 4.5.1). In each scheme the direct successor gets {@value #FULL}, and no successor in a window gets less than 1.
 */
public enum WeightScheme {
    /** The same weight for all distances. */
    IDENTICAL {
        @Override
        int decremented(int distance) {
            return FULL;
        }
    },
    /** 10, 9, 8, ...: the paper's choice. */
    LINEAR {
        @Override
        int decremented(int distance) {
            return FULL + 1 - distance;
        }
    },
    /** 10, 10/4, 10/9, ..., rounded: the inverse square of the distance. */
    POLYNOMIAL {
        @Override
        int decremented(int distance) {
            long squared = (long) distance * distance;
            return (int) ((2 * FULL + squared) / (2 * squared));
        }
    },
    /** 10, 5, 2.5, ..., rounded. */
    EXPONENTIAL {
        @Override
        int decremented(int distance) {
            int halvings = Math.min(distance - 1, MOST_HALVINGS);
            return (2 * FULL + (1 << halvings)) >> (halvings + 1);
        }
    };

    /** The weight of a direct successor. */
    public static final int FULL = 10;

    /** A bound of the shift below; {@link #FULL} is 0 after fewer halvings. */
    private static final int MOST_HALVINGS = 16;

    abstract int decremented(int distance);

    /**
     * The weight that one access adds.
     *
     * @param distance from the earlier access to this access, at least 1
     * @return between 1 and {@link #FULL}
     */
    public final int weight(int distance) {
        if (distance < 1) {
            throw new IllegalArgumentException("distance must be at least 1: " + distance);
        }
        return Math.max(1, decremented(distance));
    }
}

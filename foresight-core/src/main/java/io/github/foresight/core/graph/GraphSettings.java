/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/** Bounds of a {@link SuccessorGraph}. Immutable. */
public final class GraphSettings {

    /** The largest value of a weight and of a visit count in {@link PackedGraph}. */
    static final int MAX_UNSIGNED_SHORT = 0xffff;

    private final int maxSuccessors;
    private final int maxWeight;
    private final int agingVisits;
    private final double ownerShare;

    /**
     * Checks the bounds; one owner may take all vertices.
     *
     * @param maxSuccessors the most successors of a vertex, 1 to 64
     * @param maxWeight the most weight of an edge, from {@link WeightScheme#FULL} plus 64 to 65,535
     * @param agingVisits the visits after which a vertex's visits and weights are halved, 2 to 65,535; 0 for never
     */
    public GraphSettings(int maxSuccessors, int maxWeight, int agingVisits) {
        this(maxSuccessors, maxWeight, agingVisits, 1);
    }

    /**
     * Checks the bounds.
     *
     * @param maxSuccessors the most successors of a vertex, 1 to 64
     * @param maxWeight the most weight of an edge, from {@link WeightScheme#FULL} plus 64 to 65,535
     * @param agingVisits the visits after which a vertex's visits and weights are halved, 2 to 65,535; 0 for never
     * @param ownerShare the share of the vertices that one owner keeps while other owners need room, above 0 and at
     *     most 1
     */
    public GraphSettings(int maxSuccessors, int maxWeight, int agingVisits, double ownerShare) {
        if (!(ownerShare > 0 && ownerShare <= 1)) {
            throw new IllegalArgumentException("ownerShare is " + ownerShare + "; accepted is above 0 to 1");
        }
        this.ownerShare = ownerShare;
        this.maxSuccessors = within("maxSuccessors", maxSuccessors, 1, PackedGraph.MOST_SUCCESSORS);
        this.maxWeight =
                within("maxWeight", maxWeight, WeightScheme.FULL + PackedGraph.MOST_SUCCESSORS, MAX_UNSIGNED_SHORT);
        this.agingVisits = agingVisits == 0 ? 0 : within("agingVisits", agingVisits, 2, MAX_UNSIGNED_SHORT);
    }

    private static int within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + "; accepted is " + least + " to " + most);
        }
        return value;
    }

    public int maxSuccessors() {
        return maxSuccessors;
    }

    public int maxWeight() {
        return maxWeight;
    }

    public int agingVisits() {
        return agingVisits;
    }

    public double ownerShare() {
        return ownerShare;
    }
}

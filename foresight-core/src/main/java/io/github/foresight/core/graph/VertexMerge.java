/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Merges the data of two graphs about one vertex.
 *
 * <p>Each side counts by its visits; the loaded side also counts by a trust that falls with the age of the checkpoint.
 * The merged confidence of an edge is the weighted mean of both sides. The merged number of visits is the weighted
 * mean, too. An edge that one side does not have counts there with confidence 0. The mean was chosen over the sum
 * because NameNodes load one another's checkpoints repeatedly: data that is merged twice must not count twice.
 *
 * <p>The mean has three properties. Merging equal sides changes nothing except by rounding. The merged visits and each
 * merged confidence lie between those of both sides. A side without data changes nothing.
 *
 * <p>Stateless; takes time in proportion to the product of both sizes.
 */
final class VertexMerge {

    private VertexMerge() {}

    /**
     * Merges two sides.
     *
     * @param trust the weight of a visit of the loaded side, relative to a visit of the own side; more than 0
     * @param merged takes the result, the strongest edges first, up to its capacity
     */
    static void merge(Successors own, Successors loaded, double trust, Successors merged) {
        double ownCount = count(own);
        double loadedCount = trust * count(loaded);
        double share = ownCount + loadedCount == 0 ? 0 : loadedCount / (ownCount + loadedCount);
        merged.clear();
        double visits = (1 - share) * own.visits + share * loaded.visits;
        merged.visits = (int) Math.round(visits);
        double ofOwn = (1 - share) * Math.max(1, visits) / Math.max(1, own.visits);
        double ofLoaded = share * Math.max(1, visits) / Math.max(1, loaded.visits);
        for (int rank = 0; rank < own.size; rank++) {
            int other = rankOf(own.files[rank], loaded);
            double weight = ofOwn * own.weights[rank] + (other < 0 ? 0 : ofLoaded * loaded.weights[other]);
            put(own.files[rank], weight, merged);
        }
        for (int rank = 0; rank < loaded.size; rank++) {
            if (rankOf(loaded.files[rank], own) < 0) {
                put(loaded.files[rank], ofLoaded * loaded.weights[rank], merged);
            }
        }
    }

    /** The weight of a side. A vertex with edges counts as one visit after its visits were halved to 0. */
    private static int count(Successors side) {
        return side.visits == 0 && side.size > 0 ? 1 : side.visits;
    }

    private static int rankOf(long file, Successors in) {
        for (int rank = 0; rank < in.size; rank++) {
            if (in.files[rank] == file) {
                return rank;
            }
        }
        return -1;
    }

    /** Puts an edge behind the edges of the same weight, if there is room; an edge of weight 0 is left out. */
    private static void put(long file, double exact, Successors merged) {
        int weight = (int) Math.min(GraphSettings.MAX_UNSIGNED_SHORT, Math.round(exact));
        int rank = merged.size;
        while (rank > 0 && merged.weights[rank - 1] < weight) {
            rank--;
        }
        if (weight == 0 || rank == merged.files.length) {
            return;
        }
        merged.size = Math.min(merged.size + 1, merged.files.length);
        System.arraycopy(merged.files, rank, merged.files, rank + 1, merged.size - 1 - rank);
        System.arraycopy(merged.weights, rank, merged.weights, rank + 1, merged.size - 1 - rank);
        merged.files[rank] = file;
        merged.weights[rank] = weight;
    }
}

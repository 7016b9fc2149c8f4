/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Merges what two graphs know of one vertex.
 *
 * <p>Each side counts by its visits, and the loaded side besides by a trust that falls with its age. An edge's confidence and the
 * vertex's visits become the mean of both sides, so counted; an edge that one side does not know has no confidence there. The mean was
 * chosen over the sum because NameNodes load one another's checkpoints again and again: what is merged twice must not count twice.
 *
 * <p>So: merging equal sides changes nothing but rounding; visits and each confidence lie between those of both sides; a side of which
 * nothing is known changes nothing. Stateless; takes time in proportion to the product of both sizes.
 */
final class VertexMerge {

    private VertexMerge() {}

    /**
     * Merges.
     *
     * @param trust by how much more a visit of the loaded side counts, more than 0
     * @param merged takes the result, the strongest edges first, as many as it has room for
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

    /** Something is known of a vertex with edges, though its visits have been halved to nothing. */
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

    /** Puts an edge behind those that are as strong, if there is room; one that comes to nothing is left out. */
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

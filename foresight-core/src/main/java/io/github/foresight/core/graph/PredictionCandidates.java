/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Files that may be accessed next, each with its probability by the votes of the accesses that it has followed so far.
 * Votes count as independent of one another: the probabilities p1, p2, ... give together 1 - (1 - p1)(1 - p2)...
 *
 * <p>A vote takes constant time for each successor; the search for the likeliest candidate takes time in proportion to
 * the candidates. Constant memory, no allocation. Not thread-safe.
 */
final class PredictionCandidates {

    static final int NONE = -1;

    /**
     * The most candidates; chosen, not measured. The first voters have the stronger votes, so further candidates would
     * be unlikely.
     */
    private static final int MOST = 255;

    /** The mark of a chosen candidate; greater than any probability, and no later vote changes it. */
    private static final double CHOSEN = Double.POSITIVE_INFINITY;

    private final double negligible;
    private final NumberTable numbers = new NumberTable(MOST);

    /** The probability that a candidate does not follow. For a chosen candidate it is {@link #CHOSEN} or NaN. */
    private final double[] misses = new double[MOST];

    /** The access that the candidate most probably follows, by the strongest vote for the candidate. */
    private final long[] predecessors = new long[MOST];

    private final double[] strongestVotes = new double[MOST];

    /**
     * Makes a set without candidates.
     *
     * @param negligible the least probability that counts as a vote, 0 to 1
     */
    PredictionCandidates(double negligible) {
        this.negligible = negligible;
    }

    void clear() {
        numbers.clear();
    }

    /**
     * Gives a vote to each successor, from the likeliest down to the least probability that counts.
     *
     * @param visitsToCome 1 if the graph has not yet counted the visit that the successors would follow, else 0
     * @param predecessor the file that these candidates follow, for the search of their own successors
     * @param current the last access, which is never a candidate
     */
    void vote(Successors successors, int visitsToCome, double say, long predecessor, long current) {
        for (int rank = 0; rank < successors.size(); rank++) {
            double probability = say * successors.confidence(rank, visitsToCome);
            if (probability < negligible) {
                return;
            }
            long successor = successors.file(rank);
            if (successor != current) {
                int candidate = candidate(successor);
                if (candidate == NONE) {
                    return;
                }
                misses[candidate] *= 1 - probability;
                if (probability > strongestVotes[candidate]) {
                    strongestVotes[candidate] = probability;
                    predecessors[candidate] = predecessor;
                }
            }
        }
    }

    private int candidate(long file) {
        int known = numbers.size();
        int candidate = numbers.indexOf(file);
        if (candidate == known) {
            if (known == MOST) {
                return NONE;
            }
            numbers.add(file);
            misses[candidate] = 1;
            strongestVotes[candidate] = 0;
        }
        return candidate;
    }

    /**
     * The likeliest candidate that has not been chosen; of equals, the first that got a vote. {@link #NONE} if no
     * candidate is left.
     */
    int likeliest() {
        int best = NONE;
        double least = 1;
        for (int candidate = 0; candidate < numbers.size(); candidate++) {
            if (misses[candidate] < least) {
                best = candidate;
                least = misses[candidate];
            }
        }
        return best;
    }

    long file(int candidate) {
        return numbers.number(candidate);
    }

    double confidence(int candidate) {
        return 1 - misses[candidate];
    }

    /** The probability by the strongest vote alone. */
    double strongestVote(int candidate) {
        return strongestVotes[candidate];
    }

    long predecessor(int candidate) {
        return predecessors[candidate];
    }

    void choose(int candidate) {
        misses[candidate] = CHOSEN;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Files that may be accessed next, and how likely each is by the votes of accesses that it has followed so far. Votes are taken for
 * independent of one another: with probabilities p1, p2, ... it is 1 - (1 - p1)(1 - p2)...
 *
 * <p>Constant memory, no allocation. Not thread-safe.
 */
final class Candidates {

    static final int NONE = -1;

    /** More files than this are not weighed against one another; those that come first have the stronger votes. */
    private static final int MOST = 255;

    /** More than any probability, however many votes come yet. */
    private static final double CHOSEN = Double.POSITIVE_INFINITY;

    private final double negligible;
    private final NumberTable numbers = new NumberTable(MOST);

    /** The probability that a candidate does not follow; {@link #CHOSEN}, or no number, once it is chosen. */
    private final double[] misses = new double[MOST];

    /** The access that the candidate is thought to follow, by the strongest vote for it. */
    private final long[] predecessors = new long[MOST];

    private final double[] strongestVotes = new double[MOST];

    /**
     * Has none.
     *
     * @param negligible votes for less than this are not counted, 0 to 1
     */
    Candidates(double negligible) {
        this.negligible = negligible;
    }

    void clear() {
        numbers.clear();
    }

    /**
     * Gives each successor its say, from the likeliest down to what is negligible.
     *
     * @param visitsToCome 1 if the visit that the successors would follow has not been counted, for it has not come yet
     * @param predecessor whose successors they are, as far as what comes after them is concerned
     * @param current the last access, which is no candidate
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

    /** The likeliest that has not been chosen, among equals the one that was named first; {@link #NONE} if there is none. */
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

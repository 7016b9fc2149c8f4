/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * Learns from a client's accesses and predicts its next ones (Nexus, sections 4.2 and 4.3).
 *
 * <p>The paper ranks the successors of the last access by weight. Four things are added, each of which can be left out:
 *
 * <ul>
 *   <li>The weight's share of the visits is taken for a probability, so that an uncertain successor is not predicted at all.
 *   <li>What is in the window before the last access has a say too, less with distance: with p1, p2, ... the probabilities that
 *       the window's members give a file, its confidence is 1 - (1 - p1)(1 - p2/2)(1 - p3/4)...
 *   <li>A predicted file's own successors are candidates too, with the probability that it is accessed at all for a factor, so that
 *       one group reaches further than a window does. That probability is the confidence, corrected by how often
 *       predictions of such confidence turned out to be used.
 *   <li>Pairs of accesses in a row are vertices of a graph of their own. What followed the pair says more than what
 *       followed either, where many threads of work share files, such as a compiler's.
 * </ul>
 *
 * <p>One for each thread, for it keeps its intermediate results in place; the graphs may be shared by all. No allocation.
 */
public final class Predictor {

    private static final double FADE = 0.5;

    /** Of the threshold; so many votes would have to agree to lift a file over it. */
    private static final double NEGLIGIBLE_SHARE = 0.5;

    /** How many predicted files are asked for their own successors. */
    private static final int MOST_LINKS = 32;

    /** More files than this are not weighed against one another; those that come first have the stronger votes. */
    private static final int MOST_CANDIDATES = 255;

    private static final int NONE = -1;

    /** More than any probability, however many votes come yet. */
    private static final double CHOSEN = Double.POSITIVE_INFINITY;

    /** No successor is as confident as this. */
    private static final double NOT_ASKED = Double.POSITIVE_INFINITY;

    private final SuccessorGraph files;
    private final @Nullable SuccessorGraph pairs;
    private final WeightScheme scheme;
    private final double threshold;
    private final double negligible;
    private final boolean wholeWindowVotes;
    private final boolean chains;

    private final AccessRun run;
    private final Successors scratch = new Successors(PackedGraph.MOST_SUCCESSORS);
    private final Successors ofPair = new Successors(PackedGraph.MOST_SUCCESSORS);
    private final Successors ofFile = new Successors(PackedGraph.MOST_SUCCESSORS);
    private final NumberTable numbers = new NumberTable(MOST_CANDIDATES);

    /** The probability that a candidate does not follow; {@link #CHOSEN}, or no number, once it is in the group. */
    private final double[] misses = new double[MOST_CANDIDATES];

    /** The access that the candidate is thought to follow, by the strongest vote for it. */
    private final long[] predecessors = new long[MOST_CANDIDATES];

    private final double[] strongestVotes = new double[MOST_CANDIDATES];

    /**
     * Makes a predictor upon graphs.
     *
     * @param pairs the graph of pairs, or null to do without
     * @param scheme how weight falls with distance
     * @param threshold the least confidence of a prediction, 0 to 1
     * @param wholeWindowVotes whether all of the window is asked or, as in the paper, its last access alone
     * @param chains whether what follows a predicted file is predicted as well
     */
    public Predictor(
            SuccessorGraph files,
            @Nullable SuccessorGraph pairs,
            WeightScheme scheme,
            double threshold,
            boolean wholeWindowVotes,
            boolean chains) {
        if (!(threshold >= 0 && threshold <= 1)) {
            throw new IllegalArgumentException("threshold is " + threshold + "; accepted is 0 to 1");
        }
        this.files = files;
        this.pairs = pairs;
        this.scheme = scheme;
        this.run = new AccessRun(scheme);
        this.threshold = threshold;
        this.negligible = threshold * NEGLIGIBLE_SHARE;
        this.wholeWindowVotes = wholeWindowVotes;
        this.chains = chains;
    }

    /**
     * Records an access and predicts what comes after it. The window is the client's own, and nobody else uses it meanwhile.
     *
     * @param group filled with as many predictions as it has room for and confidence allows, without the file itself
     */
    public void record(HistoryWindow window, long file, long nowNanos, PrefetchGroup group) {
        record(window, file, nowNanos, null, group);
    }

    /**
     * Records an access and predicts what comes after it, with chains as long as predictions turn out to be used.
     *
     * @param usefulness how predictions of the client, or of its like, have ended so far; null if nothing is known of that
     * @param group filled with as many predictions as it has room for and confidence allows, without the file itself
     */
    public void record(
            HistoryWindow window, long file, long nowNanos, @Nullable Usefulness usefulness, PrefetchGroup group) {
        window.advanceTo(nowNanos);
        if (window.isRepetition(file)) {
            files.read(file, negligible, ofFile);
            readPair(window, file);
        } else {
            learn(window, file, negligible);
            window.push(file);
        }
        predict(window, file, usefulness, group);
    }

    /** Records an access of which nobody wants to know what comes after it. */
    public void record(HistoryWindow window, long file, long nowNanos) {
        window.advanceTo(nowNanos);
        if (!window.isRepetition(file)) {
            learn(window, file, NOT_ASKED);
            window.push(file);
        }
    }

    /**
     * Records accesses in turn of which nobody wants to know what comes after them: the same as one by one, with fewer steps.
     *
     * @param nanos when each was
     * @param count how many there are
     */
    public void record(HistoryWindow window, long[] accesses, long[] nanos, int count) {
        int recorded = 0;
        while (recorded < count) {
            int end = run.gather(window, accesses, nanos, recorded, count);
            if (end > recorded) {
                learnRun();
                recorded = end;
            } else {
                record(window, accesses[recorded], nanos[recorded]);
                recorded++;
            }
        }
    }

    private void learnRun() {
        touchRun();
        for (int i = 0; i < run.size(); i++) {
            files.learn(run.file(i), run, i, run.reach());
            if (pairs != null && i > 0) {
                // A pair in a window of one is none.
                pairs.learn(pair(run.file(i - 1), run.file(i)), run, i, Math.min(1, run.reach() - 1));
            }
        }
    }

    /** Learning waits for memory, and to wait for many vertices at once takes little longer than for one. */
    private void touchRun() {
        for (int i = 0; i < run.size(); i++) {
            files.touch(run.file(i));
            if (pairs != null && i > 0) {
                pairs.touch(pair(run.file(i - 1), run.file(i)));
            }
        }
    }

    private void learn(HistoryWindow window, long file, double leastConfidence) {
        touch(window, file);
        if (pairs != null) {
            if (window.size() > 1) {
                pairs.strengthen(pair(window.file(2), window.file(1)), file, WeightScheme.FULL);
            }
            if (window.size() > 0) {
                pairs.visit(pair(window.file(1), file), leastConfidence, ofPair);
            } else {
                ofPair.clear();
            }
        }
        for (int distance = 1; distance <= window.size(); distance++) {
            long earlier = window.file(distance);
            if (earlier != file) {
                files.strengthen(earlier, file, scheme.weight(distance));
            }
        }
        files.visit(file, leastConfidence, ofFile);
    }

    /** Locks keep the processor from fetching for one vertex while it works on another; so it is told before the first. */
    private void touch(HistoryWindow window, long file) {
        if (pairs != null && window.size() > 0) {
            files.touch(file);
            pairs.touch(pair(window.file(1), file));
        }
    }

    private void readPair(HistoryWindow window, long file) {
        if (pairs != null && window.size() > 1) {
            pairs.read(pair(window.file(2), file), negligible, ofPair);
        } else {
            ofPair.clear();
        }
    }

    /** A number for a pair in order. */
    static long pair(long first, long second) {
        return (first * 0x9e3779b97f4a7c15L ^ second) * 0xd6e8feb86659fd93L ^ second >>> 7;
    }

    private void predict(HistoryWindow window, long file, @Nullable Usefulness usefulness, PrefetchGroup group) {
        numbers.clear();
        vote(ofFile, 0, 1, file, file);
        if (wholeWindowVotes) {
            double say = FADE;
            for (int distance = 2; distance <= window.size(); distance++) {
                files.read(window.file(distance), negligible / say, scratch);
                vote(scratch, 0, say, file, file);
                say *= FADE;
            }
        }
        if (pairs != null) {
            vote(ofPair, 0, 1, file, file);
        }
        choose(group, file, usefulness);
    }

    /**
     * Gives each successor its say, from the likeliest down to what is negligible.
     *
     * @param visitsToCome 1 if the visit that the successors would follow has not been counted, for it has not come yet
     * @param predecessor whose successors they are, as far as what comes after them is concerned
     */
    private void vote(Successors successors, int visitsToCome, double say, long predecessor, long file) {
        for (int rank = 0; rank < successors.size(); rank++) {
            double probability = say * successors.confidence(rank, visitsToCome);
            if (probability < negligible) {
                return;
            }
            long successor = successors.file(rank);
            if (successor != file) {
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
            if (known == MOST_CANDIDATES) {
                return NONE;
            }
            numbers.add(file);
            misses[candidate] = 1;
            strongestVotes[candidate] = 0;
        }
        return candidate;
    }

    /** The likeliest first; among equals the one that was named first. */
    private void choose(PrefetchGroup group, long file, @Nullable Usefulness usefulness) {
        group.size = 0;
        while (group.size < group.files.length) {
            int best = NONE;
            double least = 1;
            for (int candidate = 0; candidate < numbers.size(); candidate++) {
                if (misses[candidate] < least) {
                    best = candidate;
                    least = misses[candidate];
                }
            }
            double confidence = 1 - least;
            if (best == NONE || confidence < threshold) {
                return;
            }
            misses[best] = CHOSEN;
            group.add(numbers.number(best), confidence);
            if (chains && group.size < Math.min(group.files.length, MOST_LINKS)) {
                follow(best, usefulness == null ? confidence : usefulness.calibrated(confidence), file);
            }
        }
    }

    /** Lets those vote that came after a predicted file, and after it and the one before. */
    private void follow(int link, double probability, long file) {
        long predicted = numbers.number(link);
        double leastConfidence = negligible / probability;
        if (pairs != null) {
            pairs.read(pair(predecessors[link], predicted), leastConfidence, scratch);
            vote(scratch, 1, probability, predicted, file);
        }
        files.read(predicted, leastConfidence, scratch);
        vote(scratch, 1, probability, predicted, file);
    }
}

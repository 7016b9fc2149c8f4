/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Learns from a client's accesses and predicts its next accesses (Nexus, sections 4.2 and 4.3).
 *
 * <p>The paper ranks the successors of the last access by weight. This class adds four mechanisms, each of which can be
 * switched off:
 *
 * <ul>
 *   <li>The weight's share of the visits counts as a probability. An uncertain successor is not predicted.
 *   <li>Earlier accesses in the window vote too, with a factor that falls with distance. If the accesses give a file
 *       the probabilities p1, p2, ..., its confidence is 1 - (1 - p1)(1 - p2/2)(1 - p3/4)...
 *   <li>The successors of a predicted file are candidates too. The probability that the file is accessed is the
 *       factor of their votes. With these chains a group reaches further than a window. The probability is the
 *       confidence, corrected by the used share of earlier predictions of this confidence.
 *   <li>Pairs of consecutive accesses are vertices of a second graph. The successors of a pair say more than the
 *       successors of either file, where many threads share files, such as a compiler's.
 * </ul>
 *
 * <p>If predicted files follow one another, the client has a {@linkplain PredictedRun predicted run}. For an access
 * that follows the run, the group comes from the run alone, and the graph is not read. About every fifteenth access
 * adds fifteen files to the run, at two vertices each, and lets the graph learn the fifteen accesses. If the client
 * never returns, the graph misses at most 15 accesses, all of which it had predicted.
 *
 * <p>An access outside a run reads one or two vertices for each access in the window, and for each of at most
 * {@value #MOST_LINKS} chained files. It compares at most 255 candidates for each predicted file.
 *
 * <p>Each thread has its own predictor, because the predictor holds intermediate results; all threads may share the
 * graphs. The only allocation is a client's first run.
 */
public final class Predictor {

    /** The factor between the votes of an access in the window and of the access before it; chosen, not measured. */
    private static final double FADE = 0.5;

    /**
     * The share of the threshold below which a vote does not count; chosen, not measured. Without other votes, such a
     * vote is far from the threshold.
     */
    private static final double NEGLIGIBLE_SHARE = 0.5;

    /** The most predicted files whose own successors are candidates; chosen, not measured. */
    private static final int MOST_LINKS = 32;

    /**
     * The least probability of a run's next file, by the vote of the file before it or of the pair before it; chosen,
     * not measured.
     */
    private static final double LIKELY = 0.2;

    /**
     * The most predicted files for a client that has left its run, because the client may resume the run at once;
     * chosen, not measured.
     */
    private static final int MOST_AWAY = 16;

    /**
     * The number of files by which a run is made longer than a group, in one step. Equals
     * {@link PredictedRun#MOST_BEHIND}, so that a run grows about as often as it is learned.
     */
    static final int MORE_THAN_WANTED = 15;

    /**
     * The largest group that is predicted from a run. A run has no room for a larger group, which is predicted anew for
     * each access.
     */
    static final int LARGEST_GROUP_FROM_RUN = PredictedRun.MOST_AHEAD - MORE_THAN_WANTED;

    private final SuccessorGraph files;
    private final @Nullable SuccessorGraph pairs;
    private final Learner learner;
    private final double threshold;
    private final double negligible;
    private final boolean wholeWindowVotes;
    private final boolean chains;

    private final Successors scratch = new Successors(PackedGraph.MOST_SUCCESSORS);
    private final Successors ofPair = new Successors(PackedGraph.MOST_SUCCESSORS);
    private final Successors ofFile = new Successors(PackedGraph.MOST_SUCCESSORS);
    private final PredictionCandidates candidates;
    private final long[] unlearned = new long[PredictedRun.MOST_BEHIND];
    private final long[] nanos = new long[PredictedRun.MOST_BEHIND];

    /** The result of prefetching a vertex. Nobody reads it; it keeps the compiler from removing the memory access. */
    @SuppressWarnings("UnusedVariable")
    private long fetched;

    /**
     * Makes a predictor of graphs.
     *
     * @param pairs the graph of pairs, or null for none
     * @param scheme how weight falls with distance
     * @param threshold the least confidence of a prediction, 0 to 1
     * @param wholeWindowVotes whether all accesses in the window vote, or only the last access as in the paper
     * @param chains whether the successors of predicted files are predicted too
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
        this.learner = new Learner(files, pairs, scheme);
        this.threshold = threshold;
        this.negligible = threshold * NEGLIGIBLE_SHARE;
        this.candidates = new PredictionCandidates(negligible);
        this.wholeWindowVotes = wholeWindowVotes;
        this.chains = chains;
    }

    /**
     * Records an access and predicts the next accesses. The history belongs to the client, and no other thread uses it
     * meanwhile.
     *
     * @param group filled with predictions up to its capacity and down to the threshold, without the file itself
     */
    public void record(ClientHistory client, long file, long nowNanos, PrefetchGroup group) {
        record(client, file, nowNanos, null, group);
    }

    /**
     * Records an access and predicts the next accesses. The used share of earlier predictions limits the chains.
     *
     * @param usefulness the outcomes of earlier predictions of the client or of similar clients; null if none are known
     * @param group filled with predictions up to its capacity and down to the threshold, without the file itself
     */
    public void record(
            ClientHistory client, long file, long nowNanos, @Nullable Usefulness usefulness, PrefetchGroup group) {
        advanceTo(client, nowNanos);
        if (client.isRepetition(file) || client.advance(file)) {
            predictAgain(client, file, usefulness, group);
            return;
        }
        learnPending(client);
        if (client.advanceOrResume(file)) {
            predictAgain(client, file, usefulness, group);
            return;
        }
        learner.learn(client.window, file, negligible, ofFile, ofPair);
        int most = client.leaveRun() ? MOST_AWAY : Integer.MAX_VALUE;
        predict(client, file, usefulness, group, most);
    }

    /** Predicts the next accesses after an access that need not be learned at once. */
    private void predictAgain(ClientHistory client, long file, @Nullable Usefulness usefulness, PrefetchGroup group) {
        if (!predictFromRun(client, file, group)) {
            learnPending(client);
            readLast(client.window);
            client.endRun();
            predict(client, file, usefulness, group, Integer.MAX_VALUE);
        }
    }

    /** Records an access without a prediction. */
    public void record(ClientHistory client, long file, long nowNanos) {
        advanceTo(client, nowNanos);
        if (!client.isRepetition(file)) {
            learnPending(client);
            client.pass(file);
            learner.learn(client.window, file);
        }
    }

    /**
     * Records a list of accesses without predictions. The result is the same as recording the accesses one by one, in
     * fewer steps.
     *
     * @param nanos the time of each access
     * @param count the number of accesses
     */
    public void record(ClientHistory client, long[] accesses, long[] nanos, int count) {
        learnPending(client);
        client.pass(accesses, nanos, count);
        learner.learn(client.window, accesses, nanos, count);
    }

    private void advanceTo(ClientHistory client, long nowNanos) {
        if (client.window.isAfterPause(nowNanos)) {
            learnPending(client);
            client.endRuns();
        }
        client.window.advanceTo(nowNanos);
    }

    /**
     * Fills the group from the predicted run alone.
     *
     * @return false if the client has no run, or the run is shorter than the group and cannot grow to the group's size
     */
    private boolean predictFromRun(ClientHistory client, long file, PrefetchGroup group) {
        PredictedRun run = client.run();
        int wanted = group.files.length;
        if (run == null || run.ahead() == 0 || wanted > LARGEST_GROUP_FROM_RUN) {
            return false;
        }
        if (run.behind() == PredictedRun.MOST_BEHIND) {
            learnPending(client);
        }
        if (run.ahead() < wanted && !lengthen(run, file, wanted)) {
            return false;
        }
        run.copyTo(group, threshold, file);
        return true;
    }

    /**
     * Adds files to a run up to {@value #MORE_THAN_WANTED} more than wanted, so that the next accesses need not add
     * files.
     *
     * @return whether the run is as long as wanted, or ends where a further file would be less likely than the
     *     threshold
     */
    private boolean lengthen(PredictedRun run, long file, int wanted) {
        while (run.ahead() < wanted + MORE_THAN_WANTED && run.confidenceOfEnd() >= threshold) {
            if (!addLikelySuccessor(run, file)) {
                return run.ahead() >= wanted;
            }
        }
        return true;
    }

    /**
     * Adds the file that most probably follows the run's end.
     *
     * @return false if no file is likely enough
     */
    private boolean addLikelySuccessor(PredictedRun run, long file) {
        int length = run.ahead();
        long end = run.file(length);
        double reached = run.confidenceOfEnd();
        candidates.clear();
        follow(length == 1 ? file : run.file(length - 1), end, reached, LIKELY, end);
        int likeliest = candidates.likeliest();
        if (likeliest == PredictionCandidates.NONE || candidates.strongestVote(likeliest) < LIKELY * reached) {
            return false;
        }
        run.add(candidates.file(likeliest), Math.min(1, candidates.confidence(likeliest) / reached));
        return true;
    }

    private void learnPending(ClientHistory client) {
        PredictedRun run = client.run();
        if (run != null && run.behind() > 0) {
            int count = run.takeBehind(unlearned);
            // All these accesses came without a pause; a pause would have ended the run.
            Arrays.fill(nanos, 0, count, client.window.lastNanos());
            learner.learn(client.window, unlearned, nanos, count);
        }
    }

    /** Reads the successors of the last access. */
    private void readLast(HistoryWindow window) {
        long file = window.file(1);
        files.read(file, negligible, ofFile);
        if (pairs != null && window.size() > 1) {
            pairs.read(Learner.pair(window.file(2), file), negligible, ofPair);
        } else {
            ofPair.clear();
        }
    }

    /**
     * Predicts anew from the graph.
     *
     * @param most the most files to predict, within the group's capacity
     */
    private void predict(
            ClientHistory client, long file, @Nullable Usefulness usefulness, PrefetchGroup group, int most) {
        HistoryWindow window = client.window;
        candidates.clear();
        candidates.vote(ofFile, 0, 1, file, file);
        if (wholeWindowVotes) {
            double say = FADE;
            for (int distance = 2; distance <= window.size(); distance++) {
                files.read(window.file(distance), negligible / say, scratch);
                candidates.vote(scratch, 0, say, file, file);
                say *= FADE;
            }
        }
        if (pairs != null) {
            candidates.vote(ofPair, 0, 1, file, file);
        }
        choose(client, file, usefulness, group, Math.min(most, group.files.length));
    }

    /**
     * Chooses the likeliest candidates. Chosen files that follow one another become the client's predicted run, which
     * must be empty.
     *
     * @param most the most files to choose
     */
    private void choose(
            ClientHistory client, long file, @Nullable Usefulness usefulness, PrefetchGroup group, int most) {
        long end = file;
        double confidenceOfEnd = 1;
        double probabilityOfEnd = 1;
        group.size = 0;
        while (group.size < most) {
            int best = candidates.likeliest();
            if (best == PredictionCandidates.NONE || candidates.confidence(best) < threshold) {
                return;
            }
            double confidence = candidates.confidence(best);
            long chosen = candidates.file(best);
            candidates.choose(best);
            group.add(chosen, confidence);
            if (chains && group.size <= MOST_LINKS) {
                long predecessor = candidates.predecessor(best);
                double probability = usefulness == null ? confidence : usefulness.calibrated(confidence);
                if (predecessor == end && candidates.strongestVote(best) >= LIKELY * probabilityOfEnd) {
                    client.expect(chosen, Math.min(1, confidence / confidenceOfEnd));
                    end = chosen;
                    confidenceOfEnd = confidence;
                    probabilityOfEnd = probability;
                }
                if (group.size < Math.min(most, MOST_LINKS)) {
                    follow(predecessor, chosen, probability, negligible / probability, file);
                }
            }
        }
    }

    /**
     * Lets the successors of a file vote, and the successors of the pair of its predecessor and the file.
     *
     * @param probability the probability that the file is accessed
     */
    private void follow(long predecessor, long file, double probability, double leastConfidence, long current) {
        fetched += files.fetch(file);
        if (pairs != null) {
            long pair = Learner.pair(predecessor, file);
            fetched += pairs.fetch(pair);
            pairs.read(pair, leastConfidence, scratch);
            candidates.vote(scratch, 1, probability, file, current);
        }
        files.read(file, leastConfidence, scratch);
        candidates.vote(scratch, 1, probability, file, current);
    }
}

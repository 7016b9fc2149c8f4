/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.Arrays;
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
 * <p>Where predicted files follow one another, the client is on a {@linkplain Course course}. For an access that keeps to it the next of what
 * has been foreseen is told, and the graph is not looked at; every fifteenth one or so makes the course longer, by fifteen files, at two
 * vertices each, and lets the graph learn from what came true. If the client does not come again, at most 15 accesses that the
 * graph foresaw are not learned from.
 *
 * <p>One for each thread, for it keeps its intermediate results in place; the graphs may be shared by all. No allocation but for a
 * client's first course.
 */
public final class Predictor {

    private static final double FADE = 0.5;

    /** Of the threshold; so many votes would have to agree to lift a file over it. */
    private static final double NEGLIGIBLE_SHARE = 0.5;

    /** How many predicted files are asked for their own successors. */
    private static final int MOST_LINKS = 32;

    /** A course goes on to a file that the one before it, or the pair before it, gives at least this probability. */
    private static final double LIKELY = 0.2;

    /** A client that has left its course, to which it may be back at once, is told of so many files at most. */
    private static final int MOST_AWAY = 16;

    /** How many files longer than a group a course is made at once. */
    static final int MORE_THAN_WANTED = 15;

    /** Larger ones are found anew each time. */
    static final int LARGEST_GROUP_ON_COURSE = Course.MOST_AHEAD - MORE_THAN_WANTED;

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
    private final Candidates candidates;
    private final long[] unlearned = new long[Course.MOST_BEHIND];
    private final long[] nanos = new long[Course.MOST_BEHIND];

    /** What fetching returned, which nobody needs. */
    @SuppressWarnings("UnusedVariable")
    private long fetched;

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
        this.learner = new Learner(files, pairs, scheme);
        this.threshold = threshold;
        this.negligible = threshold * NEGLIGIBLE_SHARE;
        this.candidates = new Candidates(negligible);
        this.wholeWindowVotes = wholeWindowVotes;
        this.chains = chains;
    }

    /**
     * Records an access and predicts what comes after it. The history is the client's own, and nobody else uses it meanwhile.
     *
     * @param group filled with as many predictions as it has room for and confidence allows, without the file itself
     */
    public void record(ClientHistory client, long file, long nowNanos, PrefetchGroup group) {
        record(client, file, nowNanos, null, group);
    }

    /**
     * Records an access and predicts what comes after it, with chains as long as predictions turn out to be used.
     *
     * @param usefulness how predictions of the client, or of its like, have ended so far; null if nothing is known of that
     * @param group filled with as many predictions as it has room for and confidence allows, without the file itself
     */
    public void record(
            ClientHistory client, long file, long nowNanos, @Nullable Usefulness usefulness, PrefetchGroup group) {
        advanceTo(client, nowNanos);
        if (client.isRepetition(file) || client.walk(file)) {
            predictAgain(client, file, usefulness, group);
            return;
        }
        learnWhatIsBehind(client);
        if (client.comeBack(file)) {
            predictAgain(client, file, usefulness, group);
            return;
        }
        learner.learn(client.window, file, negligible, ofFile, ofPair);
        int most = client.leaveCourse() ? MOST_AWAY : Integer.MAX_VALUE;
        predict(client, file, usefulness, group, most);
    }

    /** Predicts what comes after an access that needs not be learned from at once. */
    private void predictAgain(ClientHistory client, long file, @Nullable Usefulness usefulness, PrefetchGroup group) {
        if (!isOnCourse(client, file, group)) {
            learnWhatIsBehind(client);
            readLast(client.window);
            client.endCourse();
            predict(client, file, usefulness, group, Integer.MAX_VALUE);
        }
    }

    /** Records an access of which nobody wants to know what comes after it. */
    public void record(ClientHistory client, long file, long nowNanos) {
        advanceTo(client, nowNanos);
        if (!client.isRepetition(file)) {
            learnWhatIsBehind(client);
            client.pass(file);
            learner.learn(client.window, file);
        }
    }

    /**
     * Records accesses in turn of which nobody wants to know what comes after them: the same as one by one, with fewer steps.
     *
     * @param nanos when each was
     * @param count how many there are
     */
    public void record(ClientHistory client, long[] accesses, long[] nanos, int count) {
        learnWhatIsBehind(client);
        client.pass(accesses, nanos, count);
        learner.learn(client.window, accesses, nanos, count);
    }

    private void advanceTo(ClientHistory client, long nowNanos) {
        if (client.window.isPaused(nowNanos)) {
            learnWhatIsBehind(client);
            client.endCourses();
        }
        client.window.advanceTo(nowNanos);
    }

    /** Predicts from the course alone, if the client is on one that is as long as the group or can be made so. */
    private boolean isOnCourse(ClientHistory client, long file, PrefetchGroup group) {
        Course course = client.course();
        int wanted = group.files.length;
        if (course == null || course.ahead() == 0 || wanted > LARGEST_GROUP_ON_COURSE) {
            return false;
        }
        if (course.behind() == Course.MOST_BEHIND) {
            learnWhatIsBehind(client);
        }
        if (course.ahead() < wanted && !isMadeLonger(course, file, wanted)) {
            return false;
        }
        course.copyTo(group, threshold, file);
        return true;
    }

    /**
     * Makes a course longer than wanted, so that what comes next needs not.
     *
     * @return whether it is as long as wanted, or as far as it is likely enough that the client goes
     */
    private boolean isMadeLonger(Course course, long file, int wanted) {
        while (course.ahead() < wanted + MORE_THAN_WANTED && course.confidenceOfEnd() >= threshold) {
            if (!isLedOn(course, file)) {
                return course.ahead() >= wanted;
            }
        }
        return true;
    }

    /** Makes a course longer by one file, if there is one that is likely to follow its end. */
    private boolean isLedOn(Course course, long file) {
        int length = course.ahead();
        long end = course.file(length);
        double reached = course.confidenceOfEnd();
        candidates.clear();
        follow(length == 1 ? file : course.file(length - 1), end, reached, LIKELY, end);
        int likeliest = candidates.likeliest();
        if (likeliest == Candidates.NONE || candidates.strongestVote(likeliest) < LIKELY * reached) {
            return false;
        }
        course.add(candidates.file(likeliest), Math.min(1, candidates.confidence(likeliest) / reached));
        return true;
    }

    private void learnWhatIsBehind(ClientHistory client) {
        Course course = client.course();
        if (course != null && course.behind() > 0) {
            int count = course.takeBehind(unlearned);
            // There was no pause between them, or the course would have ended.
            Arrays.fill(nanos, 0, count, client.window.lastNanos());
            learner.learn(client.window, unlearned, nanos, count);
        }
    }

    /** Reads what is known of the last access. */
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
     * Predicts anew.
     *
     * @param most files to be predicted, if there is room for as many
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
     * The likeliest first. What leads from one chosen file to the next is the client's course, which it does not have yet.
     *
     * @param most files to be chosen
     */
    private void choose(
            ClientHistory client, long file, @Nullable Usefulness usefulness, PrefetchGroup group, int most) {
        long end = file;
        double confidenceOfEnd = 1;
        double probabilityOfEnd = 1;
        group.size = 0;
        while (group.size < most) {
            int best = candidates.likeliest();
            if (best == Candidates.NONE || candidates.confidence(best) < threshold) {
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
     * Lets those vote that came after a file, and after it and the one before.
     *
     * @param probability that the file is accessed
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

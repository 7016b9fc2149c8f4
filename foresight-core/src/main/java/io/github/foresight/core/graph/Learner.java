/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * Learns from clients' accesses (Nexus, section 4.2): each strengthens the edges to it from what is in its client's window. Pairs of
 * accesses in a row are vertices of a graph of their own.
 *
 * <p>One for each thread; the graphs may be shared by all. No allocation.
 */
final class Learner {

    /** No successor is as confident as this. */
    private static final double NOT_ASKED = Double.POSITIVE_INFINITY;

    private final SuccessorGraph files;
    private final @Nullable SuccessorGraph pairs;
    private final WeightScheme scheme;
    private final AccessRun run;
    private final Successors notAsked = new Successors(PackedGraph.MOST_SUCCESSORS);

    Learner(SuccessorGraph files, @Nullable SuccessorGraph pairs, WeightScheme scheme) {
        this.files = files;
        this.pairs = pairs;
        this.scheme = scheme;
        this.run = new AccessRun(scheme);
    }

    /** A number for a pair in order. */
    static long pair(long first, long second) {
        return (first * 0x9e3779b97f4a7c15L ^ second) * 0xd6e8feb86659fd93L ^ second >>> 7;
    }

    /** Learns from an access, which is no repetition, and moves it into the window. */
    void learn(HistoryWindow window, long file) {
        learn(window, file, NOT_ASKED, notAsked, notAsked);
    }

    /**
     * The same, and tells what is known of what comes after it.
     *
     * @param leastConfidence of successors that are told
     * @param ofFile filled with what followed the file
     * @param ofPair filled with what followed it and the one before it in a row
     */
    void learn(HistoryWindow window, long file, double leastConfidence, Successors ofFile, Successors ofPair) {
        int owner = window.owner();
        touch(window, file);
        if (pairs != null) {
            if (window.size() > 1) {
                pairs.strengthen(owner, pair(window.file(2), window.file(1)), file, WeightScheme.FULL);
            }
            if (window.size() > 0) {
                pairs.visit(owner, pair(window.file(1), file), leastConfidence, ofPair);
            } else {
                ofPair.clear();
            }
        }
        for (int distance = 1; distance <= window.size(); distance++) {
            long earlier = window.file(distance);
            if (earlier != file) {
                files.strengthen(owner, earlier, file, scheme.weight(distance));
            }
        }
        files.visit(owner, file, leastConfidence, ofFile);
        window.push(file);
    }

    /** Learning waits for memory, and to wait for two vertices at once takes little longer than for one. */
    private void touch(HistoryWindow window, long file) {
        if (pairs != null && window.size() > 0) {
            files.touch(file);
            pairs.touch(pair(window.file(1), file));
        }
    }

    /**
     * Learns from accesses in turn and moves them into the window: the same as one by one, with fewer steps.
     *
     * @param nanos when each was
     * @param count how many there are
     */
    void learn(HistoryWindow window, long[] accesses, long[] nanos, int count) {
        int learned = 0;
        while (learned < count) {
            int end = run.gather(window, accesses, nanos, learned, count);
            if (end > learned) {
                learnRun();
                learned = end;
            } else {
                window.advanceTo(nanos[learned]);
                if (!window.isRepetition(accesses[learned])) {
                    learn(window, accesses[learned]);
                }
                learned++;
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

    private void touchRun() {
        for (int i = 0; i < run.size(); i++) {
            files.touch(run.file(i));
            if (pairs != null && i > 0) {
                pairs.touch(pair(run.file(i - 1), run.file(i)));
            }
        }
    }
}

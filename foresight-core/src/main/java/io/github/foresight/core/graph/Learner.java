/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import org.jspecify.annotations.Nullable;

/**
 * Learns from clients' accesses (Nexus, section 4.2). Each access strengthens the edges that lead to it from the
 * accesses in its client's window. Pairs of consecutive accesses are vertices of a second graph.
 *
 * <p>An access takes a step for each access in the window; a batch takes a step for each vertex. Each thread has its
 * own learner; all threads may share the graphs. No allocation.
 */
final class Learner {

    /** A confidence that no successor reaches. */
    private static final double NOT_ASKED = Double.POSITIVE_INFINITY;

    private final SuccessorGraph files;
    private final @Nullable SuccessorGraph pairs;
    private final WeightScheme scheme;
    private final AccessBatch batch;
    private final Successors notAsked = new Successors(PackedGraph.MOST_SUCCESSORS);

    Learner(SuccessorGraph files, @Nullable SuccessorGraph pairs, WeightScheme scheme) {
        this.files = files;
        this.pairs = pairs;
        this.scheme = scheme;
        this.batch = new AccessBatch(scheme);
    }

    /** The vertex number of an ordered pair: a 64-bit hash of both files. */
    static long pair(long first, long second) {
        return (first * 0x9e3779b97f4a7c15L ^ second) * 0xd6e8feb86659fd93L ^ second >>> 7;
    }

    /** Learns an access, which is no repetition, and adds it to the window. */
    void learn(HistoryWindow window, long file) {
        learn(window, file, NOT_ASKED, notAsked, notAsked);
    }

    /**
     * Learns an access, adds it to the window, and returns its known successors.
     *
     * @param leastConfidence the least confidence of a returned successor
     * @param ofFile filled with the successors of the file
     * @param ofPair filled with the successors of the pair of the last access and this one
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

    /**
     * Loads both vertices into the processor's cache. Learning waits for memory, and waiting for two vertices at once
     * takes little longer than for one.
     */
    private void touch(HistoryWindow window, long file) {
        if (pairs != null && window.size() > 0) {
            files.touch(file);
            pairs.touch(pair(window.file(1), file));
        }
    }

    /**
     * Learns a list of accesses and adds them to the window. The result is the same as learning the accesses one by
     * one, in fewer steps.
     *
     * @param nanos the time of each access
     * @param count the number of accesses
     */
    void learn(HistoryWindow window, long[] accesses, long[] nanos, int count) {
        int learned = 0;
        while (learned < count) {
            int end = batch.gather(window, accesses, nanos, learned, count);
            if (end > learned) {
                learnBatch();
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

    private void learnBatch() {
        touchBatch();
        for (int i = 0; i < batch.size(); i++) {
            files.learn(batch.file(i), batch, i, batch.reach());
            if (pairs != null && i > 0) {
                // A window of one access contains no pair.
                pairs.learn(pair(batch.file(i - 1), batch.file(i)), batch, i, Math.min(1, batch.reach() - 1));
            }
        }
    }

    private void touchBatch() {
        for (int i = 0; i < batch.size(); i++) {
            files.touch(batch.file(i));
            if (pairs != null && i > 0) {
                pairs.touch(pair(batch.file(i - 1), batch.file(i)));
            }
        }
    }
}

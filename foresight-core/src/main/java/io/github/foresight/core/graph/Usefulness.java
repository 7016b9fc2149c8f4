/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import com.google.common.primitives.Ints;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The used share of earlier predictions by their confidence; decides whether further predictions are worth their cost.
 *
 * <p>The confidence of a prediction says how often a file followed. Whether the file is worth fetching also depends on
 * the workload, the cache of the client, and other clients. For this reason predictions are sorted into classes of
 * confidence. A class with a smaller used share than demanded is held back. One prediction in an interval is still
 * made, as a probe; the interval grows with the square of the shortfall. Halving the counts makes the class forget old
 * outcomes.
 *
 * <p>Constant time and memory, no allocation. Thread-safe.
 */
public final class Usefulness {

    /** The class of files that were guessed by their number and have no confidence. */
    public static final int SIBLING = 32;

    /** The class of files that were granted because the client listed their directory. */
    public static final int LISTED = 33;

    /** The number of classes, which are numbered from 0. */
    public static final int CLASSES = 34;

    /** The most predictions of a class that may end in one call; chosen, far below the largest value of a count. */
    public static final int ENDED_MAX = 1_000_000;

    /** The number of classes by confidence; chosen, not measured. */
    private static final int CONFIDENCE_CLASSES = 32;

    /**
     * The confidence at which the lowest class begins; chosen, not measured. All classes have the same ratio of upper
     * to lower bound.
     */
    private static final double LOWEST = 0.01;

    private static final double CLASSES_PER_E = CONFIDENCE_CLASSES / -Math.log(LOWEST);

    /** The number of outcomes that count as much as the confidence itself; chosen, not measured. */
    private static final double PRIOR = 20;

    private static final int USED_SHIFT = 32;
    private static final long ONE_USED = 1L << USED_SHIFT;
    private static final long KNOWN_MASK = ONE_USED - 1;

    private final double demanded;
    private final int probeInterval;
    private final int memory;

    /** By class: used predictions in the upper half, all ended predictions in the lower half. */
    private final AtomicLongArray outcomes = new AtomicLongArray(CLASSES);

    private final AtomicIntegerArray heldBack = new AtomicIntegerArray(CLASSES);

    /**
     * Makes a judge without outcomes, which holds nothing back.
     *
     * @param demanded the share of predictions that must be used, 0 to 1; 0 holds nothing back
     * @param probeInterval the number of predictions from one probe to the next, for a class that only just falls
     *     short; at least 1. The interval grows with the square of the shortfall
     * @param memory the ended predictions of a class after which its counts are halved, at least 2
     */
    public Usefulness(double demanded, int probeInterval, int memory) {
        if (!(demanded >= 0 && demanded <= 1)) {
            throw new IllegalArgumentException("demanded is " + demanded + "; accepted is 0 to 1");
        }
        if (probeInterval < 1) {
            throw new IllegalArgumentException("probeInterval must be at least 1: " + probeInterval);
        }
        if (memory < 2) {
            throw new IllegalArgumentException("memory must be at least 2: " + memory);
        }
        this.demanded = demanded;
        this.probeInterval = probeInterval;
        this.memory = memory;
    }

    /** The class of a confidence. Outcomes are counted by class. */
    public static int classOf(double confidence) {
        double steps = Math.log(Math.max(confidence, LOWEST) / LOWEST) * CLASSES_PER_E;
        return Math.min(CONFIDENCE_CLASSES - 1, (int) steps);
    }

    /**
     * The probability that a prediction is used, by the outcomes of its class. With few outcomes it is close to the
     * confidence.
     *
     * @param confidence of the graph, 0 to 1
     */
    double calibrated(double confidence) {
        long outcome = outcomes.get(classOf(confidence));
        double used = (outcome >>> USED_SHIFT) + PRIOR * confidence;
        double known = (outcome & KNOWN_MASK) + PRIOR;
        return used / known;
    }

    /**
     * Decides whether to make a prediction of a class, and counts the prediction if it is held back.
     *
     * @return true if the class is useful enough, or the prediction is a probe
     */
    public boolean admit(int confidenceClass) {
        long outcome = outcomes.get(confidenceClass);
        double used = (outcome >>> USED_SHIFT) + 1.0;
        double known = (outcome & KNOWN_MASK) + 1.0;
        double shortfall = demanded * known / used;
        if (shortfall <= 1) {
            return true;
        }
        int interval = Ints.saturatedCast(Math.round(probeInterval * shortfall * shortfall));
        return Math.floorMod(heldBack.incrementAndGet(confidenceClass), interval) == 0;
    }

    /** A prediction of a class was used. */
    public void used(int confidenceClass) {
        ended(confidenceClass, 1, 0);
    }

    /** A prediction of a class was wasted: it ended without a use. */
    public void wasted(int confidenceClass) {
        ended(confidenceClass, 0, 1);
    }

    /**
     * Predictions of a class have ended. Takes time that does not depend on their number.
     *
     * @param used the number of used predictions, 0 to {@value #ENDED_MAX}
     * @param wasted the number of unused predictions, 0 to {@value #ENDED_MAX}
     */
    public void ended(int confidenceClass, int used, int wasted) {
        if (used < 0 || used > ENDED_MAX || wasted < 0 || wasted > ENDED_MAX) {
            throw new IllegalArgumentException(
                    "used and wasted are " + used + " and " + wasted + "; accepted is 0 to " + ENDED_MAX + " each");
        }
        long before;
        long after;
        do {
            before = outcomes.get(confidenceClass);
            after = before + used * ONE_USED + used + wasted;
            while ((after & KNOWN_MASK) > memory) {
                after = (((after >>> USED_SHIFT) / 2) << USED_SHIFT) | ((after & KNOWN_MASK) / 2);
            }
        } while (!outcomes.compareAndSet(confidenceClass, before, after));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import com.google.common.primitives.Ints;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often predictions of some confidence turned out to be used, and so whether more of them are worth making.
 *
 * <p>A confidence says how often a file followed; whether that makes it worth fetching depends on the workload, the cache it
 * goes to, and the other clients. So predictions are sorted into classes of confidence, and a class whose
 * predictions are used less often than demanded is held back, but for one prediction in so many, which tells whether that is
 * still so; the further it falls short the fewer. Halving the counts makes it forget.
 *
 * <p>Constant time and memory, no allocation. Thread-safe.
 */
public final class Usefulness {

    /** The class of files guessed by their number, which have no confidence. */
    public static final int SIBLING = 32;

    /** The class of files told of because their directory was listed. */
    public static final int LISTED = 33;

    /** How many classes there are, numbered from 0. */
    public static final int CLASSES = 34;

    /** The most predictions of a class that may end at once; chosen, far below what a count has room for. */
    public static final int ENDED_MAX = 1_000_000;

    private static final int CONFIDENCE_CLASSES = 32;

    /** The lowest class begins here; a class is as wide as the others in proportion. */
    private static final double LOWEST = 0.01;

    private static final double CLASSES_PER_E = CONFIDENCE_CLASSES / -Math.log(LOWEST);

    /** So many outcomes count as much as the confidence itself. */
    private static final double PRIOR = 20;

    private static final int USED_SHIFT = 32;
    private static final long ONE_USED = 1L << USED_SHIFT;
    private static final long KNOWN_MASK = ONE_USED - 1;

    private final double demanded;
    private final int probeInterval;
    private final int memory;

    /** By class: predictions that were used in the upper half, all whose end is known in the lower. */
    private final AtomicLongArray outcomes = new AtomicLongArray(CLASSES);

    private final AtomicIntegerArray heldBack = new AtomicIntegerArray(CLASSES);

    /**
     * Makes one that has seen nothing, and so holds nothing back.
     *
     * @param demanded the share of predictions that must be used, 0 to 1; 0 holds nothing back
     * @param probeInterval of a class that only just falls short one prediction in so many is made all the same, at least 1;
     *     of one that falls short by a factor, fewer by the factor's square
     * @param memory predictions of a class after which its counts are halved, at least 2
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

    /** The class of a confidence; what is told of a prediction's end is told of its class. */
    public static int classOf(double confidence) {
        double steps = Math.log(Math.max(confidence, LOWEST) / LOWEST) * CLASSES_PER_E;
        return Math.min(CONFIDENCE_CLASSES - 1, (int) steps);
    }

    /**
     * The probability that a prediction is used, by what became of those of its class; as long as little is known, its confidence.
     *
     * @param confidence as the graph gives it, 0 to 1
     */
    double calibrated(double confidence) {
        long outcome = outcomes.get(classOf(confidence));
        double used = (outcome >>> USED_SHIFT) + PRIOR * confidence;
        double known = (outcome & KNOWN_MASK) + PRIOR;
        return used / known;
    }

    /** Whether a prediction of a class is worth making. */
    public boolean isWorthwhile(int confidenceClass) {
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

    /** A prediction of a class was given up without having been used. */
    public void wasted(int confidenceClass) {
        ended(confidenceClass, 0, 1);
    }

    /**
     * Predictions of a class have ended, in a time that does not depend on how many.
     *
     * @param used how many were used, 0 to {@value #ENDED_MAX}
     * @param wasted how many were given up without having been used, 0 to {@value #ENDED_MAX}
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * The number of predicted files that one client may be granted before it has used some. The allowance is a slow start,
 * like that of a TCP connection on an unknown path.
 *
 * <p>{@link Usefulness} judges predictions by their outcomes. Until the first outcomes are known, a client whose access
 * order never recurs would be granted many files in vain. For this reason a client begins with an allowance. A granted
 * file costs one unit. A used file earns as many units as may be granted for one use. A client that uses exactly the
 * demanded share keeps its balance. A client that uses more is soon not limited. A client that uses nothing is granted
 * one file in {@value #OPENS_PER_PROBE} opens; this probe shows when predictions become useful again.
 *
 * <p>The first allowance, its maximum and the probe rate are chosen, not measured.
 *
 * <p>Constant time and memory, no allocation. Not thread-safe.
 */
public final class Allowance {

    /** The allowance of a new client, in files: the default size of a group. */
    private static final int INITIAL = 16;

    /** The largest allowance, in files. */
    private static final int MOST = 256;

    private static final int OPENS_PER_PROBE = 64;

    private final double earnedByUse;
    private final double most;
    private double balance;

    /**
     * Makes the allowance of a new client.
     *
     * @param demanded the share of granted files that must be used, 0 to 1; 0 sets no limit
     */
    public Allowance(double demanded) {
        if (!(demanded >= 0 && demanded <= 1)) {
            throw new IllegalArgumentException("demanded is " + demanded + "; accepted is 0 to 1");
        }
        this.earnedByUse = 1 / demanded;
        this.most = demanded == 0 ? Double.POSITIVE_INFINITY : MOST;
        this.balance = demanded == 0 ? Double.POSITIVE_INFINITY : INITIAL;
    }

    /** The client has opened a number of files. */
    public void opened(int files) {
        earn((double) files / OPENS_PER_PROBE);
    }

    /** The client has used a number of the granted files. */
    public void used(int files) {
        if (files > 0) {
            earn(files * earnedByUse);
        }
    }

    private void earn(double earned) {
        balance = Math.min(most, balance + earned);
    }

    /** The number of files that the client may be granted now. */
    public int left() {
        return (int) balance;
    }

    /** The client was granted a number of files. */
    public void spend(int files) {
        balance -= files;
    }
}

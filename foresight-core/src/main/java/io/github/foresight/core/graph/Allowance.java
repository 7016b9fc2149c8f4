/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * How many files one client may be told of before it has used some: a slow start, as of a connection that does not know its path.
 *
 * <p>{@link Usefulness} judges by outcomes, and until the first are known a client whose order never comes again would be told of
 * much. So a client begins with an allowance; a file that it is told of costs one, and one that it uses earns as many as must be
 * told of for one use. Who uses as large a share as is demanded stays level, who uses more is soon not limited at all, and who
 * uses nothing is told of one file in {@value #OPENS_PER_PROBE} opens, which tells whether that is still so.
 *
 * <p>Constant time and memory, no allocation. Not thread-safe.
 */
public final class Allowance {

    private static final int INITIAL = 16;
    private static final int MOST = 256;
    private static final int OPENS_PER_PROBE = 64;

    private final double earnedByUse;
    private final double most;
    private double balance;

    /**
     * Makes a beginner's.
     *
     * @param demanded the share of files told of that must be used, 0 to 1; 0 sets no limit
     */
    public Allowance(double demanded) {
        if (!(demanded >= 0 && demanded <= 1)) {
            throw new IllegalArgumentException("demanded is " + demanded + "; accepted is 0 to 1");
        }
        this.earnedByUse = 1 / demanded;
        this.most = demanded == 0 ? Double.POSITIVE_INFINITY : MOST;
        this.balance = demanded == 0 ? Double.POSITIVE_INFINITY : INITIAL;
    }

    /** The client has opened so many files. */
    public void opened(int files) {
        earn((double) files / OPENS_PER_PROBE);
    }

    /** So many of those it was told of turned out to be used. */
    public void used(int files) {
        if (files > 0) {
            earn(files * earnedByUse);
        }
    }

    private void earn(double earned) {
        balance = Math.min(most, balance + earned);
    }

    /** How many files it may be told of now. */
    public int left() {
        return (int) balance;
    }

    /** It has been told of so many. */
    public void told(int files) {
        balance -= files;
    }
}

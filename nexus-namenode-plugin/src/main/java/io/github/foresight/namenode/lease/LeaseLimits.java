/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

/** How much may wait in a NameNode because of leases. Immutable. */
public final class LeaseLimits {

    private final int parkedMax;
    private final int changesMax;
    private final int threads;

    /**
     * Makes limits.
     *
     * @param parkedMax calls that wait for recalls; 0 for none
     * @param changesMax changes that wait for clients; further ones are refused and may be tried again
     * @param threads that carry out the changes that have waited
     * @throws IllegalArgumentException if one is out of its range
     */
    public LeaseLimits(int parkedMax, int changesMax, int threads) {
        if (parkedMax < 0 || changesMax < 1 || threads < 1) {
            throw new IllegalArgumentException("parkedMax must be at least 0, changesMax and threads at least 1: "
                    + parkedMax + ", " + changesMax + ", " + threads);
        }
        this.parkedMax = parkedMax;
        this.changesMax = changesMax;
        this.threads = threads;
    }

    int parkedMax() {
        return parkedMax;
    }

    int changesMax() {
        return changesMax;
    }

    int threads() {
        return threads;
    }
}

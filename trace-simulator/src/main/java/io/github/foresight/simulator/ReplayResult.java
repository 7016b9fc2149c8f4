/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

/** The counts of a replay. Immutable. */
final class ReplayResult {

    private final int accesses;
    private final int hits;
    private final int issued;
    private final int used;

    ReplayResult(int accesses, int hits, int issued, int used) {
        this.accesses = accesses;
        this.hits = hits;
        this.issued = issued;
        this.used = used;
    }

    /** Accesses that found their file in the cache, as a share of all. */
    double hitRatio() {
        return share(hits, accesses);
    }

    /** The share of predictions that were used before they were evicted; 0 without predictions. */
    double precision() {
        return share(used, issued);
    }

    double prefetchesPerAccess() {
        return share(issued, accesses);
    }

    private static double share(int part, int whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }
}

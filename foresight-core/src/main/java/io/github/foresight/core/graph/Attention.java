/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Whether a client goes on asking for predictions: it does as long as one open in {@value #PAYS_FROM} is served from what it keeps.
 * Below that talking costs more than it saves, and the client opens files as it would without, but for one open in {@value
 * #OPENS_PER_PROBE}, which tells whether predictions have become of use.
 *
 * <p>The share is a moving average over the last {@value #SPAN} opens or so. Constant time and memory, no allocation. Thread-safe.
 */
public final class Attention {

    private static final int SPAN = 32;
    private static final int PAYS_FROM = 16;
    private static final int OPENS_PER_PROBE = 64;

    /** What a beginner is taken to have; so it asks some forty times before it gives up. */
    private static final double INITIAL = 0.25;

    private double servedShare = INITIAL;
    private int unasked;

    /** An open was served from what is kept. */
    public synchronized void served() {
        servedShare += (1 - servedShare) / SPAN;
    }

    /** An open was not: the NameNode must be asked for it. Whether it should be asked for predictions as well. */
    public synchronized boolean askAlong() {
        servedShare -= servedShare / SPAN;
        unasked++;
        if (servedShare * PAYS_FROM >= 1 || unasked == OPENS_PER_PROBE) {
            unasked = 0;
            return true;
        }
        return false;
    }
}

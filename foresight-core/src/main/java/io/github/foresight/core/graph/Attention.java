/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Whether a client goes on asking for predictions: it does as long as one open in {@value #PAYS_FROM} is served from what it keeps.
 * Below that talking costs more than it saves, and the client opens files as it would without, but for probes, which tell whether
 * predictions have become of use: after {@value #OPENS_TO_FIRST_PROBE} opens, then after twice as many each time, and at last one in
 * {@value #OPENS_PER_PROBE}.
 *
 * <p>The share is a moving average over the last {@value #SPAN} opens or so. Constant time and memory, no allocation. Thread-safe.
 */
public final class Attention {

    private static final int SPAN = 32;
    private static final int PAYS_FROM = 16;
    private static final int OPENS_TO_FIRST_PROBE = 16;
    private static final int OPENS_PER_PROBE = 256;

    /** What a beginner is taken to have; so it asks five times before it gives up, which is enough in an order that is known. */
    private static final double INITIAL = 0.075;

    private double servedShare = INITIAL;
    private int unasked;
    private int opensToProbe = OPENS_TO_FIRST_PROBE;

    /** An open was served from what is kept. */
    public synchronized void served() {
        servedShare += (1 - servedShare) / SPAN;
    }

    /** An open was not: the NameNode must be asked for it. Whether it should be asked for predictions as well. */
    public synchronized boolean askAlong() {
        servedShare -= servedShare / SPAN;
        if (servedShare * PAYS_FROM >= 1) {
            unasked = 0;
            opensToProbe = OPENS_TO_FIRST_PROBE;
            return true;
        }
        unasked++;
        if (unasked < opensToProbe) {
            return false;
        }
        unasked = 0;
        opensToProbe = Math.min(OPENS_PER_PROBE, 2 * opensToProbe);
        return true;
    }
}

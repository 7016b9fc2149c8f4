/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/**
 * Decides whether a client asks the NameNode for predictions. The client asks as long as its cached layouts serve at
 * least one open in {@value #PAYS_FROM}. Below that share, requests cost more than they save, and the client opens
 * files as the stock client does.
 *
 * <p>A client below that share still sends probes, which show whether predictions have become useful. The first probe
 * comes after {@value #OPENS_TO_FIRST_PROBE} opens, the next after twice as many. The rate does not fall below one
 * probe in {@value #OPENS_PER_PROBE} opens.
 *
 * <p>The share is a moving average over about the last {@value #SPAN} opens. All four numbers are chosen, not measured.
 * Constant time and memory, no allocation. Thread-safe.
 */
public final class PredictionRequestPolicy {

    private static final int SPAN = 32;
    private static final int PAYS_FROM = 16;
    private static final int OPENS_TO_FIRST_PROBE = 16;
    private static final int OPENS_PER_PROBE = 256;

    /**
     * The share of a new client. From this start it asks five times before it stops; five requests are enough if the
     * graph knows the order of the files.
     */
    private static final double INITIAL = 0.075;

    private double servedShare = INITIAL;
    private int unasked;
    private int opensToProbe = OPENS_TO_FIRST_PROBE;

    /** A cached layout served an open. */
    public synchronized void served() {
        servedShare += (1 - servedShare) / SPAN;
    }

    /**
     * No cached layout served an open, and the client must ask the NameNode.
     *
     * @return whether the client also asks for predictions
     */
    public synchronized boolean recordMiss() {
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

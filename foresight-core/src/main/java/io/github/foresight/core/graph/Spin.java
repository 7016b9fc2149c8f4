/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

/** Waiting for a lock that is held for some tens of nanoseconds, unless its holder lost its processor. Stateless. */
final class Spin {

    private static final int SPINS = 1000;

    private Spin() {}

    /**
     * A pause between two tries.
     *
     * @param tries how many failed so far
     */
    @SuppressWarnings("ThreadPriorityCheck") // a holder that lost its processor gets it sooner
    static void pause(int tries) {
        if (tries % SPINS == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}

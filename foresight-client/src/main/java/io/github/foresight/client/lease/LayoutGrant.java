/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

/** The terms under which the NameNode granted a cached layout: the hub whose lease it was, and when the NameNode was asked. Immutable. */
public final class LayoutGrant {

    private final LeaseHub hub;
    private final int generation;
    private final long askedAtNanos;

    LayoutGrant(LeaseHub hub, int generation, long askedAtNanos) {
        this.hub = hub;
        this.generation = generation;
        this.askedAtNanos = askedAtNanos;
    }

    int generation() {
        return generation;
    }

    long askedAtNanos() {
        return askedAtNanos;
    }

    /** Whether the grant came from the NameNode of a hub. */
    public boolean isOf(LeaseHub other) {
        return hub == other;
    }

    /** Whether the layout may be used at this moment. */
    public boolean isLive() {
        return hub.isLive(this);
    }

    /** Whether the layout may be used at this moment, for an open that is about to use it; counts if the lease has run out. */
    public boolean use() {
        return hub.use(this);
    }
}

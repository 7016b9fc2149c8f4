/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import io.github.foresight.core.lease.LeaseSettings;
import io.github.foresight.core.lease.NameNodeLeases;
import io.github.foresight.namenode.lease.LayoutLeases.HaState;
import java.security.SecureRandom;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The leases of the NameNode's present activation. Each activation has {@link NameNodeLeases} of its own, under an epoch drawn at random; a
 * standby and an observer have none.
 *
 * <pre>
 *   none ── begin, active and switched on ──> leases ── end ──> none
 * </pre>
 *
 * <p>{@link #isCurrent} says when the leases have to end: the NameNode is no longer active, or has become active anew. Constant time. Not
 * thread-safe: guarded by the lock of {@link LayoutLeases}.
 */
final class ActivationLeases {

    private final LeaseSettings settings;
    private final HaState haState;
    private final BooleanSupplier switchedOn;
    private final SecureRandom random = new SecureRandom();

    private @Nullable NameNodeLeases leases;
    private long transition;

    /** The last inode when this activation began, or a little later. */
    private long lastOldInode;

    /** When leases were last given out; meaningless before the first. */
    private long grantedAtNanos;

    /**
     * Begins without leases.
     *
     * @param switchedOn whether leases are granted; after a switch-off, changes still wait for the leases that were granted before
     */
    ActivationLeases(LeaseSettings settings, HaState haState, BooleanSupplier switchedOn) {
        this.settings = settings;
        this.haState = haState;
        this.switchedOn = switchedOn;
    }

    /** Null where there are none. */
    @Nullable
    NameNodeLeases leases() {
        return leases;
    }

    /** Whether there are leases, and they are those of the NameNode's present activation. */
    boolean isCurrent() {
        return leases != null && haState.isActive() && haState.lastTransition() == transition;
    }

    /** Begins with leases of which none is given out, where the NameNode is active and leases are switched on. */
    void begin(long nowNanos) {
        if (!haState.isActive()) {
            return;
        }
        long since = haState.lastTransition();
        if (!switchedOn.getAsBoolean()) {
            return;
        }
        transition = since;
        grantedAtNanos = nowNanos;
        lastOldInode = haState.lastInodeId();
        leases = new NameNodeLeases(settings, epoch(), nowNanos);
    }

    private long epoch() {
        long epoch;
        do {
            epoch = random.nextLong();
        } while (epoch == 0);
        return epoch;
    }

    /**
     * The leases end here.
     *
     * @return whether there were any
     */
    boolean end() {
        boolean hadLeases = leases != null;
        leases = null;
        return hadLeases;
    }

    /** Something was given out. */
    void granted(long nowNanos) {
        grantedAtNanos = nowNanos;
    }

    /** Whether leases are switched off, and each that was given out before has run out. */
    boolean isRunOut(long nowNanos) {
        return !switchedOn.getAsBoolean() && nowNanos - grantedAtNanos > settings.leaseNanos() + settings.marginNanos();
    }

    /** While clients may hold layouts of the activation before: the last inode of the files that these may be of. */
    OptionalLong lastOldInode(long nowNanos) {
        return leases != null && leases.isInGrace(nowNanos) ? OptionalLong.of(lastOldInode) : OptionalLong.empty();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

/**
 * What each user knows and may not know: the paths that users have opened, which may be named to them again, and the files that an
 * external enforcer has refused them.
 *
 * <p>Bounded: the oldest is forgotten first. A forgotten path is not named, a forgotten refusal is asked for again. Constant time but
 * for the texts' lengths, no allocation. Thread-safe.
 */
public final class Discretion {

    private final KeyedHash hash;
    private final RecentSet opened;
    private final Refusals refusals;

    /** Makes one that knows what is in the sets given, which are its own from now on. */
    public Discretion(KeyedHash hash, RecentSet opened, Refusals refusals) {
        this.hash = hash;
        this.opened = opened;
        this.refusals = refusals;
    }

    /** The memory that is taken, used or not. */
    public long capacityBytes() {
        return opened.capacityBytes() + refusals.capacityBytes();
    }

    /** A user has opened a path. */
    public void opened(String user, String path) {
        opened.add(hash.of(user, path));
    }

    /** Whether a user has opened a path, as far as that is remembered. */
    public boolean hasOpened(String user, String path) {
        return opened.contains(hash.of(user, path));
    }

    /** A user was refused an inode. */
    public void refused(String user, long inodeId, long nowNanos) {
        refusals.add(hash.of(user, inodeId), nowNanos);
    }

    /** Whether a user was refused an inode lately, as far as that is remembered. */
    public boolean isRefused(String user, long inodeId, long nowNanos) {
        return refusals.contains(hash.of(user, inodeId), nowNanos);
    }
}

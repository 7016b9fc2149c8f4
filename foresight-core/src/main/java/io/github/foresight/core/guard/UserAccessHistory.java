/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

/**
 * Remembers which paths each user has opened, and which files an external enforcer has refused to the user. A path may
 * be predicted to a user after the user has opened it.
 *
 * <p>Bounded: the oldest entry is forgotten first. A forgotten path is not predicted; for a forgotten refusal the
 * enforcer is asked again. Takes time linear in the lengths of the strings, no allocation. Thread-safe.
 */
public final class UserAccessHistory {

    private final KeyedHash hash;
    private final RecentSet opened;
    private final Refusals refusals;

    /** Makes a history of these sets, which it owns from now on. */
    public UserAccessHistory(KeyedHash hash, RecentSet opened, Refusals refusals) {
        this.hash = hash;
        this.opened = opened;
        this.refusals = refusals;
    }

    /** The allocated memory, used or not. */
    public long capacityBytes() {
        return opened.capacityBytes() + refusals.capacityBytes();
    }

    /** Records that a user has opened a path. */
    public void opened(String user, String path) {
        opened.add(hash.of(user, path));
    }

    /** Whether a user has opened a path; false if the open is forgotten. */
    public boolean hasOpened(String user, String path) {
        return opened.contains(hash.of(user, path));
    }

    /** Records that a user was refused an inode. */
    public void refused(String user, long inodeId, long nowNanos) {
        refusals.add(hash.of(user, inodeId), nowNanos);
    }

    /** Whether a user was refused an inode recently; false if the refusal is forgotten. */
    public boolean isRefused(String user, long inodeId, long nowNanos) {
        return refusals.contains(hash.of(user, inodeId), nowNanos);
    }
}

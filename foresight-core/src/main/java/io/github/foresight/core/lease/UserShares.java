/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import java.util.HashMap;
import java.util.Map;

/**
 * How many clients and layouts each user has, so that no user takes what others need. As long as less than half of everything is used
 * up, everybody may have more; from then on only users with less than their share. Constant time; two small numbers for each user that has a
 * client or a layout. Not thread-safe.
 */
final class UserShares {

    private final double share;
    private final Map<String, Integer> sessions = new HashMap<>();
    private Map<String, Long> young = new HashMap<>();
    private Map<String, Long> old = new HashMap<>();

    UserShares(double share) {
        this.share = share;
    }

    void sessionAdded(String user) {
        sessions.merge(user, 1, Integer::sum);
    }

    void sessionRemoved(String user) {
        sessions.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
    }

    void granted(String user, long bytes) {
        young.merge(user, bytes, Long::sum);
    }

    /** Layouts grow old, and those that were old before are forgotten. */
    void age() {
        old = young;
        young = new HashMap<>();
    }

    /** Whether a user may have one more client, of so many that all users have. */
    boolean mayHaveSession(String user, int all, int max) {
        return all < max / 2 || sessions.getOrDefault(user, 0) < share * max;
    }

    /** Whether a user may have one more layout, of so many bytes that those of all users take. */
    boolean mayHaveLayout(String user, long all, long max) {
        return all < max / 2 || young.getOrDefault(user, 0L) + old.getOrDefault(user, 0L) < share * max;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import java.util.HashMap;
import java.util.Map;

/**
 * The clients and layouts of each user, limited so that no user takes all room. While less than half of the room is
 * used, each user may have more. From then on only users below their share may. Constant time; two small numbers for
 * each user with a client or a layout. Not thread-safe.
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

    /** Ages the layouts; the layouts that were already old are forgotten. */
    void age() {
        old = young;
        young = new HashMap<>();
    }

    /**
     * Whether a user may have one more client.
     *
     * @param all the clients of all users
     * @param max the most clients
     */
    boolean mayHaveSession(String user, int all, int max) {
        return all < max / 2 || sessions.getOrDefault(user, 0) < share * max;
    }

    /**
     * Whether a user may have one more layout.
     *
     * @param all the bytes of all users' layouts
     * @param max the most bytes
     */
    boolean mayHaveLayout(String user, long all, long max) {
        return all < max / 2 || young.getOrDefault(user, 0L) + old.getOrDefault(user, 0L) < share * max;
    }
}

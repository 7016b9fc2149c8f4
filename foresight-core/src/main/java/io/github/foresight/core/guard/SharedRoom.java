/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * The room of a queue that many users share, in bytes. No user can take all of it.
 *
 * <p>A user may hold at most as many bytes as stay free. A single user gets half of the room. If two users want more
 * than there is, each gets a third in the steady state. This is the dynamic threshold of Choudhury and Hahne, "Dynamic
 * Queue Length Thresholds for Shared-Memory Packet Switches", 1998, with a factor of 1. A user that holds nothing finds
 * room, as long as entries are small compared with the free room.
 *
 * <p>Constant time. A user that holds nothing takes no memory. Thread-safe.
 */
public final class SharedRoom {

    private final long capacityBytes;

    @GuardedBy("this")
    private final Map<String, Long> held = new HashMap<>();

    @GuardedBy("this")
    private long heldByAll;

    /** Makes an empty room. */
    public SharedRoom(long capacityBytes) {
        if (capacityBytes < 0) {
            throw new IllegalArgumentException("capacityBytes must be at least 0: " + capacityBytes);
        }
        this.capacityBytes = capacityBytes;
    }

    /** Whether a user may take this many more bytes. */
    public synchronized boolean hasRoom(String user, long bytes) {
        long free = capacityBytes - heldByAll - bytes;
        return free >= 0 && held.getOrDefault(user, 0L) + bytes <= Math.max(free, 0);
    }

    /**
     * Takes room for a user.
     *
     * @param bytes above 0
     * @return whether there was room; if not, nothing is taken
     */
    public synchronized boolean take(String user, long bytes) {
        if (!hasRoom(user, bytes)) {
            return false;
        }
        held.merge(user, bytes, Long::sum);
        heldByAll += bytes;
        return true;
    }

    /** Gives back room that a user has taken. */
    public synchronized void giveBack(String user, long bytes) {
        heldByAll -= bytes;
        held.computeIfPresent(user, (unused, before) -> before > bytes ? Long.valueOf(before - bytes) : null);
    }

    /** The bytes that all users hold. */
    public synchronized long heldBytes() {
        return heldByAll;
    }
}

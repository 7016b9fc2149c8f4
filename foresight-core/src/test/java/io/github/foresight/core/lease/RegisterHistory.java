/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A history of reads and writes of one register, and whether it is linearizable.
 *
 * <p>Each write writes a different value, which makes the check easy: a value's write and its reads must be adjacent in
 * the order. Such a group has a first response {@code f} and a last invocation {@code s}. If {@code f < s}, the group
 * covers the time from {@code f} to {@code s} (a forward zone). Otherwise it lies somewhere between {@code s} and
 * {@code f} (a backward zone). The history is linearizable under three conditions: no value is read before its write is
 * invoked, no two forward zones overlap, and no forward zone contains a backward zone. The source is Gibbons and
 * Korach, "Testing shared memories", SIAM J. Comput. 26, 1997, theorem 4.2 for known writes. {@code O(n log n)}.
 */
public final class RegisterHistory {

    private static final long NEVER = Long.MAX_VALUE;

    private final Map<Long, Zone> zones = new HashMap<>();

    /** The write of a value and the reads that returned it. */
    private static final class Zone {
        final long value;
        long writeInvoked = NEVER;
        boolean written;
        long firstResponse = NEVER;
        long lastInvocation = Long.MIN_VALUE;
        long firstReadResponse = NEVER;

        Zone(long value) {
            this.value = value;
        }

        void add(long invoked, long responded) {
            firstResponse = Math.min(firstResponse, responded);
            lastInvocation = Math.max(lastInvocation, invoked);
        }

        boolean isForward() {
            return firstResponse < lastInvocation;
        }

        long begin() {
            return Math.min(firstResponse, lastInvocation);
        }

        long end() {
            return Math.max(firstResponse, lastInvocation);
        }

        @Override
        public String toString() {
            return "value " + value + (isForward() ? " forward " : " backward ") + begin() + " to " + end();
        }
    }

    /** Makes a history that begins with a value written long ago. */
    public RegisterHistory(long initialValue) {
        write(initialValue, Long.MIN_VALUE, Long.MIN_VALUE);
    }

    private Zone zone(long value) {
        return zones.computeIfAbsent(value, Zone::new);
    }

    /**
     * Adds a write.
     *
     * @param responded the time when the write returned; {@link #unanswered} for a write without an answer
     */
    public void write(long value, long invoked, long responded) {
        Zone zone = zone(value);
        zone.written = true;
        zone.writeInvoked = invoked;
        zone.add(invoked, responded);
    }

    /** Adds a read that has returned a value. */
    public void read(long value, long invoked, long responded) {
        Zone zone = zone(value);
        zone.firstReadResponse = Math.min(zone.firstReadResponse, responded);
        zone.add(invoked, responded);
    }

    /** The response time of a write without an answer. */
    public static long unanswered() {
        return NEVER;
    }

    /** A contradiction of linearizability, or null. */
    @Nullable
    public String contradiction() {
        List<Zone> forward = new ArrayList<>();
        List<Zone> backward = new ArrayList<>();
        for (Zone zone : zones.values()) {
            if (!zone.written) {
                return zone + " was read and never written";
            }
            if (zone.firstReadResponse < zone.writeInvoked) {
                return zone + " was read before it was written";
            }
            boolean unseen = zone.firstResponse == NEVER;
            if (!unseen) {
                (zone.isForward() ? forward : backward).add(zone);
            }
        }
        forward.sort(Comparator.comparingLong(Zone::begin));
        for (int i = 1; i < forward.size(); i++) {
            if (forward.get(i).begin() < forward.get(i - 1).end()) {
                return forward.get(i - 1) + " overlaps " + forward.get(i);
            }
        }
        for (Zone inner : backward) {
            Zone outer = lastBeginningBefore(forward, inner.begin());
            if (outer != null && inner.end() < outer.end()) {
                return outer + " holds " + inner;
            }
        }
        return null;
    }

    private static @Nullable Zone lastBeginningBefore(List<Zone> sorted, long time) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle).begin() < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? null : sorted.get(low - 1);
    }
}

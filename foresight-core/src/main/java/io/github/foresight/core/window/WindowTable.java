/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The windows that a node holds in memory, one for each client and file (NBJLOFS, section 3.2, "the replica node").
 *
 * <p>The paper's client sends the object that it read, and the node moves its own copy of the window. Here the client
 * sends its window; both sides then agree even after a lost message. In both designs the node prefetches only the
 * difference: the parts of the new window that it does not hold. The parts that are no longer in the window are given
 * up.
 *
 * <p>The table is bounded in windows and in bytes. If a window does not fit, the least recently moved windows are given
 * up: first the windows of callers above their share. For a caller that has reached its share, only its own windows are
 * given up. A window that alone exceeds the capacity is refused, and the client's old window is given up.
 *
 * <p>An event takes time linear in the blocks of the affected windows; {@link #invalidated} takes time linear in all
 * windows. Times are readings of one steady clock. Not thread-safe.
 */
public final class WindowTable {

    /** An action on a part of a block; immutable. */
    public static final class Decision {
        /** The kind of action. */
        public enum Kind {
            LOAD,
            GIVE_UP
        }

        private final Kind kind;
        private final SessionId session;
        private final BlockExtent part;

        Decision(Kind kind, SessionId session, BlockExtent part) {
            this.kind = kind;
            this.session = session;
            this.part = part;
        }

        public Kind kind() {
            return kind;
        }

        /** The session whose window is affected; each window holds its parts independently of other windows. */
        public SessionId session() {
            return session;
        }

        public BlockExtent part() {
            return part;
        }

        @Override
        public String toString() {
            return kind + " " + part + " for " + session;
        }
    }

    private static final class Held {
        final Map<BlockKey, BlockExtent> parts = new LinkedHashMap<>();
        long bytes;
        long movedNanos;
    }

    /** The windows of one caller, which is a user at an address. */
    private static final class Caller {
        /** In order of the last move, the least recent first. */
        final Map<SessionId, Held> windows = new LinkedHashMap<>();

        long bytes;
    }

    private final int maxWindows;
    private final long callerWindowsMax;
    private final long callerBytesMax;
    private final long capacityBytes;
    private final long idleNanos;
    private final LongUnaryOperator footprintBytes;

    /** In order of the last move, the least recent first. */
    private final Map<SessionId, Held> windows = new LinkedHashMap<>();

    private final Map<Long, Caller> callers = new HashMap<>();

    /** Callers above their share. */
    private final Set<Caller> beyond = new LinkedHashSet<>();

    private long usedBytes;
    private long evictions;

    /** Makes a table without windows and without shares of callers. */
    public WindowTable(int maxWindows, long capacityBytes, long idleNanos, LongUnaryOperator footprintBytes) {
        this(maxWindows, capacityBytes, 1, idleNanos, footprintBytes);
    }

    /**
     * Makes a table without windows.
     *
     * @param callerShare the share of the windows, and of the bytes, that one caller may keep while other callers need
     *     room; 1 sets no limit
     * @param idleNanos the time after which a window that has not moved is given up
     * @param footprintBytes maps the length of a part of a block to the most memory that it takes
     */
    public WindowTable(
            int maxWindows, long capacityBytes, double callerShare, long idleNanos, LongUnaryOperator footprintBytes) {
        if (maxWindows < 1) {
            throw new IllegalArgumentException("maxWindows must be at least 1: " + maxWindows);
        }
        if (capacityBytes < 0) {
            throw new IllegalArgumentException("capacityBytes must be at least 0: " + capacityBytes);
        }
        if (!(callerShare > 0 && callerShare <= 1)) {
            throw new IllegalArgumentException("callerShare must be above 0 and at most 1: " + callerShare);
        }
        if (idleNanos < 1) {
            throw new IllegalArgumentException("idleNanos must be at least 1: " + idleNanos);
        }
        this.maxWindows = maxWindows;
        this.capacityBytes = capacityBytes;
        this.callerWindowsMax = callerShare == 1 ? Long.MAX_VALUE : Math.max(1, (long) (maxWindows * callerShare));
        this.callerBytesMax = callerShare == 1 ? Long.MAX_VALUE : (long) (capacityBytes * callerShare);
        this.idleNanos = idleNanos;
        this.footprintBytes = Objects.requireNonNull(footprintBytes, "footprintBytes");
    }

    /**
     * Moves a client's window of a file.
     *
     * @param window parts of blocks in file order. Empty parts are ignored; of several parts of one block only the
     *     first counts
     * @param decisions receives the resulting decisions, in order; room is given up before anything is loaded into it
     * @return false if the window does not fit
     */
    @CanIgnoreReturnValue
    public boolean moved(SessionId id, List<BlockExtent> window, long nowNanos, List<Decision> decisions) {
        Held old = take(id);
        Held now = new Held();
        now.movedNanos = nowNanos;
        for (BlockExtent part : window) {
            if (!part.extent().isEmpty() && now.parts.putIfAbsent(part.key(), part) == null) {
                now.bytes += footprintBytes.applyAsLong(part.extent().lengthBytes());
            }
        }
        if (old != null) {
            giveUpDifference(id, old, now, decisions);
        }
        if (now.parts.isEmpty() || now.bytes > capacityBytes) {
            return giveUpKept(id, old, now, decisions);
        }
        makeRoom(id, now.bytes, decisions);
        put(id, now);
        for (BlockExtent part : now.parts.values()) {
            for (Extent added : part.extent().minus(heldOf(old, part))) {
                decisions.add(new Decision(Decision.Kind.LOAD, id, part.with(added)));
            }
        }
        return true;
    }

    /**
     * Gives up the parts that the new window shares with the old window, because the new window is empty or too large.
     */
    private static boolean giveUpKept(SessionId id, @Nullable Held old, Held now, List<Decision> decisions) {
        if (old != null) {
            for (BlockExtent part : old.parts.values()) {
                Extent kept = part.extent().intersect(heldOf(now, part));
                if (!kept.isEmpty()) {
                    decisions.add(new Decision(Decision.Kind.GIVE_UP, id, part.with(kept)));
                }
            }
        }
        return now.parts.isEmpty();
    }

    private static void giveUpDifference(SessionId id, Held old, Held now, List<Decision> decisions) {
        for (BlockExtent part : old.parts.values()) {
            for (Extent left : part.extent().minus(heldOf(now, part))) {
                decisions.add(new Decision(Decision.Kind.GIVE_UP, id, part.with(left)));
            }
        }
    }

    /** The part of the same block content that a window holds. */
    private static Extent heldOf(@Nullable Held window, BlockExtent part) {
        BlockExtent held = window == null ? null : window.parts.get(part.key());
        return held == null || held.generationStamp() != part.generationStamp() ? Extent.EMPTY : held.extent();
    }

    private void makeRoom(SessionId id, long bytes, List<Decision> decisions) {
        while (!windows.isEmpty() && (usedBytes + bytes > capacityBytes || windows.size() >= maxWindows)) {
            evictions++;
            giveUp(toLeave(id, bytes), decisions);
        }
    }

    /** The window that is given up for a window of a caller. */
    private SessionId toLeave(SessionId id, long bytes) {
        Caller caller = callers.get(id.callerId());
        boolean hasShare =
                caller != null && (caller.windows.size() >= callerWindowsMax || caller.bytes > callerBytesMax - bytes);
        if (caller != null && hasShare) {
            return first(caller.windows);
        }
        return first(beyond.isEmpty() ? windows : beyond.iterator().next().windows);
    }

    private static SessionId first(Map<SessionId, Held> windows) {
        return windows.keySet().iterator().next();
    }

    private void put(SessionId id, Held held) {
        windows.put(id, held);
        Caller caller = callers.computeIfAbsent(id.callerId(), unused -> new Caller());
        caller.windows.put(id, held);
        grew(caller, held.bytes);
    }

    private @Nullable Held take(SessionId id) {
        Held held = windows.remove(id);
        Caller caller = callers.get(id.callerId());
        if (held != null && caller != null) {
            caller.windows.remove(id);
            grew(caller, -held.bytes);
            if (caller.windows.isEmpty()) {
                callers.remove(id.callerId());
            }
        }
        return held;
    }

    private void grew(Caller caller, long bytes) {
        usedBytes += bytes;
        caller.bytes += bytes;
        if (caller.windows.size() > callerWindowsMax || caller.bytes > callerBytesMax) {
            beyond.add(caller);
        } else {
            beyond.remove(caller);
        }
    }

    private void giveUp(SessionId id, List<Decision> decisions) {
        Held held = take(id);
        if (held == null) {
            return;
        }
        for (BlockExtent part : held.parts.values()) {
            decisions.add(new Decision(Decision.Kind.GIVE_UP, id, part));
        }
    }

    /** The client has closed the file or withdrawn its window. */
    public ImmutableList<Decision> released(SessionId id) {
        List<Decision> decisions = new ArrayList<>();
        giveUp(id, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /** The block was deleted, appended to, recovered or moved, or cannot be read. All windows give it up. */
    public ImmutableList<Decision> invalidated(BlockKey key) {
        List<Decision> decisions = new ArrayList<>();
        windows.forEach((id, held) -> {
            BlockExtent part = held.parts.remove(key);
            if (part != null) {
                long bytes = footprintBytes.applyAsLong(part.extent().lengthBytes());
                held.bytes -= bytes;
                Caller caller = callers.get(id.callerId());
                if (caller != null) {
                    grew(caller, -bytes);
                }
                decisions.add(new Decision(Decision.Kind.GIVE_UP, id, part));
            }
        });
        return ImmutableList.copyOf(decisions);
    }

    /** Time has passed. Gives up windows that have not moved for long. */
    public ImmutableList<Decision> tick(long nowNanos) {
        List<Decision> decisions = new ArrayList<>();
        while (!windows.isEmpty()) {
            Map.Entry<SessionId, Held> oldest = windows.entrySet().iterator().next();
            if (nowNanos - oldest.getValue().movedNanos < idleNanos) {
                break;
            }
            giveUp(oldest.getKey(), decisions);
        }
        return ImmutableList.copyOf(decisions);
    }

    /** Gives up all windows. */
    public ImmutableList<Decision> clear() {
        List<Decision> decisions = new ArrayList<>();
        while (!windows.isEmpty()) {
            giveUp(first(windows), decisions);
        }
        return ImmutableList.copyOf(decisions);
    }

    /**
     * The piece of a part of a block that a window still holds, and that is worth loading; counted from the block's
     * begin.
     */
    public Extent wanted(SessionId id, BlockExtent part) {
        return heldOf(windows.get(id), part).intersect(part.extent());
    }

    /** Whether a client has a window of a file, at any place. */
    public boolean isHeld(SessionId id) {
        return windows.containsKey(id);
    }

    public int windowCount() {
        return windows.size();
    }

    /** The most memory that the current windows take, including page rounding; never more than the capacity. */
    public long usedBytes() {
        return usedBytes;
    }

    /** The number of windows, since the start, that were given up because another window needed room. */
    public long evictions() {
        return evictions;
    }
}

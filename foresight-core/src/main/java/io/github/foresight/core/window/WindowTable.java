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
 * <p>The paper's client says which object it read and the node moves its own copy of the window; here the client says where its
 * window now is, which keeps both alike whatever message is lost. Either way the node prefetches the difference only: the parts of
 * the new window that it does not hold. What the window has left is given up.
 *
 * <p>Bounded in windows and in bytes. A window that does not fit has the windows go that were moved least recently: first those of callers
 * beyond their share, and of a caller that has its share only its own. One that alone is larger than everything is refused and the
 * client's old one goes. An event costs time linear in the blocks of the windows
 * concerned, {@link #invalidated} in all windows. Times are readings of any one steady clock. Not thread-safe.
 */
public final class WindowTable {

    /** What is to be done; immutable. */
    public static final class Decision {
        /** What to do with a part of a block. */
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

        /** Whose window it is about; what one holds is not another's. */
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

    /** What one caller, a user at an address, has. */
    private static final class Caller {
        /** Least recently moved first. */
        final Map<SessionId, Held> windows = new LinkedHashMap<>();

        long bytes;
    }

    private final int maxWindows;
    private final long callerWindowsMax;
    private final long callerBytesMax;
    private final long capacityBytes;
    private final long idleNanos;
    private final LongUnaryOperator footprintBytes;

    /** Least recently moved first. */
    private final Map<SessionId, Held> windows = new LinkedHashMap<>();

    private final Map<Long, Caller> callers = new HashMap<>();

    /** Callers that have more than their share. */
    private final Set<Caller> beyond = new LinkedHashSet<>();

    private long usedBytes;
    private long evictions;

    /** Begins with no windows, and without a share for a caller. */
    public WindowTable(int maxWindows, long capacityBytes, long idleNanos, LongUnaryOperator footprintBytes) {
        this(maxWindows, capacityBytes, 1, idleNanos, footprintBytes);
    }

    /**
     * Begins with no windows.
     *
     * @param callerShare which part of the windows and of the bytes one caller may have while others need them; 1 sets no limit
     * @param idleNanos a window that has not moved for so long goes
     * @param footprintBytes gives the memory that a part of a block of some length takes at most
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
     * A client's window of a file is now here.
     *
     * @param window parts of blocks in file order; of parts of one block only the first counts, and empty ones do not
     * @param decisions receives what follows, in order: nothing is loaded before room for it was given up
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

    /** The window is empty or too large: what it has in common with the old one, which goes as well, is given up too. */
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

    /** What a window has of the same content of the same block. */
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

    /** Which window makes way for one of a caller's. */
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

    /** The client has closed the file or changed its mind. */
    public ImmutableList<Decision> released(SessionId id) {
        List<Decision> decisions = new ArrayList<>();
        giveUp(id, decisions);
        return ImmutableList.copyOf(decisions);
    }

    /** The block was deleted, appended to, recovered or moved, or cannot be read: it is given up in all windows. */
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

    /** Time has passed: windows that have not moved for long go. */
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

    /** Gives everything up. */
    public ImmutableList<Decision> clear() {
        List<Decision> decisions = new ArrayList<>();
        while (!windows.isEmpty()) {
            giveUp(first(windows), decisions);
        }
        return ImmutableList.copyOf(decisions);
    }

    /** How much of a part of a block a window holds, so that it is still worth loading; counted from the block's begin. */
    public Extent wanted(SessionId id, BlockExtent part) {
        return heldOf(windows.get(id), part).intersect(part.extent());
    }

    /** Whether there is a window of a client's for a file, wherever it is. */
    public boolean isHeld(SessionId id) {
        return windows.containsKey(id);
    }

    public int windowCount() {
        return windows.size();
    }

    /** Memory that the windows may take at most now, page rounding included; never more than the capacity. */
    public long usedBytes() {
        return usedBytes;
    }

    /** Windows that went because another needed the room, ever since the beginning. */
    public long evictions() {
        return evictions;
    }
}

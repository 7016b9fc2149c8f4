/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import io.github.foresight.core.hint.HintSession.Entry;
import io.github.foresight.core.hint.TrackedBlocks.Residency;
import io.github.foresight.core.hint.TrackedBlocks.Tracked;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses the blocks of a session that are prefetched next, and how far: SSPF's Algorithm 1 for one session. A session
 * for which the cache had no room tries again later. {@link ReadAhead} calls it for each event, and guards it.
 */
final class PrefetchPlanner {

    private final ReadAheadSettings settings;
    private final TrackedBlocks tracked;

    /** Sessions with a block for which the cache had no room, in the order of their refusal. */
    private final Set<HintSession> starved = new LinkedHashSet<>();

    private boolean isHeldBack;

    PrefetchPlanner(ReadAheadSettings settings, TrackedBlocks tracked) {
        this.settings = settings;
        this.tracked = tracked;
    }

    /** Sets whether no block is begun for now. */
    void holdBack(boolean now) {
        isHeldBack = now;
    }

    boolean mayBegin() {
        return !isHeldBack;
    }

    /** A session has ended. */
    void forget(HintSession session) {
        starved.remove(session);
    }

    /** Begins the blocks within the session's reach that are not in memory (Algorithm 1, lines 3 to 8). */
    void plan(HintSession session, long nowNanos, List<Decision> decisions) {
        for (Entry entry : session.reach()) {
            Tracked block = tracked.track(entry.block);
            switch (entry.state) {
                case UNPREFETCH:
                    if (session.reachesDeep(entry) && !tracked.hasRoomForDepth(block)) {
                        return;
                    }
                    if (!begin(session, entry, block, nowNanos, decisions)) {
                        starved.add(session);
                        return;
                    }
                    break;
                case PREFETCHING:
                    tracked.extend(block, limitFor(session, block.block), decisions);
                    break;
                default:
                    break;
            }
        }
        starved.remove(session);
    }

    private boolean begin(HintSession session, Entry entry, Tracked block, long nowNanos, List<Decision> decisions) {
        if (block.residency == Residency.ABSENT) {
            if (!tracked.fits(block)) {
                entry.state = BlockState.ACCESSED;
                return true;
            }
            if (isHeldBack) {
                return false;
            }
            if (!tracked.load(block, limitFor(session, block.block), session.id.clientId(), nowNanos, decisions)) {
                return false;
            }
            if (!entry.openStreams.isEmpty()) {
                tracked.expedite(block, decisions);
            }
        }
        tracked.extend(block, limitFor(session, block.block), decisions);
        entry.state = block.residency == Residency.RESIDENT ? BlockState.PREFETCHED : BlockState.PREFETCHING;
        return true;
    }

    /** The reader has come to a block. Gives up the blocks that it has skipped, and begins the next ones. */
    void advance(HintSession session, Entry entry, long nowNanos, List<Decision> decisions) {
        List<Entry> skipped = session.advanceTo(entry);
        for (Entry passed : skipped) {
            if (passed.state == BlockState.PREFETCHING || passed.state == BlockState.PREFETCHED) {
                session.shallow();
            }
            tracked.giveUp(session, passed, decisions);
        }
        plan(session, nowNanos, decisions);
    }

    private long limitFor(HintSession session, HintedBlock block) {
        return session.isSequential() ? block.endBytes() : ramp(block, block.beginBytes());
    }

    /**
     * The end of the part of a block that is prefetched before the client has seen sequential progress.
     *
     * @param position the reader's position in the block, bytes
     */
    long ramp(HintedBlock block, long position) {
        long read = Math.min(Math.max(0, position - block.beginBytes()), block.partBytes());
        long ahead = LongMath.saturatedAdd(settings.rampBytes(), LongMath.saturatedMultiply(2, read));
        return Math.min(block.endBytes(), LongMath.saturatedAdd(block.beginBytes(), ahead));
    }

    /** Begins blocks of the sessions for which there was no room, the longest waiting first, until there is no room again. */
    void planStarved(long nowNanos, List<Decision> decisions) {
        for (HintSession session : ImmutableList.copyOf(starved)) {
            int before = decisions.size();
            plan(session, nowNanos, decisions);
            if (starved.contains(session) && decisions.size() == before) {
                return;
            }
        }
    }
}

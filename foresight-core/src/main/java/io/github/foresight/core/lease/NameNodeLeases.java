/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The NameNode's side of layout leases: who holds which layout, and when a change may be carried out.
 *
 * <pre>
 *   request  ── exchange() ── grant(path) ── HDFS reads the layout ── reply()
 *   change   ── begin() ── ready? ─ yes ─ HDFS carries it out ── end()
 *                            └──── no ── tell the clients in toNotify() ── exchange() or expire() makes it ready ──┘
 * </pre>
 *
 * <p>Safe because of four rules. The adapter keeps the first two:
 *
 * <ol>
 *   <li>A layout is granted before HDFS reads it, and every change begins before HDFS carries it out. So a layout that is older than a
 *       change was granted before the change began, and its holder is recalled; or the change was under way and the layout is not granted.
 *       A layout whose path is known only once HDFS has read it is granted afterwards, if no change of it has begun or ended since.
 *   <li>A change that is not ready is not carried out.
 *   <li>A client's lease is renewed only when no recall is outstanding, so a change waits for one lease and margin at most.
 *   <li>For one lease and margin after a NameNode became active, changes of what was there before wait: clients may hold layouts of the
 *       NameNode before.
 * </ol>
 *
 * <p>Every path costs a constant number of looks and one at a tree of directories; {@link LeaseSettings#scanMax()} bounds what a change
 * of a directory looks at. Memory is bounded by {@link LeaseSettings#capacityBytes()}; when that is used up nothing more is granted, until
 * old grants are forgotten. Not thread-safe: the adapter holds one lock over each call. Time comes in as a parameter, in nanoseconds of a
 * clock that never goes back.
 */
public final class NameNodeLeases {

    /** Estimate for a 64-bit JVM: the session, its queues, its entry in two maps. */
    private static final int SESSION_BYTES = 400;

    /** The identity of a caller without leases; no client names itself so. */
    public static final long NO_SESSION = 0;

    /** How many begins and ends of changes are remembered for layouts that were read before they are granted. Chosen, not measured. */
    private static final int RECENT_MAX = 1024;

    private final LeaseSettings settings;
    private final long epoch;

    /** Stands for all clients of the NameNode that was active before. */
    private final LeaseSession previous;

    private final Map<Long, LeaseSession> byId = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Long, LeaseSession> byIncarnation = new HashMap<>();
    private long incarnations;
    private final UserShares shares;

    private LayoutHolders young = new LayoutHolders();
    private LayoutHolders old = new LayoutHolders();
    private long agedAtNanos;

    /** Changes that have begun and not ended, by each of their paths. */
    private final Map<String, Integer> changing = new HashMap<>();

    /** The paths of the last begins and ends of changes, each at its number modulo the length. */
    private final String[] recent = new String[RECENT_MAX];

    private long recentCount;

    /** When to look at clients that changes wait for: each awaited client once, not later than its lease runs out. */
    private final PriorityQueue<Expiry> expiries = new PriorityQueue<>((a, b) -> Long.signum(a.atNanos - b.atNanos));

    /**
     * Begins with no grants.
     *
     * @param epoch a number that no other activation has; not 0
     * @param activeAtNanos when the NameNode became active
     */
    public NameNodeLeases(LeaseSettings settings, long epoch, long activeAtNanos) {
        if (epoch == 0) {
            throw new IllegalArgumentException("epoch must not be 0");
        }
        this.settings = settings;
        this.shares = new UserShares(settings.userShare());
        this.epoch = epoch;
        this.agedAtNanos = activeAtNanos;
        this.previous = new LeaseSession(NO_SESSION, "", 0, activeAtNanos + waitNanos());
    }

    private long waitNanos() {
        return settings.leaseNanos() + settings.marginNanos();
    }

    private static final class Expiry {
        final long atNanos;
        final LeaseSession session;

        Expiry(LeaseSession session) {
            this.atNanos = session.expiresAtNanos();
            this.session = session;
        }
    }

    /** One request of a client with leases, while the NameNode answers it. */
    public final class Exchange {
        private final LeaseSession session;
        private final long requestNumber;
        private final long grantedAt;
        private final ImmutableList<LayoutChange> ready;

        private Exchange(LeaseSession session, long requestNumber, List<LayoutChange> ready) {
            this.session = session;
            this.requestNumber = requestNumber;
            this.grantedAt = session.lastRecall();
            this.ready = ImmutableList.copyOf(ready);
        }

        /** Changes that have become ready because this request acknowledged recalls. */
        public ImmutableList<LayoutChange> ready() {
            return ready;
        }

        /**
         * Grants a file's layout, which HDFS must read after this.
         *
         * @param path absolute, without a slash at its end
         * @return whether the client may keep the layout; false while the file changes, and when memory or a limit is used up
         */
        public boolean grant(String path) {
            return NameNodeLeases.this.grant(session, requestNumber, path);
        }

        /**
         * Grants a file's layout that HDFS has read.
         *
         * @param readAt {@link #position()} before HDFS read it
         * @return as for {@link #grant}; false also where the file has changed since, or too much has changed to tell
         */
        public boolean grantRead(String path, long readAt) {
            return !hasChangedSince(readAt, path) && grant(path);
        }

        /** What the reply says. Renews the lease if no recall is outstanding, and the client was not forgotten meanwhile. */
        public LeaseReply reply(long nowNanos) {
            boolean known = byIncarnation.containsKey(session.incarnation());
            boolean renewed = known && session.renew(nowNanos + waitNanos());
            return new LeaseReply(
                    epoch,
                    session.incarnation(),
                    grantedAt,
                    session.recallsAfter(),
                    session.recalls(),
                    renewed,
                    settings.leaseNanos());
        }

        /** Whether the reply will carry recalls, so that it should not be held back. */
        public boolean hasRecalls() {
            return session.hasRecalls();
        }
    }

    /**
     * A request of a client has come.
     *
     * @param sessionId the client's name for itself, which nobody else knows; not {@link #NO_SESSION}
     * @param user whose client it is; counts when it comes for the first time
     * @param processed what the client has processed
     * @param requestNumber ascending in the order in which the client sent its requests
     * @return the exchange, or null when there are too many clients; such a client has no lease
     */
    public @Nullable Exchange exchange(
            long sessionId, String user, LeaseMark processed, long requestNumber, long nowNanos) {
        ageGrants(nowNanos);
        LeaseSession session = byId.get(sessionId);
        if (session == null) {
            session = admit(sessionId, user, nowNanos);
            if (session == null) {
                return null;
            }
        }
        List<LayoutChange> ready = new ArrayList<>();
        if (processed.isOf(epoch, session.incarnation())) {
            session.acknowledge(processed.recall(), ready);
        }
        return new Exchange(session, requestNumber, ready);
    }

    private @Nullable LeaseSession admit(long sessionId, String user, long nowNanos) {
        if (sessionId == NO_SESSION) {
            return null;
        }
        if (!hasRoomForSession(user)) {
            forgetOldest(nowNanos);
        }
        if (!hasRoomForSession(user)) {
            return null;
        }
        LeaseSession session = new LeaseSession(sessionId, user, ++incarnations, nowNanos);
        byId.put(sessionId, session);
        byIncarnation.put(session.incarnation(), session);
        shares.sessionAdded(user);
        return session;
    }

    private boolean hasRoomForSession(String user) {
        return byId.size() < settings.sessionsMax()
                && bytes() + SESSION_BYTES <= settings.capacityBytes()
                && shares.mayHaveSession(user, byId.size(), settings.sessionsMax());
    }

    /** Forgets the client that was silent for longest, if its lease has run out; when it comes back it is a new one. */
    private void forgetOldest(long nowNanos) {
        Iterator<LeaseSession> oldestFirst = byId.values().iterator();
        if (!oldestFirst.hasNext()) {
            return;
        }
        LeaseSession oldest = oldestFirst.next();
        if (oldest.isExpired(nowNanos) && !oldest.isAwaited()) {
            oldestFirst.remove();
            removed(oldest);
        }
    }

    /**
     * A client has forgotten all layouts and keeps none of the replies that are still under way. Should it come back it is a new one.
     *
     * @return the changes that have become ready
     */
    public ImmutableList<LayoutChange> release(long sessionId) {
        LeaseSession session = byId.remove(sessionId);
        if (session == null) {
            return ImmutableList.of();
        }
        removed(session);
        List<LayoutChange> ready = new ArrayList<>();
        session.expire(ready);
        return ImmutableList.copyOf(ready);
    }

    private void removed(LeaseSession session) {
        byIncarnation.remove(session.incarnation());
        shares.sessionRemoved(session.user());
    }

    private void ageGrants(long nowNanos) {
        // A client counts a layout's age by its own clock from its request on; the margin covers the difference as it
        // does for leases.
        if (nowNanos - agedAtNanos > settings.ageMaxNanos() + settings.marginNanos()) {
            agedAtNanos = nowNanos;
            old = young;
            young = new LayoutHolders();
            byId.values().forEach(LeaseSession::age);
            shares.age();
        }
    }

    private boolean grant(LeaseSession session, long requestNumber, String path) {
        if (session.isFull(settings.sessionFilesMax()) || isChanging(path)) {
            return false;
        }
        long before = bytes();
        if (!shares.mayHaveLayout(session.user(), before, settings.capacityBytes())
                || !young.add(path, session.incarnation(), settings.capacityBytes() - before, settings.holdersMax())) {
            return false;
        }
        session.granted(requestNumber);
        shares.granted(session.user(), bytes() - before);
        return true;
    }

    /** How many begins and ends of changes there have been. */
    public long position() {
        return recentCount;
    }

    private void note(String path) {
        recent[(int) (recentCount % RECENT_MAX)] = path;
        recentCount++;
    }

    private boolean hasChangedSince(long position, String path) {
        if (recentCount - position > RECENT_MAX) {
            return true;
        }
        for (long i = position; i < recentCount; i++) {
            if (Subtree.covers(recent[(int) (i % RECENT_MAX)], path)) {
                return true;
            }
        }
        return false;
    }

    private boolean isChanging(String path) {
        if (changing.isEmpty()) {
            return false;
        }
        String at = path;
        while (!changing.containsKey(at)) {
            if (at.equals(Subtree.ROOT)) {
                return false;
            }
            at = Subtree.parent(at);
        }
        return true;
    }

    /** A change that has begun, and whom to notify of recalls. */
    public static final class Begun {
        private final LayoutChange change;
        private final ImmutableList<LeaseSession> toNotify;

        private Begun(LayoutChange change, Collection<LeaseSession> toNotify) {
            this.change = change;
            this.toNotify = ImmutableList.copyOf(toNotify);
        }

        public LayoutChange change() {
            return change;
        }

        /** The clients that should hear of recalls now. */
        public ImmutableList<LeaseSession> toNotify() {
            return toNotify;
        }
    }

    /**
     * A change of the namespace begins; it must {@link #end} whatever becomes of it. No covered path is granted meanwhile.
     *
     * @param paths what changes, each with all below it, absolute, without a slash at its end
     * @param caller the session of the client that asked for the change, or {@link #NO_SESSION}. The caller has forgotten what it held of
     *     these paths, and takes no layout from the answer to a request before this one
     * @param requestNumber the number of the caller's request
     * @param isOld whether any of what changes may have been there before this NameNode became active
     */
    public Begun begin(List<String> paths, long caller, long requestNumber, boolean isOld, long nowNanos) {
        LayoutChange change = new LayoutChange(paths);
        Set<LeaseSession> notify = new LinkedHashSet<>();
        for (String path : change.paths()) {
            changing.merge(path, 1, Integer::sum);
            note(path);
            for (LeaseSession holder : holders(path)) {
                if (holder.id() != caller || holder.lastGranting() >= requestNumber) {
                    holder.recall(holder.isExpired(nowNanos) ? Subtree.ROOT : path, settings.recallsMax());
                    notify.add(holder);
                }
            }
        }
        for (LeaseSession holder : notify) {
            if (!holder.isExpired(nowNanos)) {
                await(holder, change);
            }
        }
        if (isOld && isInGrace(nowNanos)) {
            await(previous, change);
        }
        return new Begun(change, notify);
    }

    /**
     * Whether a change would have to recall a layout, so that its caller's rights are worth a look first.
     *
     * @param caller as for {@link #begin}
     */
    public boolean isHeld(List<String> paths, long caller) {
        for (String path : paths) {
            for (LeaseSession holder : holders(path)) {
                if (holder.id() != caller) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether clients may still hold layouts of the NameNode that was active before. */
    public boolean isInGrace(long nowNanos) {
        return !previous.isExpired(nowNanos);
    }

    private void await(LeaseSession session, LayoutChange change) {
        session.await(change);
        if (session.enqueue()) {
            expiries.add(new Expiry(session));
        }
    }

    private Set<LeaseSession> holders(String path) {
        Set<LeaseSession> holders = new LinkedHashSet<>();
        boolean all = collectHolders(young, path, holders) && collectHolders(old, path, holders);
        if (!all) {
            holders.addAll(byId.values());
        }
        return holders;
    }

    private boolean collectHolders(LayoutHolders grants, String path, Set<LeaseSession> holders) {
        return grants.holders(path, settings.scanMax(), incarnation -> {
            LeaseSession session = byIncarnation.get(incarnation);
            if (session != null) {
                holders.add(session);
            }
        });
    }

    /** The change has been carried out, or has failed, or will not be carried out. */
    public void end(LayoutChange change) {
        for (String path : change.paths()) {
            if (change.isReady()) {
                // All holders have acknowledged or have no lease, and none was added since the change began.
                young.remove(path);
                old.remove(path);
            }
            note(path);
            changing.computeIfPresent(path, (p, count) -> count == 1 ? null : count - 1);
        }
    }

    /** The changes that are ready because leases have run out; to be called soon after {@link #expiresNextNanos}. */
    public ImmutableList<LayoutChange> expire(long nowNanos) {
        List<LayoutChange> ready = new ArrayList<>();
        for (Expiry next = expiries.peek(); next != null && next.atNanos - nowNanos <= 0; next = expiries.peek()) {
            expiries.remove();
            LeaseSession session = next.session;
            session.dequeue();
            if (session.isExpired(nowNanos)) {
                session.expire(ready);
            } else if (session.isAwaited() && session.enqueue()) {
                expiries.add(new Expiry(session));
            }
        }
        return ImmutableList.copyOf(ready);
    }

    /** When {@link #expire} should be called next, or {@link Long#MAX_VALUE} if no change waits for a lease. */
    public long expiresNextNanos() {
        Expiry next = expiries.peek();
        return next == null ? Long.MAX_VALUE : next.atNanos;
    }

    /** How many clients have a record. */
    public int sessions() {
        return byId.size();
    }

    /** How many paths are being changed. */
    public int changes() {
        return changing.size();
    }

    /** How much memory grants and sessions take, an estimate. */
    public long bytes() {
        return young.bytes() + old.bytes() + (long) SESSION_BYTES * byId.size();
    }
}

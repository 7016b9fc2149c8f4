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
 * The NameNode's side of layout leases: the clients that hold each layout, and the moment from which a change may be
 * carried out.
 *
 * <pre>
 *   request  ── exchange() ── grant(path) ── HDFS reads the layout ── reply()
 *   change   ── begin() ── ready? ─ yes ─ HDFS carries it out ── end()
 *                            └──── no ── notify the clients in toNotify() ── exchange() or expire() makes it ready ──┘
 * </pre>
 *
 * <p>Four rules make leases safe. The caller keeps the first two:
 *
 * <ol>
 *   <li>A layout is granted before HDFS reads it, and each change begins before HDFS carries it out. Consider a layout
 *       that is older than a change. Either the layout was granted before the change began, and its holder is recalled.
 *       Or the change was under way, and the layout is not granted. If HDFS reads a layout before its path is known,
 *       the layout is granted afterwards. The condition is that no change of the path has begun or ended since the
 *       read.
 *   <li>A change that is not ready is not carried out.
 *   <li>A client's lease is renewed only when no recall is outstanding. A change therefore waits at most for one
 *       lease and margin.
 *   <li>For one lease and margin after a NameNode became active, changes of older files wait, because clients may
 *       hold layouts of the previously active NameNode.
 * </ol>
 *
 * <p>An operation on a path takes a constant number of look-ups in hash tables and one in a tree of directories.
 * {@link LeaseSettings#scanMax()} bounds the files that a change of a directory visits. Memory is bounded by
 * {@link LeaseSettings#capacityBytes()}; when it is used up, nothing more is granted until old grants are forgotten.
 * Not thread-safe: the caller holds one lock over each call. Times are nanoseconds of a clock that never goes back.
 *
 * <p>The rules follow the leases of Gray and Cheriton (SOSP 1989); see this package.
 */
public final class NameNodeLeases {

    /** The estimate for a 64-bit JVM: the session, its queues, and its entries in two maps. */
    private static final int SESSION_BYTES = 400;

    /** The identity of a caller without leases; no client has this name. */
    public static final long NO_SESSION = 0;

    private final LeaseSettings settings;
    private final long epoch;

    /** Represents all clients of the previously active NameNode. */
    private final LeaseSession previous;

    private final Map<Long, LeaseSession> byId = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Long, LeaseSession> byIncarnation = new HashMap<>();
    private long incarnations;
    private final UserShares shares;

    private LayoutHolders young = new LayoutHolders();
    private LayoutHolders old = new LayoutHolders();
    private long agedAtNanos;

    private final ChangingPaths changing = new ChangingPaths();

    /**
     * The times for checking the clients for which changes wait. Each such client is queued once, not later than its
     * lease expires.
     */
    private final PriorityQueue<Expiry> expiries = new PriorityQueue<>((a, b) -> Long.signum(a.atNanos - b.atNanos));

    /**
     * Makes leases without grants.
     *
     * @param epoch a number that no other activation has; not 0
     * @param activeAtNanos the time when the NameNode became active
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

        /** The changes that became ready because this request acknowledged recalls. */
        public ImmutableList<LayoutChange> ready() {
            return ready;
        }

        /**
         * Grants a file's layout, which HDFS must read after this call.
         *
         * @param path absolute, without a slash at its end
         * @return whether the client may keep the layout; false while the file changes, and when memory or another
         *     limit is used up
         */
        public boolean grant(String path) {
            return NameNodeLeases.this.grant(session, requestNumber, path);
        }

        /**
         * Grants a file's layout that HDFS has already read.
         *
         * @param readAt the {@link #position()} before HDFS read the layout
         * @return as for {@link #grant}; also false if the file may have changed since
         */
        public boolean grantRead(String path, long readAt) {
            return !changing.hasChangedSince(readAt, path) && grant(path);
        }

        /** Makes the reply. Renews the lease if no recall is outstanding and the client's record still exists. */
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
                    settings.leaseNanos(),
                    settings.ageMaxNanos());
        }

        /** Whether the reply will carry recalls and should not be delayed. */
        public boolean hasRecalls() {
            return session.hasRecalls();
        }
    }

    /**
     * Starts a client's request.
     *
     * @param sessionId the client's name for itself, which no other client knows; not {@link #NO_SESSION}
     * @param user the client's user; counts only for the client's first request
     * @param processed the recalls that the client has processed
     * @param requestNumber ascending in the order in which the client sent its requests
     * @return the exchange; null if there are too many clients, and the client has no lease
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

    /**
     * Removes the client that was silent for longest, if its lease has expired. If the client returns, it gets a new
     * record.
     */
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
     * A client has forgotten all layouts, and keeps no layout of replies under way. If the client returns, it gets a
     * new record.
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
        // A client counts a layout's age by its own clock from its request on. The margin covers the difference between
        // the clocks, as for leases.
        if (nowNanos - agedAtNanos > settings.ageMaxNanos() + settings.marginNanos()) {
            agedAtNanos = nowNanos;
            old = young;
            young = new LayoutHolders();
            byId.values().forEach(LeaseSession::age);
            shares.age();
        }
    }

    private boolean grant(LeaseSession session, long requestNumber, String path) {
        if (session.isFull(settings.sessionFilesMax()) || changing.isChanging(path)) {
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

    /** The number of begins and ends of changes so far. */
    public long position() {
        return changing.position();
    }

    /** A change that has begun, and the clients to notify of recalls. */
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

        /** The clients that must be notified of recalls now. */
        public ImmutableList<LeaseSession> toNotify() {
            return toNotify;
        }
    }

    /**
     * Begins a change of the namespace; the caller must {@link #end} the change whatever its outcome. Until then no
     * covered path is granted.
     *
     * @param paths the changed paths, absolute, without a slash at their end; each stands for itself and all paths
     *     below it
     * @param caller the session of the client that asked for the change, or {@link #NO_SESSION}. This client has
     *     forgotten its layouts of these paths, and takes no such layout from the reply to an earlier request
     * @param requestNumber the number of the caller's request
     * @param isOld whether any of the changed paths may have existed before this NameNode became active
     */
    public Begun begin(List<String> paths, long caller, long requestNumber, boolean isOld, long nowNanos) {
        LayoutChange change = new LayoutChange(paths);
        Set<LeaseSession> notify = new LinkedHashSet<>();
        for (String path : change.paths()) {
            changing.begin(path);
            for (LeaseSession holder : holders(path)) {
                if (mustRecall(holder, caller, requestNumber)) {
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
     * Begins a change if it has nothing to recall and no reason to wait; so do nearly all changes. The parameters are
     * those of {@link #begin}.
     *
     * @return the change, which is ready; null if {@link #begin} is needed, of which the changed files' age and the
     *     caller's permissions have to be known
     */
    public @Nullable LayoutChange beginUnheld(List<String> paths, long caller, long requestNumber, long nowNanos) {
        if (isInGrace(nowNanos)) {
            return null;
        }
        for (String path : paths) {
            for (LeaseSession holder : holders(path)) {
                if (mustRecall(holder, caller, requestNumber)) {
                    return null;
                }
            }
        }
        LayoutChange change = new LayoutChange(paths);
        change.paths().forEach(changing::begin);
        return change;
    }

    /** A caller has forgotten the changed files' layouts that came with replies to its earlier requests. */
    private static boolean mustRecall(LeaseSession holder, long caller, long requestNumber) {
        return holder.id() != caller || holder.lastGranting() >= requestNumber;
    }

    /** Whether clients may still hold layouts of the previously active NameNode. */
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
        return grants.reportHolders(path, settings.scanMax(), incarnation -> {
            LeaseSession session = byIncarnation.get(incarnation);
            if (session != null) {
                holders.add(session);
            }
        });
    }

    /** Ends a change that was carried out, has failed, or was abandoned. */
    public void end(LayoutChange change) {
        for (String path : change.paths()) {
            if (change.isReady()) {
                // All holders have acknowledged or have no lease, and none was added since the change began.
                young.remove(path);
                old.remove(path);
            }
            changing.end(path);
        }
    }

    /** The changes that become ready because leases have expired. Call this soon after {@link #expiresNextNanos}. */
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

    /** The time for the next call of {@link #expire}; {@link Long#MAX_VALUE} if no change waits for a lease. */
    public long expiresNextNanos() {
        Expiry next = expiries.peek();
        return next == null ? Long.MAX_VALUE : next.atNanos;
    }

    /** The number of clients with a record. */
    public int sessions() {
        return byId.size();
    }

    /** The number of paths with changes under way. */
    public int changes() {
        return changing.count();
    }

    /** The estimated memory of grants and sessions. */
    public long bytes() {
        return young.bytes() + old.bytes() + (long) SESSION_BYTES * byId.size();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.lease;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.lease.LayoutChange;
import io.github.foresight.core.lease.LeaseMark;
import io.github.foresight.core.lease.LeaseSession;
import io.github.foresight.core.lease.LeaseSettings;
import io.github.foresight.core.lease.NameNodeLeases;
import io.github.foresight.core.lease.NameNodeLeases.Begun;
import io.github.foresight.core.lease.NameNodeLeases.Exchange;
import io.github.foresight.namenode.lease.BegunChange.Course;
import io.github.foresight.namenode.lease.WaitingChanges.Actions;
import io.github.foresight.protocol.proto.NoteProtos.LeaseMarkProto;
import java.io.Closeable;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases that an active NameNode grants: those of its {@linkplain ActivationLeases activation}, the {@linkplain WaitingChanges changes}
 * and the {@linkplain ParkedCalls calls} that wait, all three under one lock.
 *
 * <p>A thread looks every {@value #TICK_MILLIS} ms for leases that have run out, for calls that have waited long enough, and for a change of
 * the HA state. Worker threads carry out the deferred changes and send the answers of parked calls. So no handler waits, and no
 * handler sends the answer of another client.
 *
 * <p>If something of ours fails, all leases are given up and an activation of its own begins, in which changes wait until the leases
 * before it have run out. Thread-safe. The lock is held over {@link NameNodeLeases} only, and no lock of HDFS's is taken under it.
 */
public final class LayoutLeases implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LayoutLeases.class);

    /** The longest delay between the end of a lease and a change that waits for it. Chosen, not measured. */
    private static final long TICK_MILLIS = 200;

    /** Longer than calls are parked, so that a thread that answers them is not made anew each time. */
    private static final long THREAD_IDLE_SECONDS = 60;

    private static final long CLOSE_SECONDS = 5;

    /** The NameNode's HA state. */
    public interface HaState {
        boolean isActive();

        /** Tells two activations apart. */
        long lastTransition();

        /** The highest id of an inode so far. */
        long lastInodeId();
    }

    private final LeaseSettings settings;
    private final LeaseLimits limits;
    private final BooleanSupplier switchedOn;
    private final LongSupplier clock;
    private final Supplier<String> users;
    private final LeaseListener events;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ActivationLeases activation;

    @GuardedBy("lock")
    private final WaitingChanges waiting;

    @GuardedBy("lock")
    private final ParkedCalls parked;

    private final ScheduledThreadPoolExecutor ticker = new ScheduledThreadPoolExecutor(
            1,
            new ThreadFactoryBuilder()
                    .setDaemon(true)
                    .setNameFormat("foresight-leases")
                    .build());
    private final ThreadPoolExecutor workers;

    /**
     * Begins without leases.
     *
     * @param switchedOn whether leases are granted; after a switch-off, changes still wait for the leases that were granted before
     * @param clock a steady one, nanoseconds
     * @param users names the user of the RPC in hand, in few characters
     */
    public LayoutLeases(
            LeaseSettings settings,
            LeaseLimits limits,
            HaState haState,
            BooleanSupplier switchedOn,
            LongSupplier clock,
            Supplier<String> users,
            LeaseListener events) {
        this.settings = settings;
        this.limits = limits;
        this.switchedOn = switchedOn;
        this.clock = clock;
        this.users = users;
        this.events = events;
        // Unbounded, but each task belongs to a change or a call that waits, and these are bounded.
        this.workers = new ThreadPoolExecutor(
                limits.threads(),
                limits.threads(),
                THREAD_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new ThreadFactoryBuilder()
                        .setDaemon(true)
                        .setNameFormat("foresight-recalls-%d")
                        .build());
        workers.allowCoreThreadTimeOut(true);
        this.activation = new ActivationLeases(settings, haState, switchedOn);
        this.waiting = new WaitingChanges(limits.changesMax(), workers, events);
        this.parked = new ParkedCalls(limits.parkedMax(), workers);
    }

    public void start() {
        ScheduledFuture<?> unused =
                ticker.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** The leases of this activation; null where the NameNode grants none and none may be left. */
    @GuardedBy("lock")
    private @Nullable NameNodeLeases current(long nowNanos) {
        if (!activation.isCurrent()) {
            giveUp();
            activation.begin(nowNanos);
        }
        return activation.leases();
    }

    /** Ends the leases of this activation. Waiting changes start again, and parked calls are answered. */
    @GuardedBy("lock")
    private void giveUp() {
        if (activation.end()) {
            waiting.beginAnew();
            parked.answerAll();
        }
    }

    /** Foresight itself has failed and no longer knows which layouts are granted. A new activation begins, as after a failover. */
    void failed(Exception e) {
        events.failed(e);
        LOG.warn(
                "Foresight's leases have failed and start again; changes wait until the earlier leases have expired",
                e);
        synchronized (lock) {
            giveUp();
        }
    }

    /**
     * A request with a client's mark has come; to be called before HDFS reads anything for the reply.
     *
     * @return the request, or null where the client has no lease
     */
    public @Nullable LeasedRequest request(LeaseMarkProto mark) {
        if (!switchedOn.getAsBoolean()) {
            return null;
        }
        try {
            synchronized (lock) {
                long now = clock.getAsLong();
                NameNodeLeases at = current(now);
                Exchange exchange = at == null ? null : exchange(at, mark, now);
                return at == null || exchange == null ? null : new LeasedRequest(this, at, exchange, at.position());
            }
        } catch (RuntimeException e) {
            failed(e);
            return null;
        }
    }

    @GuardedBy("lock")
    private @Nullable Exchange exchange(NameNodeLeases at, LeaseMarkProto mark, long nowNanos) {
        Exchange exchange = at.exchange(
                mark.getSession(),
                users.get(),
                new LeaseMark(mark.getEpoch(), mark.getIncarnation(), mark.getRecall()),
                mark.getRequest(),
                nowNanos);
        if (exchange == null) {
            events.sessionRefused();
        } else {
            waiting.ready(at, exchange.ready(), nowNanos);
        }
        return exchange;
    }

    /** Calls back under the lock, if the leases are still those of this activation. */
    <T> T under(NameNodeLeases at, T otherwise, Supplier<T> action) {
        synchronized (lock) {
            if (at != activation.leases()) {
                return otherwise;
            }
            T result = action.get();
            activation.granted(clock.getAsLong());
            return result;
        }
    }

    long nowNanos() {
        return clock.getAsLong();
    }

    void counted(boolean granted) {
        if (granted) {
            events.granted();
        } else {
            events.grantRefused();
        }
    }

    /** A client has forgotten all layouts. */
    void release(long session) {
        synchronized (lock) {
            NameNodeLeases at = activation.leases();
            if (at != null) {
                waiting.ready(at, at.release(session), clock.getAsLong());
                parked.answer(session);
            }
        }
    }

    /**
     * Keeps a call until there is a recall, or for so long.
     *
     * @param answer makes what sends the reply, if the call is kept
     * @return whether it is kept; if not, the caller answers it
     */
    boolean park(long session, LeasedRequest request, long millis, Supplier<Runnable> answer) {
        synchronized (lock) {
            if (!request.isOf(activation.leases()) || request.exchange().hasRecalls()) {
                return false;
            }
            parked.answer(session);
            if (parked.isFull()) {
                events.parkRefused();
                request.refusePark();
                return false;
            }
            long most = TimeUnit.NANOSECONDS.toMillis(settings.leaseNanos());
            long untilNanos = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(Math.min(most, millis));
            parked.park(session, untilNanos, answer.get());
            return true;
        }
    }

    /**
     * Begins a change before its files are examined. This suffices for a change that has nothing to recall; so do nearly all.
     *
     * @param paths absolute, without a slash at their end
     * @param mark the caller's, or null
     */
    BegunChange beginUnlooked(List<String> paths, @Nullable LeaseMarkProto mark) {
        synchronized (lock) {
            long now = clock.getAsLong();
            NameNodeLeases at = current(now);
            if (at == null) {
                return BegunChange.UNLEASED;
            }
            if (mark != null) {
                exchange(at, mark, now);
            }
            LayoutChange change = at.beginUnheld(paths, sessionOf(mark), numberOf(mark), now);
            return change == null ? BegunChange.LOOK : new BegunChange(Course.NOW, at, change);
        }
    }

    /**
     * Begins a change.
     *
     * @param isOld whether a changed file may have existed before this NameNode became active
     * @param deferral makes what to do later, if the change has to wait
     */
    BegunChange begin(List<String> paths, @Nullable LeaseMarkProto mark, boolean isOld, Supplier<Actions> deferral)
            throws TooManyChangesException {
        synchronized (lock) {
            long now = clock.getAsLong();
            NameNodeLeases at = current(now);
            if (at == null) {
                return BegunChange.UNLEASED;
            }
            Begun begun = at.begin(paths, sessionOf(mark), numberOf(mark), isOld, now);
            notify(begun);
            if (begun.change().isReady()) {
                return new BegunChange(Course.NOW, at, begun.change());
            }
            if (waiting.isFull()) {
                at.end(begun.change());
                events.changeRefused();
                throw new TooManyChangesException(limits.changesMax());
            }
            waiting.await(begun.change(), deferral.get(), now);
            return new BegunChange(Course.LATER, at, begun.change());
        }
    }

    @GuardedBy("lock")
    private void notify(Begun begun) {
        if (begun.toNotify().isEmpty()) {
            return;
        }
        events.recalled(begun.toNotify().size());
        for (LeaseSession holder : begun.toNotify()) {
            parked.answer(holder.id());
        }
    }

    private static long sessionOf(@Nullable LeaseMarkProto mark) {
        return mark == null ? NameNodeLeases.NO_SESSION : mark.getSession();
    }

    private static long numberOf(@Nullable LeaseMarkProto mark) {
        return mark == null ? 0 : mark.getRequest();
    }

    /**
     * HDFS has carried out a change, or refused to.
     *
     * @return whether leases are still those under which the change began
     */
    boolean end(BegunChange begin) {
        synchronized (lock) {
            return begin.end(activation.leases());
        }
    }

    /**
     * A change was carried out without a recall before it.
     *
     * @param answerLater makes what lets its caller have the answer, if holders have to acknowledge first
     */
    void changedAlready(List<String> paths, Supplier<Runnable> answerLater) {
        synchronized (lock) {
            long now = clock.getAsLong();
            NameNodeLeases at = current(now);
            if (at == null) {
                return;
            }
            Begun begun = at.begin(paths, NameNodeLeases.NO_SESSION, 0, true, now);
            notify(begun);
            if (begun.change().isReady()) {
                at.end(begun.change());
                return;
            }
            Runnable answer = answerLater.get();
            Consumer<BegunChange> endAndAnswer = begin -> {
                end(begin);
                answer.run();
            };
            waiting.await(begun.change(), new Actions(endAndAnswer, () -> changedAlready(paths, answer)), now);
        }
    }

    /** Such a change that has waited when the activation ended: it waits for the next one's grace, if there is one here. */
    private void changedAlready(List<String> paths, Runnable answer) {
        AtomicBoolean waitsOn = new AtomicBoolean();
        changedAlready(paths, () -> {
            waitsOn.set(true);
            return answer;
        });
        if (!waitsOn.get()) {
            answer.run();
        }
    }

    /**
     * While clients may hold layouts of the activation before: the last inode of the files that these may be of. Whatever was made later is
     * known only to this activation.
     */
    OptionalLong lastOldInode() {
        synchronized (lock) {
            return activation.lastOldInode(clock.getAsLong());
        }
    }

    /** No recall takes longer. */
    long longestWaitNanos() {
        return settings.leaseNanos() + settings.marginNanos() + TimeUnit.MILLISECONDS.toNanos(5 * TICK_MILLIS);
    }

    /** Ends expired leases and answers overdue calls, once. */
    void tick() {
        try {
            synchronized (lock) {
                long now = clock.getAsLong();
                NameNodeLeases at = current(now);
                if (at == null) {
                    return;
                }
                waiting.ready(at, at.expire(now), now);
                parked.answerOverdue(now);
                if (activation.isRunOut(now)) {
                    giveUp();
                }
            }
        } catch (RuntimeException e) {
            failed(e);
        } catch (Error e) {
            events.failed(e);
            LOG.error("Foresight could not look for leases that have run out; it looks again", e);
        }
    }

    /** How many clients have a record. */
    public int sessions() {
        synchronized (lock) {
            NameNodeLeases at = activation.leases();
            return at == null ? 0 : at.sessions();
        }
    }

    /** How much heap the leases take, an estimate. */
    public long bytes() {
        synchronized (lock) {
            NameNodeLeases at = activation.leases();
            return at == null ? 0 : at.bytes();
        }
    }

    /** How many calls wait for a recall. */
    public int parkedCalls() {
        synchronized (lock) {
            return parked.size();
        }
    }

    /** How many changes wait for clients. */
    public int waitingChanges() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    @Override
    public void close() {
        ticker.shutdownNow();
        workers.shutdown();
        try {
            if (!workers.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Changes that Foresight carries out have not ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

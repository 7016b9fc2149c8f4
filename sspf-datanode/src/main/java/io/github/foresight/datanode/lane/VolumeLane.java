/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.lane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.guard.OwnThreads;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One volume's prefetch: a single thread that reads chunk by chunk, so that the disk sees one large sequential stream.
 *
 * <pre>
 *   made ── start() ──▶ choosing ── an errand waits ───────────▶ runs all errands ────────────▶ choosing
 *                          │ ├───── a task can go on ──────────▶ reads a chunk, then may rest ─▶ choosing
 *                          │ ├───── neither, but idle work ────▶ does it, then may rest ──────▶ choosing
 *                          │ └───── nothing ───────────────────▶ waits ──────────────────────▶ choosing
 *                          └─ retire(), and no errand waits ───▶ ended: errands run on their callers' threads
 *
 *   task:  waiting ── first chunk ──▶ begun ── last chunk ──▶ loaded
 *             │                        ├─ the disk fails, or a defect ──▶ failed
 *             └─ close(): forgotten    └─ close(): an errand releases its memory
 * </pre>
 *
 * <p>After each chunk the most urgent task goes on: first a task whose block is being read, then the oldest. While others use the volume's
 * disk, the lane rests after each chunk of a task for which no reader waits. The rest is as long as the chunk took, and at most {@value
 * #MAX_REST_MILLIS} ms. So the others have at least half of the disk. The others are readers that no prefetch serves from memory, whoever
 * they are, and writers ({@link #demandSeen}), and copies of replicas onto the volume ({@link Listener#isCopiedTo}).
 *
 * <p>The lane's lock is held for queue operations only, never over I/O. Thread-safe.
 */
public final class VolumeLane {

    private static final Logger LOG = LoggerFactory.getLogger(VolumeLane.class);
    private static final long DEMAND_WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MAX_REST_MILLIS = 200;
    private static final long AT_WORK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long JOIN_MILLIS = 5_000;
    private static final int IDLE_WORK_MAX = 256;

    /** The lane's reports about its tasks; called on the lane's thread without its lock. */
    public interface Listener {
        void loaded(LoadTask task);

        void failed(LoadTask task, IOException cause);

        /** Whether a replica is being copied onto the volume just now. */
        default boolean isCopiedTo(FsVolumeSpi volume) {
            return false;
        }
    }

    private final FsVolumeSpi volume;
    private final long chunkBytes;
    private final int queueMax;
    private final ReadAheadMetrics metrics;
    private final Listener listener;
    private final Guard guard;
    private final OwnThreads threads;
    private final AtomicLong lastDemandNanos = new AtomicLong(System.nanoTime() - 2 * DEMAND_WINDOW_NANOS);

    private volatile boolean working;
    private volatile long workedNanos = System.nanoTime() - 2 * AT_WORK_NANOS;

    @GuardedBy("this")
    private final Set<LoadTask> waiting = new LinkedHashSet<>();

    @GuardedBy("this")
    private final List<Errand> errands = new ArrayList<>();

    @GuardedBy("this")
    private final Deque<Errand> idleWork = new ArrayDeque<>();

    @GuardedBy("this")
    private @Nullable Thread thread;

    /** No task and no idle work is begun any more; errands still run. */
    @GuardedBy("this")
    private boolean retired;

    /** The thread has taken its last errand. */
    @GuardedBy("this")
    private boolean ended;

    /** Something short to be done on the lane's thread, before the next chunk of a task. */
    @FunctionalInterface
    public interface Errand {
        void run() throws IOException;
    }

    /**
     * Makes a lane that has not been started.
     *
     * @param queueMax how many tasks, and how many reads for windows, may wait
     */
    public VolumeLane(
            FsVolumeSpi volume,
            long chunkBytes,
            int queueMax,
            ReadAheadMetrics metrics,
            Guard guard,
            Listener listener) {
        this.volume = volume;
        this.chunkBytes = chunkBytes;
        this.queueMax = queueMax;
        this.metrics = metrics;
        this.guard = guard;
        this.listener = listener;
        this.threads = new OwnThreads("foresight-lane-" + volume.getStorageID(), metrics);
    }

    /** Starts the lane's thread. */
    public synchronized void start() {
        Thread begun = threads.newThread(this::run);
        begun.start();
        thread = begun;
    }

    /** Starts another thread if the lane's last one has died: only the lane's thread releases the lane's memory. */
    public synchronized void reviveIfDead() {
        if (thread != null && !thread.isAlive() && !ended) {
            LOG.warn("The prefetch thread of {} has ended with an error and is replaced", volume);
            start();
        }
    }

    public FsVolumeSpi volume() {
        return volume;
    }

    public synchronized int depth() {
        return waiting.size();
    }

    /** Has a block read; false where too many wait. */
    public synchronized boolean add(LoadTask task) {
        if (waiting.size() >= queueMax) {
            return false;
        }
        waiting.add(task);
        notifyAll();
        return true;
    }

    /** What waits to be done between the chunks of tasks. */
    synchronized int errandCount() {
        return errands.size();
    }

    /** Something about a task has changed: its limit or its urgency. */
    public synchronized void reconsider() {
        notifyAll();
    }

    /**
     * Ends a task and gives its memory back; asynchronous, in order with the lane's tasks, as long as the lane runs. A task that the
     * lane has not begun holds nothing, so nothing is queued for such a task: behind a disk that hangs the queue does not grow.
     *
     * @param giveBack unlocks the task's pages, and may drop them
     */
    public void close(LoadTask task, Errand giveBack) {
        synchronized (this) {
            task.cancel();
            waiting.remove(task);
            if (!task.isBegun()) {
                return;
            }
        }
        release(giveBack);
    }

    /** Gives memory back; asynchronous as {@link #close} is, and done in any case. */
    public void release(Errand errand) {
        synchronized (this) {
            if (!ended) {
                errands.add(errand);
                notifyAll();
                return;
            }
        }
        run(errand);
    }

    /** Reads something that a reader is about to come to, before all tasks; false where too much waits or the lane ends. */
    public synchronized boolean read(Errand errand) {
        if (retired || errands.size() >= queueMax) {
            return false;
        }
        errands.add(() -> readInService(errand));
        notifyAll();
        return true;
    }

    /**
     * Reads something that nobody waits for, once there is nothing else to read; rests as between the chunks of a task. At most
     * {@value #IDLE_WORK_MAX} wait, the oldest goes first.
     */
    public synchronized void readWhenIdle(Errand errand) {
        if (!retired) {
            if (idleWork.size() >= IDLE_WORK_MAX) {
                idleWork.removeFirst();
            }
            idleWork.addLast(() -> readInService(errand));
            notifyAll();
        }
    }

    @SuppressWarnings("try") // the reference is held, not used: it keeps the volume in service
    private void readInService(Errand errand) throws IOException {
        if (isRetired()) {
            return;
        }
        try (FsVolumeReference reference = volume.obtainReference()) {
            guard.runOnOwnThread("read a window", errand::run);
        }
    }

    private synchronized boolean isRetired() {
        return retired;
    }

    /** Whether the lane reads, or has read within the last second. Only such a lane needs reports of demand reads. */
    public boolean isAtWork(long nowNanos) {
        return working || nowNanos - workedNanos < AT_WORK_NANOS;
    }

    /** Somebody has just read from this volume's disk, or written to it. */
    public void demandSeen(long nowNanos) {
        lastDemandNanos.set(nowNanos);
    }

    /** When somebody else was last seen to use the disk; for tests. */
    public long lastDemandNanos() {
        return lastDemandNanos.get();
    }

    /** Has the thread end after giving all memory back; does not wait for it. */
    public synchronized void retire() {
        retired = true;
        reviveIfDead();
        notifyAll();
    }

    /** Ends the thread after giving all memory back; waits for the thread's end for a few seconds at most, for the disk may hang. */
    void stop() {
        retire();
        awaitEnd(JOIN_MILLIS);
    }

    /** Ends the threads of several lanes; waits for all of them together as long as for one. */
    public static void stopAll(Collection<VolumeLane> lanes) {
        lanes.forEach(VolumeLane::retire);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
        for (VolumeLane lane : lanes) {
            lane.awaitEnd(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
        }
    }

    /** Waits for a lane that was retired or is about to be; by then it holds neither descriptor nor mapping. */
    public void awaitEnd(long millis) {
        Thread last = thread();
        if (last == null) {
            return;
        }
        try {
            last.join(Math.max(1, millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (last.isAlive()) {
            LOG.warn("The prefetch thread of {} does not end; a disk may hang", volume);
        }
    }

    private synchronized @Nullable Thread thread() {
        return thread;
    }

    private void run() {
        try {
            while (true) {
                LoadTask task = next();
                if (task == null) {
                    return;
                }
                working = true;
                guard.runOnOwnThread("prefetch", () -> step(task));
                workEnds();
                if (guard.isTripped()) {
                    forgetAll();
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("the lane of " + volume + " was interrupted; nothing does that", e);
        }
    }

    /** Waits for the most urgent task; null when the lane ends. Runs errands meanwhile, and what can wait where there is no task. */
    private @Nullable LoadTask next() throws InterruptedException {
        while (true) {
            List<Errand> toRun;
            Errand idle = null;
            synchronized (this) {
                LoadTask urgent = retired ? null : mostUrgent();
                while (errands.isEmpty() && urgent == null && !retired && idleWork.isEmpty()) {
                    wait();
                    urgent = retired ? null : mostUrgent();
                }
                if (errands.isEmpty() && (urgent != null || retired)) {
                    ended = urgent == null;
                    if (urgent != null) {
                        urgent.begin();
                    }
                    return urgent;
                }
                toRun = new ArrayList<>(errands);
                errands.clear();
                if (toRun.isEmpty()) {
                    idle = idleWork.pollFirst();
                }
            }
            toRun.forEach(this::run);
            if (idle != null) {
                runIdle(idle);
            }
        }
    }

    private void runIdle(Errand errand) throws InterruptedException {
        long begin = System.nanoTime();
        working = true;
        try {
            run(errand);
            giveWay(begin, System.nanoTime());
        } finally {
            workEnds();
        }
    }

    private void workEnds() {
        workedNanos = System.nanoTime();
        working = false;
    }

    /** Throws nothing: other errands wait, and each may give memory back. */
    private void run(Errand errand) {
        guard.runAlways("give memory back", () -> {
            try {
                errand.run();
            } catch (IOException e) {
                metrics.prefetchErrors.incr();
                LOG.debug("An errand on {} failed", volume, e);
            }
        });
    }

    @GuardedBy("this")
    private @Nullable LoadTask mostUrgent() {
        LoadTask oldest = null;
        for (LoadTask task : waiting) {
            if (task.isRunnable()) {
                if (task.isExpedited()) {
                    return task;
                }
                if (oldest == null) {
                    oldest = task;
                }
            }
        }
        return oldest;
    }

    @SuppressWarnings("try") // the reference is held, not used: it keeps the volume in service
    private void step(LoadTask task) throws InterruptedException {
        long begin = System.nanoTime();
        try (FsVolumeReference reference = volume.obtainReference()) {
            task.step(chunkBytes, metrics);
        } catch (IOException e) {
            remove(task);
            listener.failed(task, e);
            return;
        } catch (RuntimeException | Error e) {
            // A defect would repeat itself at once and for ever.
            remove(task);
            // Telling the listener may fail too, above all without heap; the task's memory must not wait for that.
            guard.runAlways("give memory back", task::unpin);
            listener.failed(task, new IOException("unexpected failure in " + task, e));
            throw e;
        }
        if (task.isComplete()) {
            remove(task);
            listener.loaded(task);
        } else if (!task.isExpedited()) {
            giveWay(begin, System.nanoTime());
        }
    }

    private void giveWay(long beginNanos, long nowNanos) throws InterruptedException {
        if (nowNanos - lastDemandNanos.get() > DEMAND_WINDOW_NANOS && !listener.isCopiedTo(volume)) {
            return;
        }
        metrics.yields.incr();
        rest(Math.min(TimeUnit.MILLISECONDS.toNanos(MAX_REST_MILLIS), nowNanos - beginNanos));
    }

    /** Waits, unless there is an errand or the lane ends. */
    private synchronized void rest(long nanos) throws InterruptedException {
        long until = System.nanoTime() + nanos;
        while (!retired && errands.isEmpty()) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (leftMillis <= 0) {
                return;
            }
            wait(leftMillis);
        }
    }

    private synchronized void remove(LoadTask task) {
        waiting.remove(task);
    }

    private synchronized void forgetAll() {
        waiting.clear();
        idleWork.clear();
    }

    /** Runs something on each waiting task, for tests and status. */
    synchronized void forEachWaiting(Consumer<LoadTask> action) {
        waiting.forEach(action);
    }
}

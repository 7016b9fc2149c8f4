/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.common.util.concurrent.MoreExecutors;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that send hints: a few with a bounded queue, and one for delayed tasks. They are daemons, and end when
 * idle. Thread-safe.
 *
 * <p>A DataNode uses the hint of a session that it received last, and forgets the session when it receives the session's release. So an older
 * hint must not overtake a newer hint, and no hint may follow the release. Therefore the messages of a session are sent in their order. Each
 * session belongs to one of {@value #ORDERS} orders, and an order runs one task at a time.
 */
final class HintThreads {

    private static final long IDLE_SECONDS = 10;

    /** With many orders, a DataNode that does not answer delays the hints of few other sessions. Chosen, not measured. */
    private static final int ORDERS = 64;

    /** The longest time that an end waits for tasks, and again for interrupted tasks. Chosen, not measured. */
    private static final long END_MILLIS = 500;

    private final int queueMax;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ThreadPoolExecutor workers;
    private final List<Executor> orders = new ArrayList<>(ORDERS);
    private final ScheduledThreadPoolExecutor timer;

    /** No thread runs before the first task. */
    HintThreads(int threads, int queueMax) {
        ThreadFactory daemons = new ThreadFactoryBuilder()
                .setDaemon(true)
                .setNameFormat("foresight-hints-%d")
                .build();
        this.queueMax = queueMax;
        this.workers = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons);
        this.workers.allowCoreThreadTimeOut(true);
        for (int i = 0; i < ORDERS; i++) {
            orders.add(MoreExecutors.newSequentialExecutor(workers));
        }
        this.timer = new ScheduledThreadPoolExecutor(1, daemons);
        this.timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        this.timer.allowCoreThreadTimeOut(true);
    }

    /** Runs a task soon; false if too much waits already, or after the end. */
    boolean enqueue(Runnable task) {
        return enqueueAt(workers, task);
    }

    /** Runs a task soon, after all earlier tasks of the session; false if too much waits already, or after the end. */
    boolean enqueueInOrder(int session, Runnable task) {
        return enqueueAt(orders.get(Math.floorMod(session, ORDERS)), task);
    }

    private boolean enqueueAt(Executor executor, Runnable task) {
        if (waiting.incrementAndGet() > queueMax) {
            waiting.decrementAndGet();
            return false;
        }
        try {
            executor.execute(() -> {
                waiting.decrementAndGet();
                task.run();
            });
            return true;
        } catch (RejectedExecutionException e) {
            waiting.decrementAndGet();
            return false;
        }
    }

    /** Runs something short after a while; false after the end. */
    boolean later(long delayMillis, Runnable task) {
        try {
            ScheduledFuture<?> unused = timer.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Drops delayed tasks, and waits {@value #END_MILLIS} ms at most for all others. Then interrupts what runs, and drops what waits. */
    void close() {
        timer.shutdownNow();
        boolean unused = MoreExecutors.shutdownAndAwaitTermination(workers, 2 * END_MILLIS, TimeUnit.MILLISECONDS);
    }
}

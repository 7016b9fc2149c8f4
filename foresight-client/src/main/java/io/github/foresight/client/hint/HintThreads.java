/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that send hints: a few with a bounded queue, and one for delayed tasks. They are daemons, and end when
 * idle. Thread-safe.
 */
final class HintThreads {

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor workers;
    private final ScheduledThreadPoolExecutor timer;

    /** No thread runs before the first task. */
    HintThreads(int threads, int queueMax) {
        ThreadFactory daemons = new ThreadFactoryBuilder()
                .setDaemon(true)
                .setNameFormat("foresight-hints-%d")
                .build();
        this.workers = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queueMax), daemons);
        this.workers.allowCoreThreadTimeOut(true);
        this.timer = new ScheduledThreadPoolExecutor(1, daemons);
        this.timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        this.timer.allowCoreThreadTimeOut(true);
    }

    /** Runs a task soon; false if too much waits already, or after the end. */
    boolean enqueue(Runnable task) {
        try {
            workers.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
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

    /** Interrupts what runs, and drops what waits. */
    void close() {
        timer.shutdownNow();
        workers.shutdownNow();
    }
}

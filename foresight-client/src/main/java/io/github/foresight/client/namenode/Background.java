/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.CallerContext;
import org.jspecify.annotations.Nullable;

/**
 * Asks a NameNode what nobody waits for: one request at a time, and none where one is under way or after the end. A request carries the
 * caller context and the call id of the thread for which it is made. Thread-safe.
 */
final class Background {

    private static final long THREAD_IDLE_SECONDS = 10;

    /** Made by the first request, because most processes with a short life make none. */
    @GuardedBy("this")
    private @Nullable ThreadPoolExecutor worker;

    @GuardedBy("this")
    private boolean closed;

    /** Runs a request soon, or not at all; whether it will be run. */
    boolean offer(Runnable request) {
        CallerContext context = CallerContext.getCurrent();
        ThreadPoolExecutor made = worker();
        if (made == null) {
            return false;
        }
        try {
            made.execute(() -> runAs(context, request));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Null after the end. */
    private synchronized @Nullable ThreadPoolExecutor worker() {
        if (worker == null && !closed) {
            worker = new ThreadPoolExecutor(
                    0,
                    1,
                    THREAD_IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new SynchronousQueue<>(),
                    new ThreadFactoryBuilder()
                            .setDaemon(true)
                            .setNameFormat("foresight-ahead-%d")
                            .build(),
                    new ThreadPoolExecutor.AbortPolicy());
        }
        return worker;
    }

    private static void runAs(@Nullable CallerContext context, Runnable request) {
        CallerContext.setCurrent(context);
        try {
            request.run();
        } finally {
            CallerContext.setCurrent(null);
        }
    }

    /** Interrupts the tasks that run. */
    synchronized void close() {
        closed = true;
        if (worker != null) {
            worker.shutdownNow();
        }
    }
}

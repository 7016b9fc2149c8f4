/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.vectored;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.vectored.RangeMerger;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads and the merger with which the streams of a file system read many ranges at a time: the threads, and the rule by which ranges
 * are read together.
 *
 * <p>There are no threads before the first vectored read, and none that has idled for ten seconds. Where more than {@value #QUEUE} reads
 * wait, the calling thread reads one itself. So memory is bounded, and a caller that asks for too much is slowed down. Thread-safe.
 */
public final class VectoredReads implements AutoCloseable {

    /** Some hundred bytes each. Chosen, not measured. */
    private static final int QUEUE = 1024;

    private static final long THREAD_IDLE_SECONDS = 10;

    private final int threads;
    private final RangeMerger merger;

    @GuardedBy("this")
    private @Nullable ThreadPoolExecutor pool;

    @GuardedBy("this")
    private boolean closed;

    /**
     * Makes the shared part of streams; starts no thread.
     *
     * @param threads ranges that are read at a time, at least 1
     */
    public VectoredReads(int threads, RangeMerger merger) {
        this.threads = threads;
        this.merger = merger;
    }

    RangeMerger merger() {
        return merger;
    }

    /** Where ranges are read; after the end, on the calling thread, whose file system then says that it is closed. */
    synchronized Executor executor() {
        if (closed) {
            return Runnable::run;
        }
        ThreadPoolExecutor made = pool;
        if (made == null) {
            made = new ThreadPoolExecutor(
                    threads,
                    threads,
                    THREAD_IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(QUEUE),
                    new ThreadFactoryBuilder()
                            .setDaemon(true)
                            .setNameFormat("foresight-vectored-%d")
                            .build(),
                    new ThreadPoolExecutor.CallerRunsPolicy());
            made.allowCoreThreadTimeOut(true);
            pool = made;
        }
        return made;
    }

    /** Lets reads that wait come to their end, which is a failure once the file system is closed. Starts nothing more. */
    @Override
    public synchronized void close() {
        closed = true;
        if (pool != null) {
            pool.shutdown();
        }
    }
}

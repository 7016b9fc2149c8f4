/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.guard;

import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Foresight's own threads in a DataNode: daemons of one name. The metrics count the living threads, and the threads that an
 * exception or an error has ended. Thread-safe.
 */
public final class OwnThreads implements ThreadFactory {

    private static final Logger LOG = LoggerFactory.getLogger(OwnThreads.class);

    private final String name;
    private final ReadAheadMetrics metrics;

    /**
     * Makes a factory.
     *
     * @param name the name of each thread
     */
    public OwnThreads(String name, ReadAheadMetrics metrics) {
        this.name = name;
        this.metrics = metrics;
    }

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(() -> runCounted(work), name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(this::died);
        return thread;
    }

    private void runCounted(Runnable work) {
        metrics.threadBegins();
        try {
            work.run();
        } finally {
            metrics.threadEnds();
        }
    }

    private void died(Thread thread, Throwable cause) {
        metrics.threadDeaths.incr();
        LOG.error("Foresight's thread {} has ended with an error and is replaced", thread.getName(), cause);
    }
}

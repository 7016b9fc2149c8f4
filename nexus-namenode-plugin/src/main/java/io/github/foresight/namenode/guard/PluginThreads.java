/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.guard;

import io.github.foresight.namenode.metrics.NameNodeMetrics;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Foresight's own threads in a NameNode: daemons of one name. The metrics count the living threads.
 *
 * <p>A thread hands each piece of its work to {@link #survives}: whatever a piece throws, an error of the virtual machine included, ends
 * that piece and not the thread. Thread-safe.
 */
public final class PluginThreads implements ThreadFactory {

    private static final Logger LOG = LoggerFactory.getLogger(PluginThreads.class);

    private final String name;
    private final NameNodeMetrics metrics;

    /** A piece of a thread's work. */
    @FunctionalInterface
    public interface Piece {
        void run() throws Exception;
    }

    /**
     * Makes a factory.
     *
     * @param name the name of each thread
     */
    public PluginThreads(String name, NameNodeMetrics metrics) {
        this.name = name;
        this.metrics = metrics;
    }

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(() -> runCounted(work), name);
        thread.setDaemon(true);
        return thread;
    }

    private void runCounted(Runnable work) {
        metrics.liveThreads.incrementAndGet();
        try {
            work.run();
        } finally {
            metrics.liveThreads.decrementAndGet();
        }
    }

    /**
     * Runs a piece of work. A failure is counted and logged.
     *
     * @return whether the piece was done
     */
    public boolean survives(Piece piece) {
        try {
            piece.run();
            return true;
        } catch (Throwable e) {
            noteFailure(e);
            return false;
        }
    }

    private void noteFailure(Throwable cause) {
        try {
            metrics.internalErrors.incr();
            LOG.warn("A task of {} has failed; the thread continues", name, cause);
        } catch (Throwable e) {
            // There is no memory for a line, or the log itself fails: the counter shows it.
            metrics.failuresUnlogged.incrementAndGet();
        }
    }
}

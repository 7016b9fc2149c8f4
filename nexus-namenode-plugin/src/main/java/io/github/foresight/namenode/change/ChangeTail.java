/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.change;

import io.github.foresight.namenode.guard.PluginThreads;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the edits that a NameNode applies while it is not active, so that an observer's clients learn of changes too. When the
 * NameNode's HA state changes, all cache entries count as changed, because this NameNode does not know the changes and grants of
 * another one.
 *
 * <p>One thread of its own reads the edits, which are in the journal's own cache or on its disks, and holds no lock meanwhile. Only
 * applied edits are read. An entry that is read before its edit is applied holds the old state, so an earlier invalidation would
 * miss it. Edits are skipped, and everything counts as changed, in three cases: no cache holds an entry, the edits exceed a limit,
 * or they cannot be read.
 */
public final class ChangeTail implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeTail.class);
    private static final String EVERYTHING = "/";
    private static final long CLOSE_SECONDS = 5;

    /** The HA state and the edits of a NameNode. */
    interface Edits {
        boolean isActive();

        /** When the HA state changed last. */
        long lastTransition();

        /** The last edit that was applied while this NameNode was not active. */
        long lastApplied();

        /**
         * Reads edits and reports the paths that they have changed.
         *
         * @param after the last one not to be read
         * @param upTo the last one to be read
         * @return the last edit that was read, or {@code after} if there was none
         */
        long read(long after, long upTo, NamespaceChanges changes) throws IOException;
    }

    private final Edits edits;
    private final NamespaceChanges changes;
    private final Invalidations invalidations;
    private final NameNodeMetrics metrics;
    private final int max;
    private final long periodMillis;
    private final PluginThreads threads;
    private final ScheduledThreadPoolExecutor thread;

    // State of the thread alone.
    private boolean begun;
    private long seenTransition;
    private long position;

    public ChangeTail(
            Edits edits,
            NamespaceChanges changes,
            Invalidations invalidations,
            int max,
            long periodMillis,
            NameNodeMetrics metrics) {
        this.edits = edits;
        this.changes = changes;
        this.invalidations = invalidations;
        this.max = max;
        this.periodMillis = periodMillis;
        this.metrics = metrics;
        this.threads = new PluginThreads("foresight-changes", metrics);
        this.thread = new ScheduledThreadPoolExecutor(1, threads);
    }

    public void start() {
        ScheduledFuture<?> unused =
                thread.scheduleWithFixedDelay(this::lookSafely, 0, periodMillis, TimeUnit.MILLISECONDS);
    }

    /** A task that throws would not be run again. After a failure anything may have changed. */
    private void lookSafely() {
        if (!threads.survives(() -> look(System.nanoTime()))) {
            begun = false;
            threads.survives(changes::everythingChanged);
        }
    }

    /** Looks once. */
    void look(long nowNanos) {
        long transition = edits.lastTransition();
        if (!begun || transition != seenTransition) {
            position = edits.lastApplied();
            changes.everythingChanged();
            seenTransition = transition;
            begun = true;
        }
        if (!edits.isActive()) {
            follow();
        }
        invalidations.expire(nowNanos);
    }

    private void follow() {
        long applied = edits.lastApplied();
        if (applied <= position) {
            return;
        }
        if (invalidations.grantCount() == 0) {
            // An entry that is being granted at this moment was read before these edits.
            changes.changed(EVERYTHING);
            position = applied;
        } else if (applied - position > max) {
            passOver(applied, applied - position + " edits are more than are read at once");
        } else {
            read(applied);
        }
    }

    private void read(long applied) {
        try {
            long read = position;
            for (long end = edits.read(read, applied, changes); end > read; end = edits.read(read, applied, changes)) {
                metrics.editsTailed.incr(end - read);
                read = end;
                if (read == applied) {
                    break;
                }
            }
            if (read == applied) {
                position = applied;
            } else {
                passOver(applied, "edits after " + read + " were not found");
            }
        } catch (IOException | RuntimeException e) {
            passOver(applied, e.toString());
        }
    }

    private void passOver(long applied, String why) {
        metrics.editsSkipped.incr(applied - position);
        LOG.info("Foresight does not read edits {} to {}: {}", position + 1, applied, why);
        position = applied;
        changes.everythingChanged();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Foresight's reading of edits has not ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

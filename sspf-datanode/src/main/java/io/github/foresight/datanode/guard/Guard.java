/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.guard;

import com.google.common.util.concurrent.RateLimiter;
import io.github.foresight.core.guard.FailureBudget;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps our failures from becoming HDFS's: runs our part of a call, and on anything but a {@link VirtualMachineError} counts,
 * logs (at most once in ten seconds) and carries on with stock behaviour. On a thread of Foresight's own a {@code VirtualMachineError}
 * is a failure like any other: the thread goes on, or its pages would stay locked.
 *
 * <p>After more than {@code maxPerMinute} failures within a minute the guard trips: from then on nothing of ours is run, until
 * the DataNode is restarted. Thread-safe; without failures a call costs one volatile read.
 */
public final class Guard {

    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

    /** Something of ours that may fail. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    private final String feature;
    private final ReadAheadMetrics metrics;
    private final int maxPerMinute;
    private final Runnable onTrip;
    private final RateLimiter logRate = RateLimiter.create(0.1);
    private final FailureBudget budget;

    public Guard(ReadAheadMetrics metrics, int maxPerMinute, Runnable onTrip) {
        this("read-ahead", metrics, maxPerMinute, onTrip);
    }

    /**
     * Makes a guard without failures.
     *
     * @param feature the feature that is switched off when the guard trips, in words
     * @param onTrip releases all that the feature holds
     */
    public Guard(String feature, ReadAheadMetrics metrics, int maxPerMinute, Runnable onTrip) {
        this.feature = feature;
        this.metrics = metrics;
        this.maxPerMinute = maxPerMinute;
        this.onTrip = onTrip;
        this.budget = new FailureBudget(maxPerMinute);
    }

    /** Whether the feature has switched itself off. */
    public boolean isTripped() {
        return budget.isSpent();
    }

    /** Runs the action unless tripped; the action's exceptions stay here. */
    public void run(String what, Action action) {
        if (budget.isSpent()) {
            return;
        }
        try {
            action.run();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            failed(what, e);
        }
    }

    /** As {@link #run}, on a thread of Foresight's own: the action's exceptions stay here, a {@link VirtualMachineError} too. */
    public void runOnOwnThread(String what, Action action) {
        if (!budget.isSpent()) {
            runAlways(what, action);
        }
    }

    /**
     * Runs the action on a thread of Foresight's own even if tripped, as is needed to give memory back; the action's exceptions stay here.
     */
    public void runAlways(String what, Action action) {
        try {
            action.run();
        } catch (Throwable e) {
            failedOnOwnThread(what, e);
        }
    }

    /** As {@link #runAlways}, on a thread of HDFS's: a {@link VirtualMachineError} goes on to HDFS. */
    public void runAlwaysInCall(String what, Action action) {
        try {
            action.run();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            failed(what, e);
        }
    }

    private void failedOnOwnThread(String what, Throwable cause) {
        try {
            failed(what, cause);
        } catch (Throwable e) {
            // Without memory nothing can be logged either. The thread goes on, and the failure was counted.
            cause.addSuppressed(e);
        }
    }

    /** Runs the supplier unless tripped; gives {@code otherwise} then and on failure. */
    public <T> T call(String what, T otherwise, Supplier<T> supplier) {
        if (budget.isSpent()) {
            return otherwise;
        }
        try {
            return supplier.get();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            failed(what, e);
            return otherwise;
        }
    }

    private void failed(String what, Throwable e) {
        metrics.internalErrors.incr();
        if (logRate.tryAcquire()) {
            LOG.warn("Foresight failed to {}; HDFS went on without Foresight", what, e);
        }
        if (budget.spend(System.nanoTime())) {
            LOG.error(
                    "Foresight failed more than {} times within a minute and switches its {} off until this DataNode"
                            + " is restarted",
                    maxPerMinute,
                    feature,
                    e);
            giveUp();
        }
    }

    private void giveUp() {
        try {
            onTrip.run();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            LOG.error("Foresight failed to give everything up; some memory stays locked until this DataNode ends", e);
        }
    }
}

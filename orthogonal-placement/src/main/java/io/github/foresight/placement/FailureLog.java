/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import com.google.common.util.concurrent.RateLimiter;
import io.github.foresight.core.guard.FailureBudget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles Foresight's own failures: it counts them, logs them at most once in ten seconds, and knows when there were too many in a minute.
 * Thread-safe.
 */
final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    private final FailureBudget budget;
    private final PlacementMetrics metrics;
    private final RateLimiter logRate = RateLimiter.create(0.1);

    FailureLog(int failuresMax, PlacementMetrics metrics) {
        this.budget = new FailureBudget(failuresMax);
        this.metrics = metrics;
    }

    /** Whether Foresight must stop, because too many failures have occurred. Costs one volatile read. */
    boolean isSpent() {
        return budget.isSpent();
    }

    /** Records a failure. A {@link VirtualMachineError} is thrown again instead. */
    void failed(String doing, Throwable failure) {
        if (failure instanceof VirtualMachineError) {
            throw (VirtualMachineError) failure;
        }
        metrics.internalErrors.incr();
        if (logRate.tryAcquire()) {
            LOG.warn("Foresight failed to {}; HDFS's own policy decides", doing, failure);
        }
        if (budget.spend(System.nanoTime())) {
            LOG.error(
                    "Foresight failed to {} too often and leaves placement to HDFS's own policy until the NameNode is"
                            + " restarted or dfs.block.replicator.classname is reconfigured",
                    doing,
                    failure);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import java.lang.ref.WeakReference;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads a cluster's DataNodes in each period, as long as a policy uses the list.
 *
 * <p>HDFS gives a policy no notice of its end. Therefore this task holds the list weakly, and the reading ends after the policy is
 * garbage-collected. One daemon thread serves all policies of a process. The thread ends when no policy is left. A failure is counted and does not
 * end the reading.
 */
final class NodesRefresh implements Runnable {

    private static final long IDLE_SECONDS = 30;
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final WeakReference<ClusterNodes> nodes;
    private final FailureLog failures;
    private final long periodNanos;

    private NodesRefresh(ClusterNodes nodes, FailureLog failures, long periodNanos) {
        this.nodes = new WeakReference<>(nodes);
        this.failures = failures;
        this.periodNanos = periodNanos;
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "foresight-placement-nodes");
            thread.setDaemon(true);
            return thread;
        });
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /** Starts the reading after one period. The caller reads the present DataNodes itself. */
    static void begin(ClusterNodes nodes, FailureLog failures, long periodNanos) {
        new NodesRefresh(nodes, failures, periodNanos).again();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // run() handles all failures itself
    private void again() {
        TIMER.schedule(this, periodNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void run() {
        ClusterNodes used = nodes.get();
        if (used == null) {
            return;
        }
        try {
            used.renew();
        } catch (Throwable e) {
            failures.failed("read the DataNodes", e);
        } finally {
            again();
        }
    }
}

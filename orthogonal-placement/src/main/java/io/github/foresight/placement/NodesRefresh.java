/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import java.lang.ref.WeakReference;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Reads a cluster's DataNodes anew, each period, for as long as somebody uses them.
 *
 * <p>HDFS never tells a policy that it is done with it. So the nodes are held weakly, and reading ends when their policy is gone. One daemon thread
 * serves all policies of a process; it ends when there are none. A failure is counted and does not end the reading.
 */
final class NodesRefresh implements Runnable {

    private static final long IDLE_SECONDS = 30;
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final WeakReference<ClusterNodes> nodes;
    private final Guard guard;
    private final long periodNanos;

    private NodesRefresh(ClusterNodes nodes, Guard guard, long periodNanos) {
        this.nodes = new WeakReference<>(nodes);
        this.guard = guard;
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

    /** Begins with a period's delay; what there is now the caller reads. */
    static void begin(ClusterNodes nodes, Guard guard, long periodNanos) {
        new NodesRefresh(nodes, guard, periodNanos).again();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // run() bears all failures itself
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
            guard.failed("read the DataNodes", e);
        } finally {
            again();
        }
    }
}

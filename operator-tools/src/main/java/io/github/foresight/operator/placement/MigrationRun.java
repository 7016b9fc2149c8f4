/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.CharMatcher;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run of the migration, with its progress and its answer. */
final class MigrationRun {

    private static final long PROGRESS_SECONDS = 5;

    private final PrintWriter out;
    private final PrintWriter err;
    private final AnswerForm form;

    MigrationRun(PrintWriter out, PrintWriter err, AnswerForm form) {
        this.out = out;
        this.err = err;
        this.form = form;
    }

    /** Prints the moves of a migration, without making them. */
    void plan(ClusterOption option) throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.open(option)) {
            answer(cluster, cluster.scan((path, plan) -> {}), null);
        }
    }

    /** Makes all moves; returns whether none failed. */
    boolean run(ClusterOption option, BandwidthLimit bandwidth, int concurrent, int perNode)
            throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.open(option);
                BlockMover mover = cluster.mover();
                Migration migration = new Migration(
                        mover::move,
                        move -> Replanning.again(cluster.client(), move),
                        bandwidth,
                        concurrent,
                        perNode)) {
            LayoutTotals planned = cluster.scan((path, plan) -> {});
            ScheduledExecutorService progress = Executors.newSingleThreadScheduledExecutor(MigrationRun::daemon);
            long begin = System.nanoTime();
            ScheduledFuture<?> reports = progress.scheduleAtFixedRate(
                    () -> report(migration, planned, System.nanoTime() - begin),
                    PROGRESS_SECONDS,
                    PROGRESS_SECONDS,
                    TimeUnit.SECONDS);
            LayoutTotals seen;
            try {
                seen = cluster.scan((path, plan) -> migration.begin(plan));
                migration.await();
            } finally {
                reports.cancel(false);
                progress.shutdownNow();
            }
            answer(cluster, seen, migration);
            return migration.failed() == 0;
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "placement progress");
        thread.setDaemon(true);
        return thread;
    }

    private void report(Migration migration, LayoutTotals totals, long nanos) {
        long done = migration.moved() + migration.overtaken() + migration.failed();
        double rate = migration.movedBytes() / (nanos / 1e9);
        long leftBytes = Math.max(totals.moveBytes() - migration.movedBytes(), 0);
        String left = rate > 0 ? String.format("about %.0f s left", leftBytes / rate) : "no estimate yet";
        err.printf(
                "moved %d of %d replicas, %d of %d MiB, %.1f MiB/s, %s%n",
                done, totals.moves(), migration.movedBytes() >> 20, totals.moveBytes() >> 20, rate / (1 << 20), left);
        err.flush();
    }

    private void answer(Cluster cluster, LayoutTotals totals, @Nullable Migration migration) throws IOException {
        if (form == AnswerForm.JSON) {
            ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
            ObjectNode root =
                    mapper.createObjectNode().put("path", cluster.path()).put("dryRun", migration == null);
            totals.write(root);
            if (migration != null) {
                root.put("moved", migration.moved());
                root.put("movedBytes", migration.movedBytes());
                root.put("overtaken", migration.overtaken());
                root.put("failed", migration.failed());
            }
            out.println(mapper.writeValueAsString(root));
        } else {
            out.println(CharMatcher.whitespace().trimTrailingFrom(totals.words()));
            if (migration != null) {
                out.printf(
                        "Moved %d replicas, %d MiB; %d did not have to move any more, %d failed.%n",
                        migration.moved(), migration.movedBytes() >> 20, migration.overtaken(), migration.failed());
            }
        }
        out.flush();
    }
}

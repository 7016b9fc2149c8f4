/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import io.github.foresight.core.graph.Allowance;
import io.github.foresight.core.graph.ClientHistory;
import io.github.foresight.core.graph.GraphSettings;
import io.github.foresight.core.graph.PackedGraph;
import io.github.foresight.core.graph.Predictor;
import io.github.foresight.core.graph.PrefetchGroup;
import io.github.foresight.core.graph.SuccessorGraph;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.simulator.ModelCache.Entry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Replays one trace through one cache, and measures the hit ratio. Predicted files enter the cache at once.
 * The same trace and settings give the same result, except for
 * {@link ModelCache.Policy#CAFFEINE}.
 */
final class Replay {

    private static final int MAX_WEIGHT = 65535;
    private static final int AGING_VISITS = 255;
    private static final int SUCCESSORS_OF_PAIR = 4;
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int PROBE_INTERVAL = 6;

    /** Room for every vertex, so that the figures show the predictions alone. */
    private static final long BYTES_PER_FILE = 2048;

    private final Trace trace;
    private final ReplaySettings settings;
    private final ModelCache cache;
    private final Predictor predictor;
    private final Usefulness usefulness;
    private final Map<Integer, Client> clients = new HashMap<>();
    private final @Nullable PrefetchGroup group;
    private int hits;
    private int issued;
    private int used;

    /** The history of a client. */
    private static final class Client {
        final ClientHistory history;
        final Allowance allowance;

        Client(ReplaySettings settings) {
            this.history = new ClientHistory(settings.window, PAUSE_NANOS);
            this.allowance = new Allowance(settings.useful);
        }
    }

    private Replay(Trace trace, ReplaySettings settings) {
        this.trace = trace;
        this.settings = settings;
        this.cache = settings.cache.of(settings.entries, this::evicted);
        long budget = (1 + trace.fileCount()) * BYTES_PER_FILE;
        this.predictor = new Predictor(
                new PackedGraph(budget, new GraphSettings(settings.successors, MAX_WEIGHT, AGING_VISITS)),
                settings.noPairs ? null : pairs(budget),
                settings.scheme,
                settings.threshold,
                !settings.lastAccess,
                !settings.noChains);
        this.usefulness = new Usefulness(settings.useful, PROBE_INTERVAL, settings.memory);
        this.group = settings.group == 0 ? null : new PrefetchGroup(settings.group);
    }

    private static SuccessorGraph pairs(long budget) {
        return new PackedGraph(4 * budget, new GraphSettings(SUCCESSORS_OF_PAIR, MAX_WEIGHT, AGING_VISITS));
    }

    static ReplayResult run(Trace trace, ReplaySettings settings) {
        return new Replay(trace, settings).run();
    }

    private ReplayResult run() {
        for (int i = 0; i < trace.size(); i++) {
            boolean hit = access(trace.file(i));
            if (group != null) {
                Client client = clients.computeIfAbsent(
                        settings.oneWindow ? 0 : trace.client(i), unused -> new Client(settings));
                long nanos = TimeUnit.MICROSECONDS.toNanos(trace.micros(i));
                predictor.record(client.history, trace.file(i), nanos, usefulness, group);
                client.allowance.opened(1);
                if (!hit || !settings.onMiss) {
                    prefetch(group, client.allowance);
                }
            }
        }
        return new ReplayResult(trace.size(), hits, issued, used);
    }

    private boolean access(int file) {
        Entry entry = cache.touch(file);
        if (entry == null) {
            cache.put(file, Entry.DEMANDED);
            return false;
        }
        if (entry.isPredicted()) {
            used++;
            usefulness.used(entry.confidenceClass);
            entry.allowance.used(1);
            cache.put(file, Entry.DEMANDED);
        }
        hits++;
        return true;
    }

    private void prefetch(PrefetchGroup predicted, Allowance allowance) {
        for (int rank = 0; rank < predicted.size() && allowance.left() > 0; rank++) {
            int file = Math.toIntExact(predicted.file(rank));
            int confidenceClass = Usefulness.classOf(predicted.confidence(rank));
            if (!cache.expect(file) && usefulness.admit(confidenceClass)) {
                issued++;
                allowance.spend(1);
                cache.put(file, new Entry(confidenceClass, allowance));
            }
        }
    }

    private void evicted(Entry entry) {
        if (entry.isPredicted()) {
            usefulness.wasted(entry.confidenceClass);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import io.github.foresight.core.graph.GraphSettings;
import io.github.foresight.core.graph.HistoryWindow;
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
 * One trace through one cache, with what is predicted put into the cache at once: how often the cache has what is asked for.
 * The same trace and settings give the same result.
 */
final class Replay {

    private static final int MAX_WEIGHT = 65535;
    private static final int AGING_VISITS = 255;
    private static final int SUCCESSORS_OF_PAIR = 4;
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int PROBE_INTERVAL = 6;
    private static final int MEMORY = 200;

    /** Room for every vertex, so that the figures tell of the predictions alone. */
    private static final long BYTES_PER_FILE = 2048;

    private final Trace trace;
    private final ReplaySettings settings;
    private final ModelCache cache;
    private final Predictor predictor;
    private final Usefulness usefulness;
    private final Map<Integer, HistoryWindow> windows = new HashMap<>();
    private final @Nullable PrefetchGroup group;
    private int hits;
    private int issued;
    private int used;

    private Replay(Trace trace, ReplaySettings settings) {
        this.trace = trace;
        this.settings = settings;
        this.cache = new ModelCache(settings.entries);
        long budget = (1 + trace.fileCount()) * BYTES_PER_FILE;
        this.predictor = new Predictor(
                new PackedGraph(budget, new GraphSettings(settings.successors, MAX_WEIGHT, AGING_VISITS)),
                settings.noPairs ? null : pairs(budget),
                settings.scheme,
                settings.threshold,
                !settings.lastAccess,
                !settings.noChains,
                settings.window);
        this.usefulness = new Usefulness(settings.useful, PROBE_INTERVAL, MEMORY);
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
                HistoryWindow window = windows.computeIfAbsent(
                        settings.oneWindow ? 0 : trace.client(i),
                        unused -> new HistoryWindow(settings.window, PAUSE_NANOS));
                predictor.record(
                        window, trace.file(i), TimeUnit.MICROSECONDS.toNanos(trace.micros(i)), usefulness, group);
                if (!hit || !settings.onMiss) {
                    prefetch(group);
                }
            }
        }
        return new ReplayResult(trace.size(), hits, issued, used);
    }

    private boolean access(int file) {
        Entry entry = cache.touch(file);
        if (entry == null) {
            putInto(file, Entry.DEMANDED);
            return false;
        }
        if (entry.isPredicted()) {
            used++;
            usefulness.used(entry.confidenceClass);
            putInto(file, Entry.DEMANDED);
        }
        hits++;
        return true;
    }

    private void prefetch(PrefetchGroup predicted) {
        for (int rank = 0; rank < predicted.size(); rank++) {
            int file = Math.toIntExact(predicted.file(rank));
            int confidenceClass = Usefulness.classOf(predicted.confidence(rank));
            if (cache.touch(file) == null && usefulness.isWorthwhile(confidenceClass)) {
                issued++;
                putInto(file, new Entry(confidenceClass));
            }
        }
    }

    private void putInto(int file, Entry entry) {
        Entry evicted = cache.put(file, entry);
        if (evicted != null && evicted.isPredicted()) {
            usefulness.wasted(evicted.confidenceClass);
        }
    }
}

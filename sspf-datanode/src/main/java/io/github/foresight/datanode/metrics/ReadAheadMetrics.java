/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.metrics;

import io.github.foresight.protocol.proto.HintProtos.RefusalProto;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableQuantiles;

/**
 * What Foresight has done in this DataNode, through Hadoop's metrics2: JMX, {@code /jmx}, {@code /prom} and every sink. Counters
 * for events, gauges for levels, quantiles for times. Thread-safe.
 */
public final class ReadAheadMetrics implements MetricsSource {

    private static final String NAME = "Foresight";
    private static final int QUANTILE_SECONDS = 60;

    private final MetricsRegistry registry = new MetricsRegistry(NAME);
    private final Map<RefusalProto.Reason, MutableCounterLong> refusals = new EnumMap<>(RefusalProto.Reason.class);
    private volatile String registeredName = NAME;

    public final MutableCounterLong hints = counter("Hints", "Hint messages received");
    public final MutableCounterLong hintedBlocks = counter("HintedBlocks", "Blocks accepted from hints");
    public final MutableCounterLong prefetchedBytes = counter("PrefetchedBytes", "Bytes made resident by prefetch");
    public final MutableCounterLong residentBytes =
            counter("ResidentBytes", "Hinted bytes that were in memory before the prefetch came to them");
    public final MutableCounterLong prefetchedBlocks = counter("PrefetchedBlocks", "Blocks prefetched to their end");
    public final MutableCounterLong usedBytes = counter("UsedBytes", "Prefetched bytes that were read");
    public final MutableCounterLong usedBlocks = counter("UsedBlocks", "Prefetched blocks of which something was read");
    public final MutableCounterLong wastedBytes = counter("WastedBytes", "Prefetched bytes dropped without being read");
    public final MutableCounterLong wastedBlocks =
            counter("WastedBlocks", "Prefetched blocks dropped without anything of them being read");
    public final MutableCounterLong cancelledPrefetches =
            counter("CancelledPrefetches", "Prefetches stopped before their block's end");
    public final MutableCounterLong yields =
            counter("Yields", "Times that a prefetch gave way to others' use of the disk");
    public final MutableCounterLong copies = counter(
            "Copies", "Times that a volume began to be used by a copy of a replica, to which prefetches give way");
    public final MutableCounterLong invalidatedBlocks = counter(
            "InvalidatedBlocks", "Tracked blocks given up because they were deleted, appended to, recovered or moved");
    public final MutableCounterLong prefetchErrors =
            counter("PrefetchErrors", "Prefetches that failed on disk or file");
    public final MutableCounterLong pinFailures =
            counter("PinFailures", "Blocks that could not be locked in memory and were prefetched unpinned");
    public final MutableCounterLong overBudget = counter(
            "OverBudget", "Blocks and parts of windows not prefetched because descriptors or mappings were used up");
    public final MutableCounterLong internalErrors =
            counter("InternalErrors", "Failures of Foresight itself; stock behaviour took their place");
    public final MutableCounterLong threadDeaths = counter(
            "ThreadDeaths", "Threads of Foresight's that an error has ended; another thread took the place of each");
    public final MutableCounterLong windowRequests = counter("WindowRequests", "Windows of clients received, checked");
    public final MutableCounterLong windowBytes = counter("WindowReadBytes", "Bytes made resident for windows");
    public final MutableCounterLong windowLateBytes =
            counter("WindowLateBytes", "Bytes read in idle time after their window had moved on");
    public final MutableCounterLong sessionsCutOff = counter(
            "SessionsCutOff", "Sessions and windows that ended because the connection of their client was closed");
    public final MutableCounterLong laneRefusals = counter(
            "LaneRefusals", "Blocks and parts of windows not prefetched because too many wait for their volume");
    public final MutableCounterLong heldBack = counter(
            "HeldBack",
            "Hints and windows that came while too many steps waited to be carried out; nothing was begun for them");
    private final MutableQuantiles hintMicros =
            registry.newQuantiles("HintMicros", "Time to take a hint", "hints", "Micros", QUANTILE_SECONDS);

    public final MutableCounterLong preallocations =
            counter("Preallocations", "Times that space was taken for a block being written");
    public final MutableCounterLong preallocatedBytes =
            counter("PreallocatedBytes", "Bytes taken for blocks being written");
    public final MutableCounterLong preallocatedBytesFreed =
            counter("PreallocatedBytesFreed", "Bytes of these that were not used and were freed");
    public final MutableCounterLong preallocationMisses =
            counter("PreallocationMisses", "Writes to where no space had been taken in time");
    public final MutableCounterLong preallocationsRefused = counter(
            "PreallocationsRefused",
            "Times that space was not taken because the volume or what it may hold was full, or descriptors were used up");
    public final MutableCounterLong preallocationErrors =
            counter("PreallocationErrors", "Preallocations that failed on disk or file");
    public final MutableCounterLong tailsSwept =
            counter("TailsSwept", "Blocks of which a tail was freed that a crash, or a slow disk, had left behind");
    public final MutableCounterLong packHits =
            counter("PackHits", "Reads of small blocks whose checksums came from a pack");
    public final MutableCounterLong packMisses =
            counter("PackMisses", "Reads of small blocks whose checksums came from their own file");
    public final MutableCounterLong packsRead = counter("PacksRead", "Packs read into memory");
    public final MutableCounterLong packedBlocks = counter("PackedBlocks", "Blocks put into a pack");
    public final MutableCounterLong packsCompacted =
            counter("PacksCompacted", "Packs written anew, for holding mostly deleted blocks or too much");
    public final MutableCounterLong packsDropped =
            counter("PacksDropped", "Blocks not packed because too many waited or the volume was full");
    public final MutableCounterLong packErrors = counter("PackErrors", "Packs that could not be read or written");
    private final MutableQuantiles preallocationMicros = registry.newQuantiles(
            "PreallocationMicros", "Time to take space", "preallocations", "Micros", QUANTILE_SECONDS);

    private final AtomicInteger liveThreads = new AtomicInteger();

    /** The levels that a snapshot reads. */
    private final Map<String, Gauge> gauges = new ConcurrentSkipListMap<>();

    private static final class Gauge {
        final String doc;
        final LongSupplier level;

        Gauge(String doc, LongSupplier level) {
            this.doc = doc;
            this.level = level;
        }
    }

    public ReadAheadMetrics() {
        gauge("LiveThreads", "Threads of Foresight's that are alive", liveThreads::get);
        for (RefusalProto.Reason reason : RefusalProto.Reason.values()) {
            refusals.put(
                    reason,
                    counter(
                            "Refused" + camelCase(reason.name()),
                            "Hinted blocks or hints refused: "
                                    + reason.name().toLowerCase(Locale.ROOT).replace('_', ' ')));
        }
    }

    /** Adds a gauge; the supplier must be cheap and thread-safe. */
    public void gauge(String name, String doc, LongSupplier level) {
        gauges.put(name, new Gauge(doc, level));
    }

    public void refused(RefusalProto.Reason reason, long count) {
        MutableCounterLong counter = refusals.get(reason);
        if (counter != null) {
            counter.incr(count);
        }
    }

    public void threadBegins() {
        liveThreads.incrementAndGet();
    }

    public void threadEnds() {
        liveThreads.decrementAndGet();
    }

    public void hintTaken(long nanos) {
        hintMicros.add(nanos / 1000);
    }

    public void preallocated(long nanos) {
        preallocationMicros.add(nanos / 1000);
    }

    /** Makes the metrics visible; a second DataNode in one JVM gets a name with its port. */
    public void register(int port) {
        try {
            DefaultMetricsSystem.instance().register(NAME, "What Foresight does", this);
        } catch (MetricsException e) {
            registeredName = NAME + "-" + port;
            DefaultMetricsSystem.instance().register(registeredName, "What Foresight does", this);
        }
    }

    public void unregister() {
        DefaultMetricsSystem.instance().unregisterSource(registeredName);
        hintMicros.stop();
        preallocationMicros.stop();
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
        registry.snapshot(record, all);
        gauges.forEach((name, gauge) -> record.addGauge(Interns.info(name, gauge.doc), gauge.level.getAsLong()));
    }

    private MutableCounterLong counter(String name, String doc) {
        return registry.newCounter(name, doc, 0L);
    }

    private static String camelCase(String constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.split("_")) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}

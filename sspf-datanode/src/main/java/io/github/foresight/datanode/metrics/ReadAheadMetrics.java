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
    public final MutableCounterLong hintedBlocks = counter("HintedBlocks", "Hinted blocks accepted");
    public final MutableCounterLong prefetchedBytes =
            counter("PrefetchedBytes", "Bytes that prefetches read from disk");
    public final MutableCounterLong residentBytes =
            counter("ResidentBytes", "Hinted bytes that were resident before the prefetch");
    public final MutableCounterLong prefetchedBlocks = counter("PrefetchedBlocks", "Blocks prefetched to their end");
    public final MutableCounterLong usedBytes = counter("UsedBytes", "Prefetched bytes that were read");
    public final MutableCounterLong usedBlocks =
            counter("UsedBlocks", "Prefetched blocks of which at least one byte was read");
    public final MutableCounterLong wastedBytes = counter("WastedBytes", "Prefetched bytes dropped without being read");
    public final MutableCounterLong wastedBlocks =
            counter("WastedBlocks", "Prefetched blocks dropped without being read");
    public final MutableCounterLong cancelledPrefetches =
            counter("CancelledPrefetches", "Prefetches stopped before the end of their block");
    public final MutableCounterLong yields =
            counter("Yields", "Times that a prefetch waited for other use of its disk");
    public final MutableCounterLong copies =
            counter("Copies", "Times that a copy of a replica began to use an idle volume");
    public final MutableCounterLong invalidatedBlocks = counter(
            "InvalidatedBlocks", "Hinted blocks dropped because they were deleted, appended to, recovered or moved");
    public final MutableCounterLong prefetchErrors =
            counter("PrefetchErrors", "Prefetches that failed with an error of the disk or the file");
    public final MutableCounterLong pinFailures =
            counter("PinFailures", "Blocks that could not be locked in memory and were prefetched without a lock");
    public final MutableCounterLong overBudget = counter(
            "OverBudget", "Blocks and parts of windows not prefetched because descriptors or mappings were used up");
    public final MutableCounterLong internalErrors =
            counter("InternalErrors", "Failures of Foresight itself; HDFS went on without Foresight");
    public final MutableCounterLong threadDeaths =
            counter("ThreadDeaths", "Threads of Foresight that ended with an error and were replaced");
    public final MutableCounterLong windowRequests =
            counter("WindowRequests", "Accepted requests of clients for windows");
    public final MutableCounterLong windowBytes = counter("WindowReadBytes", "Bytes that windows read from disk");
    public final MutableCounterLong windowLateBytes =
            counter("WindowLateBytes", "Bytes read in idle time after their window had moved on");
    public final MutableCounterLong sessionsCutOff = counter(
            "SessionsCutOff", "Hint sessions and windows that ended because the client's connection was closed");
    public final MutableCounterLong laneRefusals = counter(
            "LaneRefusals",
            "Blocks and parts of windows not prefetched because too many prefetches wait for their volume");
    public final MutableCounterLong heldBack = counter(
            "HeldBack", "Hints and windows that began nothing because too many decisions waited to be carried out");
    private final MutableQuantiles hintMicros =
            registry.newQuantiles("HintMicros", "Time to take a hint", "hints", "Micros", QUANTILE_SECONDS);

    public final MutableCounterLong preallocations =
            counter("Preallocations", "Preallocations of space for blocks under construction");
    public final MutableCounterLong preallocatedBytes =
            counter("PreallocatedBytes", "Bytes preallocated for blocks under construction");
    public final MutableCounterLong preallocatedBytesFreed =
            counter("PreallocatedBytesFreed", "Preallocated bytes that were not used and were freed");
    public final MutableCounterLong preallocationMisses =
            counter("PreallocationMisses", "Writes beyond the preallocated space of their block");
    public final MutableCounterLong preallocationsRefused = counter(
            "PreallocationsRefused",
            "Preallocations refused because the volume or its allowance was full, or descriptors were used up");
    public final MutableCounterLong preallocationErrors =
            counter("PreallocationErrors", "Preallocations that failed with an error of the disk or the file");
    public final MutableCounterLong tailsSwept = counter(
            "TailsSwept",
            "Blocks whose unused preallocated tail was freed after a crash or a slow disk had left the tail");
    public final MutableCounterLong packHits =
            counter("PackHits", "Reads of small blocks whose checksums came from a pack");
    public final MutableCounterLong packMisses =
            counter("PackMisses", "Reads of small blocks whose checksums came from the block's own file");
    public final MutableCounterLong packsRead = counter("PacksRead", "Packs read into memory");
    public final MutableCounterLong packedBlocks = counter("PackedBlocks", "Blocks added to a pack");
    public final MutableCounterLong packsCompacted =
            counter("PacksCompacted", "Packs written again without their deleted blocks");
    public final MutableCounterLong packsDropped =
            counter("PacksDropped", "Blocks not added to a pack because too many waited or the volume was full");
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
        gauge("LiveThreads", "Live threads of Foresight", liveThreads::get);
        for (RefusalProto.Reason reason : RefusalProto.Reason.values()) {
            refusals.put(reason, counter("Refused" + camelCase(reason.name()), description(reason)));
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

    private static String description(RefusalProto.Reason reason) {
        switch (reason) {
            case DISABLED:
                return "Hints received while prefetching was switched off";
            case RATE_LIMITED:
                return "Hints above the rate limit of one client address";
            case MALFORMED:
                return "Hints or hinted blocks with a field missing or out of range";
            case BAD_TOKEN:
                return "Hinted blocks whose block token is missing, expired or of another block";
            case NO_REPLICA:
                return "Hinted blocks without a finalized replica on this DataNode";
            case STALE:
                return "Hinted blocks whose replica has another generation stamp or length";
            case TOO_MANY:
                return "Hinted blocks beyond the limits of hint sessions and hinted blocks";
            case UNKNOWN_POOL:
                return "Hints for a block pool that the DataNode does not serve, or whose token keys it does not have yet";
            case OTHER:
                return "Hints refused because of a failure of Foresight";
        }
        throw new IllegalArgumentException("reason is " + reason);
    }

    private static String camelCase(String constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.split("_")) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}

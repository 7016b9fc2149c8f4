/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metrics;

import io.github.foresight.client.lease.LeaseEvents;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this JVM's clients have hinted and kept, through Hadoop's metrics2 as source {@code ForesightClient}. Thread-safe. */
public final class ClientMetrics implements MetricsSource, LeaseEvents {

    private static final Logger LOG = LoggerFactory.getLogger(ClientMetrics.class);

    private static final String NAME = "ForesightClient";

    /** One for the JVM, as its streams share one observer. */
    public static final ClientMetrics INSTANCE = registered();

    private final MetricsRegistry registry = new MetricsRegistry(NAME);

    public final MutableCounterLong hintsSent = counter("HintsSent", "Hint messages that were answered");
    public final MutableCounterLong blocksAccepted = counter("BlocksAccepted", "Hinted blocks that DataNodes accepted");
    public final MutableCounterLong blocksRefused = counter("BlocksRefused", "Hinted blocks that DataNodes refused");
    public final MutableCounterLong hintsDropped = counter("HintsDropped", "Hints dropped because too many waited");
    public final MutableCounterLong hintErrors = counter("HintErrors", "Hints that were not answered");
    public final MutableCounterLong nodesWithout =
            counter("NodesWithout", "Times that a DataNode turned out not to know hints and was left alone");
    public final MutableCounterLong streamsWatched = counter("StreamsWatched", "Streams that began to read");
    public final MutableCounterLong streamsSequential =
            counter("StreamsSequential", "Streams found to read sequentially");
    public final MutableCounterLong streamsWithdrawn = counter("StreamsWithdrawn", "Streams found to read at random");
    public final MutableCounterLong filesWarmed =
            counter("FilesWarmed", "Predicted files whose first block a DataNode was asked to make resident");
    public final MutableCounterLong metadataHits =
            counter("MetadataHits", "Opens served from the cache, without asking the NameNode");
    public final MutableCounterLong metadataMisses =
            counter("MetadataMisses", "Opens for which the NameNode was asked");
    public final MutableCounterLong metadataPredicted =
            counter("MetadataPredicted", "Predicted files that the NameNode returned");
    public final MutableCounterLong metadataUsed =
            counter("MetadataUsed", "Of these, files that were opened from the cache");
    public final MutableCounterLong metadataWasted =
            counter("MetadataWasted", "Of these, files that left the cache without having been opened");
    public final MutableCounterLong metadataAhead = counter(
            "MetadataAhead", "Requests for the next prefetch group before all files of the last group were opened");
    public final MutableCounterLong metadataInvalidated =
            counter("MetadataInvalidated", "Changes of files and directories in the NameNode's notes");
    public final MutableCounterLong metadataStale =
            counter("MetadataStale", "Stale layouts that streams asked the NameNode for again");
    public final MutableCounterLong staleOpensRepeated = counter(
            "StaleOpensRepeated",
            "Files that had been replaced when they were opened, and were then opened as they are");
    final MutableCounterLong leaseRenewals = counter("LeaseRenewals", "Replies that renewed the lease with a NameNode");
    final MutableCounterLong recallsReceived =
            counter("RecallsReceived", "Files and directories that NameNodes recalled before these changed");
    final MutableCounterLong layoutsRecalled =
            counter("LayoutsRecalled", "Layouts that were forgotten because of recalls");
    final MutableCounterLong leaseExpired = counter(
            "LeaseExpired",
            "Opens for which the NameNode was asked because the lease or the layout's time had run out");
    final MutableCounterLong parkedCalls =
            counter("ParkedCalls", "Calls that waited at a NameNode for recalls, or were to");
    final MutableCounterLong parkFailures = counter("ParkFailures", "Of these, calls that failed");
    public final MutableCounterLong rangeReads =
            counter("RangeReads", "Reads of vectored reads, each from the replica that was chosen for the read");
    public final MutableCounterLong rangeReadFailures = counter(
            "RangeReadFailures",
            "Of such reads with a cached layout, reads that failed and that the application's own stream repeated");
    public final MutableCounterLong windowHits =
            counter("WindowHits", "Random reads within their window, sent to the file's replica node");
    public final MutableCounterLong windowTrailHits =
            counter("WindowTrailHits", "Random reads of what windows had left behind, sent to the file's replica node");
    public final MutableCounterLong windowMisses =
            counter("WindowMisses", "Random reads outside of their window, sent to an original");
    public final MutableCounterLong windowEarly = counter(
            "WindowEarly", "Random reads within a window that the replica node had not taken yet, sent to an original");
    public final MutableCounterLong windowLongReads = counter(
            "WindowLongReads", "Positioned reads left to HDFS because those before them were longer than a window");
    public final MutableCounterLong windowRests =
            counter("WindowRests", "Random reads left to HDFS because reads before them were seldom within the window");
    public final MutableCounterLong turnsStreamed =
            counter("TurnsStreamed", "Turns of streams that were left to hints because these read on, not at random");
    public final MutableCounterLong windowObjects =
            counter("WindowObjects", "Objects that windows came to cover by moving");
    public final MutableCounterLong windowRequests =
            counter("WindowRequests", "Windows that were sent to replica nodes");
    public final MutableCounterLong windowRefusals =
            counter("WindowRefusals", "Of these, windows that were refused or not answered");
    public final MutableCounterLong internalErrors =
            counter("InternalErrors", "Failures of Foresight itself; HDFS went on without it");
    /** Round trips of hints, in milliseconds. */
    public final MutableRate hintMillis = registry.newRate("HintMillis", "Round trip of a hint, milliseconds");

    private static ClientMetrics registered() {
        ClientMetrics metrics = new ClientMetrics();
        DefaultMetricsSystem.instance().register(NAME, "Foresight's hints and kept layouts", metrics);
        return metrics;
    }

    private MutableCounterLong counter(String name, String doc) {
        return registry.newCounter(name, doc, 0L);
    }

    @Override
    public void renewed() {
        leaseRenewals.incr();
    }

    @Override
    public void recalled(int paths, int layouts) {
        recallsReceived.incr(paths);
        layoutsRecalled.incr(layouts);
    }

    @Override
    public void expired() {
        leaseExpired.incr();
    }

    @Override
    public void parked() {
        parkedCalls.incr();
    }

    @Override
    public void parkFailed() {
        parkFailures.incr();
    }

    @Override
    public void failed(Throwable failure) {
        internalErrors.incr();
        LOG.debug("All layouts are forgotten", failure);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        registry.snapshot(collector.addRecord(NAME).setContext("dfs"), all);
    }
}

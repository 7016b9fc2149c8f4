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

    public final MutableCounterLong hintsSent = counter("HintsSent", "Hint messages that DataNodes answered");
    public final MutableCounterLong blocksAccepted = counter("BlocksAccepted", "Hinted blocks that DataNodes accepted");
    public final MutableCounterLong blocksRefused = counter("BlocksRefused", "Hinted blocks that DataNodes refused");
    public final MutableCounterLong hintsDropped =
            counter("HintsDropped", "Hint messages dropped because too many waited");
    public final MutableCounterLong hintErrors = counter("HintErrors", "Hint messages that DataNodes did not answer");
    public final MutableCounterLong nodesWithoutHints = counter(
            "NodesWithoutHints",
            "Times that a DataNode without Foresight was found; it gets no more hints for a while");
    public final MutableCounterLong streamsWatched = counter("StreamsWatched", "Streams that began to read");
    public final MutableCounterLong streamsSequential =
            counter("StreamsSequential", "Streams found to read sequentially");
    public final MutableCounterLong streamsRandom = counter("StreamsRandom", "Streams found to read at random");
    public final MutableCounterLong filesWarmed =
            counter("FilesWarmed", "Predicted files whose begin or footer was hinted");
    public final MutableCounterLong filesHeldBack = counter(
            "FilesHeldBack",
            "Predicted files that were not hinted when they came: none was opened yet, or files do not wait for their data");
    public final MutableCounterLong metadataHits =
            counter("MetadataHits", "Opens from a cached layout, without a request to the NameNode");
    public final MutableCounterLong metadataMisses = counter("MetadataMisses", "Opens with a request to the NameNode");
    public final MutableCounterLong metadataPredicted =
            counter("MetadataPredicted", "Predicted files that the NameNode returned");
    public final MutableCounterLong metadataUsed = counter("MetadataUsed", "Predicted files opened from the cache");
    public final MutableCounterLong metadataWasted =
            counter("MetadataWasted", "Predicted files that left the cache without an open");
    public final MutableCounterLong metadataOverflows = counter(
            "MetadataOverflows",
            "Layouts not cached because those of all file systems of the process took their limit");
    public final MutableCounterLong groupsAskedAhead = counter(
            "GroupsAskedAhead", "Requests for the next prefetch group before all files of the last group were opened");
    public final MutableCounterLong metadataInvalidated =
            counter("MetadataInvalidated", "Changed files and directories in the NameNode's notes");
    public final MutableCounterLong metadataStale =
            counter("MetadataStale", "Stale layouts that streams replaced by asking the NameNode");
    public final MutableCounterLong staleOpensRepeated =
            counter("StaleOpensRepeated", "Opens repeated at the NameNode because the file had been replaced");
    final MutableCounterLong leaseRenewals = counter("LeaseRenewals", "Replies that renewed the lease with a NameNode");
    final MutableCounterLong recallsReceived =
            counter("RecallsReceived", "Files and directories that NameNodes recalled before a change");
    final MutableCounterLong layoutsRecalled = counter("LayoutsRecalled", "Cached layouts dropped because of recalls");
    final MutableCounterLong leaseExpired =
            counter("LeaseExpired", "Opens with a request to the NameNode because the lease or the layout had expired");
    final MutableCounterLong parkedCalls = counter("ParkedCalls", "Calls parked at a NameNode for recalls");
    final MutableCounterLong parkFailures = counter("ParkFailures", "Parked calls that failed");
    public final MutableCounterLong rangeReads =
            counter("RangeReads", "Merged ranges of vectored reads, each read from the replica chosen for the range");
    public final MutableCounterLong rangeReadFailures = counter(
            "RangeReadFailures", "Failed ranges of vectored reads that the application's own stream read again");
    public final MutableCounterLong windowHits =
            counter("WindowHits", "Random reads within their window, sent to the replica node");
    public final MutableCounterLong windowTrailHits =
            counter("WindowTrailHits", "Random reads of earlier parts of a window, sent to the replica node");
    public final MutableCounterLong windowMisses =
            counter("WindowMisses", "Random reads outside their window, sent to an original replica");
    public final MutableCounterLong windowEarly = counter(
            "WindowEarly",
            "Random reads in a window that the replica node had not accepted yet, sent to an original replica");
    public final MutableCounterLong windowLongReads = counter(
            "WindowLongReads", "Positioned reads left to HDFS because the reads before them were longer than a window");
    public final MutableCounterLong windowRests =
            counter("WindowRests", "Random reads left to HDFS because few reads before them were within the window");
    public final MutableCounterLong streamedTurns = counter(
            "StreamedTurns", "Parts of streams that are read sequentially and therefore use hints instead of a window");
    public final MutableCounterLong windowObjects =
            counter("WindowObjects", "Objects that windows covered after a move");
    public final MutableCounterLong windowRequests = counter("WindowRequests", "Windows sent to replica nodes");
    public final MutableCounterLong windowRefusals =
            counter("WindowRefusals", "Windows that replica nodes refused or did not answer");
    public final MutableCounterLong internalErrors =
            counter("InternalErrors", "Failures of Foresight itself; HDFS went on without Foresight");
    /** Round trips of hints, in milliseconds. */
    public final MutableRate hintMillis = registry.newRate("HintMillis", "Round trip of a hint, milliseconds");

    private static ClientMetrics registered() {
        ClientMetrics metrics = new ClientMetrics();
        DefaultMetricsSystem.instance().register(NAME, "Foresight's hints and cached layouts", metrics);
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

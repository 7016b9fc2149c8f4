/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.metrics;

import io.github.foresight.core.guard.UserAccessHistory;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.lease.LayoutLeases;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Refusal;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableQuantiles;

/**
 * The metrics of Foresight in the NameNode, as source {@code Foresight} of Hadoop's metrics2: counters for events, gauges for
 * levels, quantiles for times. Thread-safe.
 */
public final class NameNodeMetrics implements MetricsSource {

    public static final String NAME = "Foresight";
    private static final int QUANTILE_SECONDS = 60;
    private static final int OPENS_PER_TIMED = 16;

    private final MetricsRegistry registry = new MetricsRegistry(NAME);

    public final MutableCounterLong opens = counter("Opens", "Opens that the NameNode answered and learned from");
    public final MutableCounterLong hits =
            counter("Hits", "Opens from cached layouts that clients reported and the NameNode learned from");
    public final MutableCounterLong hitsDropped =
            counter("HitsDropped", "Reported hits beyond the most that one request may report");
    public final MutableCounterLong hitsRefused =
            counter("HitsRefused", "Reported hits of files that the client was not granted and had not opened lately");
    public final MutableCounterLong hitsLost =
            counter("HitsLost", "Reported hits that were not learned because learning was off or the request failed");
    public final MutableCounterLong reportsRefused =
            counter("ReportsRefused", "Notes of clients, or reports in notes, that were too large or malformed");
    public final MutableCounterLong predicted =
            counter("Predicted", "Files predicted with at least the least confidence");
    public final MutableCounterLong heldBack =
            counter("HeldBack", "Predictions withheld because too few earlier predictions were used");
    public final MutableCounterLong repeated = counter(
            "Repeated",
            "Predicted files left out of a reply because the client still has the layout from an earlier reply");
    public final MutableCounterLong returned =
            counter("Returned", "Predicted files that the NameNode returned to clients");
    public final MutableCounterLong returnedBytes =
            counter("ReturnedBytes", "Bytes that Foresight's notes added to replies");
    public final MutableCounterLong siblings =
            counter("Siblings", "Returned files that were predicted by the number in their name");
    public final MutableCounterLong bundled =
            counter("Bundled", "Layouts that the NameNode returned with directory listings");
    public final MutableCounterLong stated =
            counter("Stated", "Layouts that the NameNode returned with the status of the same file");
    public final MutableCounterLong stockHinted =
            counter("StockHinted", "Predicted files whose hints the NameNode sent to DataNodes for stock clients");
    public final MutableCounterLong stockAccepted =
            counter("StockAccepted", "Predicted files whose hints for stock clients a DataNode accepted");
    public final MutableCounterLong stockUsed =
            counter("StockUsed", "Opens by stock clients of files that had been hinted for them");
    public final MutableCounterLong stockDropped =
            counter("StockDropped", "Predicted files not hinted for stock clients because too many hints waited");
    public final MutableCounterLong stockErrors =
            counter("StockErrors", "Hints for stock clients that a DataNode did not answer");
    public final MutableCounterLong used = counter("Used", "Predicted files that clients reported as used");
    public final MutableCounterLong wasted =
            counter("Wasted", "Predicted files that clients reported as dropped without use");
    public final MutableCounterLong refusedUnknown = counter("RefusedUnknown", "Predicted files that do not exist");
    public final MutableCounterLong refusedByPermission =
            counter("RefusedByPermission", "Predicted files that the client may not read");
    public final MutableCounterLong refusedUnderConstruction =
            counter("RefusedUnderConstruction", "Predicted files that were under construction");
    public final MutableCounterLong refusedUnlocated =
            counter("RefusedUnlocated", "Predicted files with a missing or corrupt block");
    public final MutableCounterLong refusedUnlistable = counter(
            "RefusedUnlistable",
            "Predicted files in a directory that the user may not list, at a path that the user has not opened");
    public final MutableCounterLong refusedByEnforcer = counter(
            "RefusedByEnforcer",
            "Predicted files of an external enforcer that is not asked or has refused them lately");
    public final MutableCounterLong refusedBusy = counter(
            "RefusedBusy",
            "Predicted files not read because the namesystem's lock was contended or the NameNode had become standby");
    public final MutableCounterLong failedFiles = counter(
            "FailedFiles", "Predicted files that could not be read or serialized; the reply has the other files");
    public final MutableCounterLong skippedBusy = counter(
            "SkippedBusy",
            "Predictions skipped because too many threads waited for the namesystem's lock or too many calls for a handler");
    public final MutableCounterLong limitedByPriority = counter(
            "LimitedByPriority",
            "Replies with fewer predicted files because of the caller's low priority in HDFS's RPC scheduler");
    public final MutableCounterLong lockYields =
            counter("LockYields", "Times that a prediction released the namesystem's lock and took it again");
    public final MutableCounterLong refusedUnaudited =
            counter("RefusedUnaudited", "Replies without predicted files because the audit log had no room");
    public final MutableCounterLong grantsUnaudited =
            counter("GrantsUnaudited", "Granted files whose line in the audit log could not be written");
    public final MutableCounterLong opensAudited =
            counter("OpensAudited", "Opens from cached layouts that are in the audit log");
    public final MutableCounterLong opensUnaudited = counter(
            "OpensUnaudited",
            "Opens from cached layouts that are not in the audit log because it had no room or the logger failed");
    public final MutableCounterLong accessTimes =
            counter("AccessTimes", "Access times set for opens from cached layouts");
    public final MutableCounterLong accessTimesDropped = counter(
            "AccessTimesDropped",
            "Access times not set because too many waited, the file was deleted, or the NameNode could not write");
    public final MutableCounterLong invalidated = counter("Invalidated", "Cached layouts that changes invalidated");
    public final MutableCounterLong invalidationsOverflowed = counter(
            "InvalidationsOverflowed", "Clients that had to drop all cached layouts because too many had changed");
    public final MutableCounterLong grantsUntracked = counter(
            "GrantsUntracked",
            "Cached layouts that clients had to drop because their changes could not be tracked for lack of memory");
    public final MutableCounterLong allInvalidated = counter(
            "AllInvalidated",
            "Times that all clients had to drop all cached layouts because any file may have changed");
    public final MutableCounterLong layoutsGranted =
            counter("LayoutsGranted", "Layouts granted to clients under their leases");
    public final MutableCounterLong layoutsNotGranted = counter(
            "LayoutsNotGranted",
            "Layouts not granted because the file was being changed or a limit of the leases was reached");
    public final MutableCounterLong leasesRefused =
            counter("LeasesRefused", "Requests that got no lease because there were too many clients with leases");
    public final MutableCounterLong recalls = counter("Recalls", "Recalls of layouts that were sent to clients");
    public final MutableCounterLong changesWaited =
            counter("ChangesWaited", "Changes that waited for clients to return layouts");
    public final MutableCounterLong changesRefused =
            counter("ChangesRefused", "Changes refused with RetriableException because too many changes waited");
    public final MutableCounterLong changesWithoutRights = counter(
            "ChangesWithoutRights",
            "Changes that recalled no layout because their caller has none of the permissions that a change needs");
    public final MutableCounterLong changesByOtherWays = counter(
            "ChangesByOtherWays", "Changes by WebHDFS and other ways, whose layouts were recalled after the change");
    public final MutableCounterLong parkRefused =
            counter("ParkRefused", "Parked calls that were answered at once because too many calls were parked");
    public final MutableCounterLong editsTailed =
            counter("EditsTailed", "Edits that this NameNode read again for their changes while it was not active");
    public final MutableCounterLong editsSkipped = counter(
            "EditsSkipped",
            "Edits not read again because there were too many or their file was missing; all clients had to drop all cached layouts");
    public final MutableCounterLong balancedBlocks =
            counter("BalancedBlocks", "Blocks for which Foresight put another replica first than HDFS did");
    public final MutableCounterLong nodesSerialized = counter(
            "NodesSerialized",
            "Serialized descriptions of DataNodes, each reused until the next heartbeat of the DataNode");
    public final MutableCounterLong checkpoints = counter("Checkpoints", "Checkpoints of the graphs written");
    public final MutableCounterLong checkpointErrors =
            counter("CheckpointErrors", "Checkpoints of the graphs that could not be written or were refused");
    public final MutableCounterLong internalErrors =
            counter("InternalErrors", "Failures of Foresight itself; HDFS answered without Foresight");
    private final MutableQuantiles recallMicros = registry.newQuantiles(
            "RecallMicros",
            "Time that changes waited for clients to give layouts back",
            "changes",
            "Micros",
            QUANTILE_SECONDS);
    private final MutableQuantiles openMicros = registry.newQuantiles(
            "OpenMicros", "Time that Foresight took of an open, one in 16", "opens", "Micros", QUANTILE_SECONDS);

    /** Of {@link io.github.foresight.namenode.guard.PluginThreads}. */
    public final AtomicInteger liveThreads = new AtomicInteger();

    /** Failures of such threads that could not be logged. */
    public final AtomicInteger failuresUnlogged = new AtomicInteger();

    private static final class Gauge {
        final String doc;
        final LongSupplier level;

        Gauge(String doc, LongSupplier level) {
            this.doc = doc;
            this.level = level;
        }
    }

    private final Map<String, Gauge> gauges = new ConcurrentSkipListMap<>();

    private void gauge(String name, String doc, LongSupplier level) {
        gauges.put(name, new Gauge(doc, level));
    }

    public void observe(BooleanSupplier running) {
        gauge("LiveThreads", "Live threads of Foresight", liveThreads::get);
        gauge("FailuresUnlogged", "Failures of Foresight's threads that could not be logged", failuresUnlogged::get);
        gauge("Running", "1 if Foresight runs in this NameNode, else 0", () -> running.getAsBoolean() ? 1 : 0);
    }

    public void observeFeatures(LongSupplier resting) {
        gauge("FeaturesResting", "Features that are switched off for a while because they failed too often", resting);
    }

    public void observe(LongSupplier auditBytes) {
        gauge("AuditBytes", "Heap of the lines that wait to be written to the audit log", auditBytes);
    }

    public void observe(UserAccessHistory accessHistory) {
        gauge(
                "AccessHistoryBytes",
                "Heap of the paths that users have opened and of the refusals that are remembered",
                accessHistory::capacityBytes);
    }

    public void observe(LayoutLeases leases) {
        gauge(
                "LeaseSessions",
                "Clients with a lease, or with a lease that has run out and is not forgotten yet",
                leases::sessions);
        gauge("LeaseBytes", "Heap of the table of granted layouts", leases::bytes);
        gauge(
                "ParkedCalls",
                "Calls of clients that are parked until a recall; a parked call takes no handler",
                leases::parkedCalls);
        gauge(
                "ChangesWaiting",
                "Changes that wait for clients to return layouts; a waiting change takes no handler",
                leases::waitingChanges);
    }

    void waited(long nanos) {
        recallMicros.add(TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    public void observe(AccessLearner learner) {
        gauge("ClientBytes", "Estimated heap of the records of clients", learner::sessionBytes);
        gauge("GraphFiles", "Files in the graph of files", () -> learner.files().vertices());
        gauge("GraphPairs", "Pairs of files in the graph of pairs", () -> learner.pairs()
                .vertices());
        gauge(
                "GraphBytes",
                "Allocated memory of the graphs outside the heap",
                () -> learner.files().capacityBytes() + learner.pairs().capacityBytes());
        gauge(
                "GraphFilesEvicted",
                "Files evicted from the graph since the start because it was full",
                () -> learner.files().evictions());
        gauge(
                "GraphPairsEvicted",
                "Pairs evicted from the graph since the start because it was full",
                () -> learner.pairs().evictions());
        gauge(
                "GraphRefused",
                "Files and pairs not added since the start because their user had used up its share",
                () -> learner.files().refusals() + learner.pairs().refusals());
        gauge("Clients", "Clients that are distinguished now", learner::sessionCount);
    }

    public void observeGrants(LongSupplier grants, LongSupplier bytes) {
        gauge("Grants", "Cached layouts of clients that are tracked for changes", grants);
        gauge("GrantsBytes", "Heap of the cached layouts that are tracked for changes", bytes);
    }

    /** Chooses one open in {@value #OPENS_PER_TIMED} for a time measurement, because each measurement costs time too. */
    public static boolean isTimed() {
        return ThreadLocalRandom.current().nextInt(OPENS_PER_TIMED) == 0;
    }

    public void timed(long nanos) {
        openMicros.add(TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    public void refused(Refusal reason) {
        switch (reason) {
            case UNKNOWN:
                refusedUnknown.incr();
                break;
            case NOT_PERMITTED:
                refusedByPermission.incr();
                break;
            case UNDER_CONSTRUCTION:
                refusedUnderConstruction.incr();
                break;
            case UNLOCATED:
                refusedUnlocated.incr();
                break;
            case NOT_LISTABLE:
                refusedUnlistable.incr();
                break;
            case LEFT_TO_ENFORCER:
                refusedByEnforcer.incr();
                break;
            case NOT_NOW:
                refusedBusy.incr();
                break;
            case FAILED:
                failedFiles.incr();
                break;
        }
    }

    public void register() {
        DefaultMetricsSystem.instance().register(NAME, "Foresight's learning and predictions", this);
    }

    public void unregister() {
        DefaultMetricsSystem.instance().unregisterSource(NAME);
        openMicros.stop();
        recallMicros.stop();
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
        // Gauges come first: reading them makes the learner count the pending opens.
        gauges.forEach((name, gauge) -> record.addGauge(Interns.info(name, gauge.doc), gauge.level.getAsLong()));
        registry.snapshot(record, all);
    }

    private MutableCounterLong counter(String name, String doc) {
        return registry.newCounter(name, doc, 0L);
    }
}

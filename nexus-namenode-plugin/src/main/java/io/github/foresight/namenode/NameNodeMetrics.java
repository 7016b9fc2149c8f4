/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import io.github.foresight.core.guard.UserAccessHistory;
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
 * What Foresight does in the NameNode, through Hadoop's metrics2 as source {@code Foresight}: counters for events, gauges for
 * levels, quantiles for times. Thread-safe.
 */
final class NameNodeMetrics implements MetricsSource {

    static final String NAME = "Foresight";
    private static final int QUANTILE_SECONDS = 60;
    private static final int OPENS_PER_TIMED = 16;

    private final MetricsRegistry registry = new MetricsRegistry(NAME);

    final MutableCounterLong opens = counter("Opens", "Opens recorded that reached the NameNode");
    final MutableCounterLong hits = counter("Hits", "Opens recorded that clients report as served by themselves");
    final MutableCounterLong hitsDropped = counter("HitsDropped", "Hits that were reported too many at once");
    final MutableCounterLong hitsRefused = counter(
            "HitsRefused", "Hits reported of files that the client had not been granted and had not opened lately");
    final MutableCounterLong hitsLost =
            counter("HitsLost", "Hits reported while learning was off or rested, or with an open that failed");
    final MutableCounterLong reportsRefused = counter(
            "ReportsRefused",
            "Notes of clients, and reports in them, that were too large or not as a client makes them");
    final MutableCounterLong predicted = counter("Predicted", "Files predicted with enough confidence");
    final MutableCounterLong heldBack =
            counter("HeldBack", "Predictions not made, or opens after which none was, as too few had been of use");
    final MutableCounterLong repeated =
            counter("Repeated", "Predictions not made as the client had been told of the file just before");
    final MutableCounterLong handedOut = counter("HandedOut", "Files that clients were told of by prediction");
    final MutableCounterLong handedOutBytes = counter("HandedOutBytes", "Bytes that notes have added to replies");
    final MutableCounterLong siblings = counter("Siblings", "Of the files handed out, those guessed by their number");
    final MutableCounterLong bundled = counter("Bundled", "Files that clients were told of with a listing");
    final MutableCounterLong stockHinted =
            counter("StockHinted", "Files of which DataNodes were told for clients without Foresight");
    final MutableCounterLong stockTaken = counter("StockTaken", "Of these, files that DataNodes took to read ahead");
    final MutableCounterLong stockUsed =
            counter("StockUsed", "Opens by clients without Foresight of files that DataNodes were told of for them");
    final MutableCounterLong stockDropped =
            counter("StockDropped", "Files of which no DataNode was told as too many waited to be sent");
    final MutableCounterLong stockErrors =
            counter("StockErrors", "Messages for clients without Foresight that a DataNode did not answer");
    final MutableCounterLong used = counter("Used", "Predictions that clients report as used");
    final MutableCounterLong wasted =
            counter("Wasted", "Predictions that clients report as given up without being used");
    final MutableCounterLong refusedUnknown =
            counter("RefusedUnknown", "Predicted files that were gone, or not there in the first place");
    final MutableCounterLong refusedByPermission =
            counter("RefusedByPermission", "Predicted files that the client may not read");
    final MutableCounterLong refusedUnderConstruction =
            counter("RefusedUnderConstruction", "Predicted files that were being written");
    final MutableCounterLong refusedUnlocated =
            counter("RefusedUnlocated", "Predicted files with a block that is missing or corrupt");
    final MutableCounterLong refusedUnlistable = counter(
            "RefusedUnlistable",
            "Predicted files in a directory that the user may not list, whose path the user has not opened");
    final MutableCounterLong refusedByEnforcer = counter(
            "RefusedByEnforcer",
            "Predicted files that an external enforcer decides on, which is not asked or has refused them lately");
    final MutableCounterLong refusedBusy = counter(
            "RefusedBusy",
            "Predicted files not read as too many threads waited for the namesystem's lock, or as the NameNode had become standby");
    final MutableCounterLong failedFiles =
            counter("FailedFiles", "Predicted files that could not be read or described; the others were returned");
    final MutableCounterLong skippedBusy = counter(
            "SkippedBusy",
            "Predictions not made as too many threads waited for the namesystem's lock, or calls for a handler");
    final MutableCounterLong limitedByPriority = counter(
            "LimitedByPriority",
            "Replies with fewer predictions, or none, as HDFS's scheduler had lowered the caller's priority and calls waited");
    final MutableCounterLong lockYields =
            counter("LockYields", "Times that a prediction gave the namesystem's lock up and took it again");
    final MutableCounterLong refusedUnaudited =
            counter("RefusedUnaudited", "Replies left without predictions as the audit log could not take them");
    final MutableCounterLong grantsUnaudited = counter(
            "GrantsUnaudited", "Files granted whose line in the audit log could not be written, as the logger failed");
    final MutableCounterLong opensAudited =
            counter("OpensAudited", "Opens that clients served by themselves and that are in the audit log");
    final MutableCounterLong opensUnaudited = counter(
            "OpensUnaudited",
            "Opens that clients served by themselves, for which the audit log had no room or whose line failed");
    final MutableCounterLong accessTimes =
            counter("AccessTimes", "Access times set for opens that clients served by themselves");
    final MutableCounterLong accessTimesDropped = counter(
            "AccessTimesDropped",
            "Access times not set, as too many waited, the file was gone, or this NameNode was not active or in safe mode");
    final MutableCounterLong invalidated = counter("Invalidated", "Entries of clients that changes made invalid");
    final MutableCounterLong invalidationsOverflowed =
            counter("InvalidationsOverflowed", "Clients told to forget everything, as too much had changed");
    final MutableCounterLong grantsForgotten = counter(
            "GrantsForgotten",
            "Entries that clients were told to forget or not to keep, for want of room to follow them");
    final MutableCounterLong allForgotten = counter(
            "AllForgotten", "Times at which all clients were told to forget everything, as anything may have changed");
    final MutableCounterLong layoutsGranted =
            counter("LayoutsGranted", "Layouts granted to clients under their leases");
    final MutableCounterLong layoutsNotGranted = counter(
            "LayoutsNotGranted", "Layouts not granted, being changed, or for want of room in the limits of leases");
    final MutableCounterLong leasesRefused =
            counter("LeasesRefused", "Requests of clients that got no lease, as there were too many");
    final MutableCounterLong recalls = counter("Recalls", "Clients that were recalled a layout by a change");
    final MutableCounterLong changesWaited =
            counter("ChangesWaited", "Changes that waited for clients to give layouts back");
    final MutableCounterLong changesRefused =
            counter("ChangesRefused", "Changes refused, to be tried again, as too many waited");
    final MutableCounterLong changesWithoutRights = counter(
            "ChangesWithoutRights",
            "Changes that recalled nothing, as their caller has no right that any change needs");
    final MutableCounterLong changesElsewhere = counter(
            "ChangesElsewhere", "Changes by WebHDFS and other ways, whose layouts were recalled after the change");
    final MutableCounterLong parkRefused = counter(
            "ParkRefused", "Calls that were to wait for a recall and were answered at once, as too many waited");
    final MutableCounterLong editsTailed =
            counter("EditsTailed", "Edits read again, while this NameNode was not active, for what they changed");
    final MutableCounterLong editsPassedOver = counter(
            "EditsPassedOver",
            "Edits not read again, being too many or not found; all clients were told to forget everything");
    final MutableCounterLong balancedBlocks =
            counter("BalancedBlocks", "Blocks of which another replica came first than HDFS had put there");
    final MutableCounterLong described = counter(
            "Described", "Descriptions of DataNodes made, each for the answers until the DataNode's next heartbeat");
    final MutableCounterLong checkpoints = counter("Checkpoints", "Checkpoints written");
    final MutableCounterLong checkpointErrors =
            counter("CheckpointErrors", "Checkpoints that could not be written or were refused");
    final MutableCounterLong internalErrors =
            counter("InternalErrors", "Failures of Foresight itself; HDFS answered without it");
    private final MutableQuantiles recallMicros = registry.newQuantiles(
            "RecallMicros",
            "Time that changes waited for clients to give layouts back",
            "changes",
            "Micros",
            QUANTILE_SECONDS);
    private final MutableQuantiles openMicros = registry.newQuantiles(
            "OpenMicros", "Time that Foresight took of an open, one in 16", "opens", "Micros", QUANTILE_SECONDS);

    /** Of {@link PluginThreads}. */
    final AtomicInteger liveThreads = new AtomicInteger();

    /** Failures of such threads that could not be logged. */
    final AtomicInteger failuresUnlogged = new AtomicInteger();

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

    void observe(BooleanSupplier running) {
        gauge("LiveThreads", "Threads of Foresight's that are alive", liveThreads::get);
        gauge("FailuresUnlogged", "Failures of these threads that could not be logged", failuresUnlogged::get);
        gauge("Running", "1 if Foresight is at work in this NameNode, else 0", () -> running.getAsBoolean() ? 1 : 0);
    }

    void observe(Features features) {
        gauge("FeaturesResting", "Features that have failed too often and are left for a while", features::resting);
    }

    void observe(LongSupplier auditBytes) {
        gauge("AuditBytes", "Heap that what waits to be written to the audit log takes", auditBytes);
    }

    void observe(UserAccessHistory accessHistory) {
        gauge(
                "DiscretionBytes",
                "Heap that what users have opened and were refused takes",
                accessHistory::capacityBytes);
    }

    void observe(LayoutLeases leases) {
        gauge("LeaseSessions", "Clients that have a lease, or had one", leases::sessions);
        gauge("LeaseBytes", "Heap that keeping track of granted layouts takes", leases::bytes);
        gauge("ParkedCalls", "Calls of clients that wait for a recall, without a handler", leases::parkedCalls);
        gauge(
                "ChangesWaiting",
                "Changes that wait for clients to give layouts back, without a handler",
                leases::waitingChanges);
    }

    void waited(long nanos) {
        recallMicros.add(TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    void observe(AccessLearner learner, Invalidations invalidations) {
        gauge("ClientBytes", "Heap that what is known of clients takes, about", learner::sessionBytes);
        gauge("GraphFiles", "Files of which something is known", () -> learner.files()
                .vertices());
        gauge("GraphPairs", "Pairs of files of which something is known", () -> learner.pairs()
                .vertices());
        gauge(
                "GraphBytes",
                "Memory outside the heap that the graphs take, used or not",
                () -> learner.files().capacityBytes() + learner.pairs().capacityBytes());
        gauge("GraphFilesEvicted", "Files forgotten so far for want of room", () -> learner.files()
                .evictions());
        gauge("GraphPairsEvicted", "Pairs forgotten so far for want of room", () -> learner.pairs()
                .evictions());
        gauge(
                "GraphRefused",
                "Files and pairs not kept so far as their user had more than its share",
                () -> learner.files().refusals() + learner.pairs().refusals());
        gauge("Clients", "Clients told apart", learner::sessionCount);
        gauge("Grants", "Entries of clients' caches that are kept track of", invalidations::grantCount);
        gauge("GrantsBytes", "Heap that keeping track of clients' entries takes", invalidations::bytes);
    }

    /** Whether this open's time should be taken: one in so many tells as much, and taking it costs as well. */
    static boolean isTimed() {
        return ThreadLocalRandom.current().nextInt(OPENS_PER_TIMED) == 0;
    }

    void timed(long nanos) {
        openMicros.add(TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    void refused(Refusal reason) {
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

    void register() {
        DefaultMetricsSystem.instance().register(NAME, "Foresight's learning and predictions", this);
    }

    void unregister() {
        DefaultMetricsSystem.instance().unregisterSource(NAME);
        openMicros.stop();
        recallMicros.stop();
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
        // First those that make the learner count what waits to be learned.
        gauges.forEach((name, gauge) -> record.addGauge(Interns.info(name, gauge.doc), gauge.level.getAsLong()));
        registry.snapshot(record, all);
    }

    private MutableCounterLong counter(String name, String doc) {
        return registry.newCounter(name, doc, 0L);
    }
}

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

    public final MutableCounterLong opens = counter("Opens", "Opens recorded that reached the NameNode");
    public final MutableCounterLong hits =
            counter("Hits", "Opens recorded that clients report as served by themselves");
    public final MutableCounterLong hitsDropped = counter("HitsDropped", "Hits that were reported too many at once");
    public final MutableCounterLong hitsRefused = counter(
            "HitsRefused", "Hits reported of files that the client had not been granted and had not opened lately");
    public final MutableCounterLong hitsLost =
            counter("HitsLost", "Hits reported while learning was off or rested, or with an open that failed");
    public final MutableCounterLong reportsRefused = counter(
            "ReportsRefused",
            "Notes of clients, and reports in them, that were too large or not as a client makes them");
    public final MutableCounterLong predicted = counter("Predicted", "Files predicted with enough confidence");
    public final MutableCounterLong heldBack =
            counter("HeldBack", "Predictions not made, or opens after which none was, as too few had been of use");
    public final MutableCounterLong repeated =
            counter("Repeated", "Predictions not made as the client had been told of the file just before");
    public final MutableCounterLong handedOut = counter("HandedOut", "Files that clients were told of by prediction");
    public final MutableCounterLong handedOutBytes =
            counter("HandedOutBytes", "Bytes that notes have added to replies");
    public final MutableCounterLong siblings =
            counter("Siblings", "Of the files handed out, those guessed by their number");
    public final MutableCounterLong bundled = counter("Bundled", "Files that clients were told of with a listing");
    public final MutableCounterLong stockHinted =
            counter("StockHinted", "Files of which DataNodes were told for clients without Foresight");
    public final MutableCounterLong stockTaken =
            counter("StockTaken", "Of these, files that DataNodes took to read ahead");
    public final MutableCounterLong stockUsed =
            counter("StockUsed", "Opens by clients without Foresight of files that DataNodes were told of for them");
    public final MutableCounterLong stockDropped =
            counter("StockDropped", "Files of which no DataNode was told as too many waited to be sent");
    public final MutableCounterLong stockErrors =
            counter("StockErrors", "Messages for clients without Foresight that a DataNode did not answer");
    public final MutableCounterLong used = counter("Used", "Predictions that clients report as used");
    public final MutableCounterLong wasted =
            counter("Wasted", "Predictions that clients report as given up without being used");
    public final MutableCounterLong refusedUnknown =
            counter("RefusedUnknown", "Predicted files that were gone, or not there in the first place");
    public final MutableCounterLong refusedByPermission =
            counter("RefusedByPermission", "Predicted files that the client may not read");
    public final MutableCounterLong refusedUnderConstruction =
            counter("RefusedUnderConstruction", "Predicted files that were being written");
    public final MutableCounterLong refusedUnlocated =
            counter("RefusedUnlocated", "Predicted files with a block that is missing or corrupt");
    public final MutableCounterLong refusedUnlistable = counter(
            "RefusedUnlistable",
            "Predicted files in a directory that the user may not list, whose path the user has not opened");
    public final MutableCounterLong refusedByEnforcer = counter(
            "RefusedByEnforcer",
            "Predicted files that an external enforcer decides on, which is not asked or has refused them lately");
    public final MutableCounterLong refusedBusy = counter(
            "RefusedBusy",
            "Predicted files not read as too many threads waited for the namesystem's lock, or as the NameNode had become standby");
    public final MutableCounterLong failedFiles =
            counter("FailedFiles", "Predicted files that could not be read or described; the others were returned");
    public final MutableCounterLong skippedBusy = counter(
            "SkippedBusy",
            "Predictions not made as too many threads waited for the namesystem's lock, or calls for a handler");
    public final MutableCounterLong limitedByPriority = counter(
            "LimitedByPriority",
            "Replies with fewer predictions, or none, as HDFS's scheduler had lowered the caller's priority and calls waited");
    public final MutableCounterLong lockYields =
            counter("LockYields", "Times that a prediction gave the namesystem's lock up and took it again");
    public final MutableCounterLong refusedUnaudited =
            counter("RefusedUnaudited", "Replies left without predictions as the audit log could not take them");
    public final MutableCounterLong grantsUnaudited = counter(
            "GrantsUnaudited", "Files granted whose line in the audit log could not be written, as the logger failed");
    public final MutableCounterLong opensAudited =
            counter("OpensAudited", "Opens that clients served by themselves and that are in the audit log");
    public final MutableCounterLong opensUnaudited = counter(
            "OpensUnaudited",
            "Opens that clients served by themselves, for which the audit log had no room or whose line failed");
    public final MutableCounterLong accessTimes =
            counter("AccessTimes", "Access times set for opens that clients served by themselves");
    public final MutableCounterLong accessTimesDropped = counter(
            "AccessTimesDropped",
            "Access times not set, as too many waited, the file was gone, or this NameNode was not active or in safe mode");
    public final MutableCounterLong invalidated =
            counter("Invalidated", "Entries of clients that changes made invalid");
    public final MutableCounterLong invalidationsOverflowed =
            counter("InvalidationsOverflowed", "Clients told to forget everything, as too much had changed");
    public final MutableCounterLong grantsForgotten = counter(
            "GrantsForgotten",
            "Entries that clients were told to forget or not to keep, for want of room to follow them");
    public final MutableCounterLong allForgotten = counter(
            "AllForgotten", "Times at which all clients were told to forget everything, as anything may have changed");
    public final MutableCounterLong layoutsGranted =
            counter("LayoutsGranted", "Layouts granted to clients under their leases");
    public final MutableCounterLong layoutsNotGranted = counter(
            "LayoutsNotGranted", "Layouts not granted, being changed, or for want of room in the limits of leases");
    public final MutableCounterLong leasesRefused =
            counter("LeasesRefused", "Requests of clients that got no lease, as there were too many");
    public final MutableCounterLong recalls = counter("Recalls", "Clients that were recalled a layout by a change");
    public final MutableCounterLong changesWaited =
            counter("ChangesWaited", "Changes that waited for clients to give layouts back");
    public final MutableCounterLong changesRefused =
            counter("ChangesRefused", "Changes refused, to be tried again, as too many waited");
    public final MutableCounterLong changesWithoutRights = counter(
            "ChangesWithoutRights",
            "Changes that recalled nothing, as their caller has no right that any change needs");
    public final MutableCounterLong changesElsewhere = counter(
            "ChangesElsewhere", "Changes by WebHDFS and other ways, whose layouts were recalled after the change");
    public final MutableCounterLong parkRefused = counter(
            "ParkRefused", "Calls that were to wait for a recall and were answered at once, as too many waited");
    public final MutableCounterLong editsTailed =
            counter("EditsTailed", "Edits read again, while this NameNode was not active, for what they changed");
    public final MutableCounterLong editsPassedOver = counter(
            "EditsPassedOver",
            "Edits not read again, being too many or not found; all clients were told to forget everything");
    public final MutableCounterLong balancedBlocks =
            counter("BalancedBlocks", "Blocks of which another replica came first than HDFS had put there");
    public final MutableCounterLong described = counter(
            "Described", "Descriptions of DataNodes made, each for the answers until the DataNode's next heartbeat");
    public final MutableCounterLong checkpoints = counter("Checkpoints", "Checkpoints written");
    public final MutableCounterLong checkpointErrors =
            counter("CheckpointErrors", "Checkpoints that could not be written or were refused");
    public final MutableCounterLong internalErrors =
            counter("InternalErrors", "Failures of Foresight itself; HDFS answered without it");
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
        gauge("LiveThreads", "Threads of Foresight's that are alive", liveThreads::get);
        gauge("FailuresUnlogged", "Failures of these threads that could not be logged", failuresUnlogged::get);
        gauge("Running", "1 if Foresight is at work in this NameNode, else 0", () -> running.getAsBoolean() ? 1 : 0);
    }

    public void observeFeatures(LongSupplier resting) {
        gauge("FeaturesResting", "Features that have failed too often and are left for a while", resting);
    }

    public void observe(LongSupplier auditBytes) {
        gauge("AuditBytes", "Heap that what waits to be written to the audit log takes", auditBytes);
    }

    public void observe(UserAccessHistory accessHistory) {
        gauge(
                "DiscretionBytes",
                "Heap that what users have opened and were refused takes",
                accessHistory::capacityBytes);
    }

    public void observe(LayoutLeases leases) {
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

    public void observe(AccessLearner learner) {
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
    }

    public void observeGrants(LongSupplier grants, LongSupplier bytes) {
        gauge("Grants", "Entries of clients' caches that are kept track of", grants);
        gauge("GrantsBytes", "Heap that keeping track of clients' entries takes", bytes);
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

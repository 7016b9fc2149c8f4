/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.audit;

import io.github.foresight.core.guard.SharedRoom;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.guard.PluginThreads;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.ServedFiles.Served;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records opens that clients served from a cached layout as HDFS records an open: with a line in an audit log and the access time
 * of the file.
 *
 * <p>A handler only queues the report of a client. One thread finds the files' paths, at most {@value #FILES_AT_ONCE} under one
 * read lock of HDFS's, and writes the lines; another sets access times, so that no line waits for the edit log. What waits is
 * bounded in bytes, of which no user takes all ({@link SharedRoom}); a report for which there is no room is dropped and counted, and
 * nothing is granted to its user until there is room again. Thread-safe.
 */
public final class OpenTrail implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(OpenTrail.class);

    /** The most files per hold of the read lock. Such a hold is as short as the hold of a small prediction. */
    private static final int FILES_AT_ONCE = 32;

    /** Batches of access times that wait; each has at most {@value #FILES_AT_ONCE}. */
    private static final int TIMES_MAX = 1024;

    /** Heap of a report with its arrays and its queue node. */
    private static final int REPORT_BYTES = 256;

    /** Heap of the largest usual report. */
    private static final int REPORT_BYTES_MAX = 16 << 10;

    private static final long CLOSE_SECONDS = 5;
    private static final long IDLE_SECONDS = 10;

    /** Marks an open that a client served from a cached layout, in the caller context of the cluster's audit log. */
    static final String MARK = "foresight:served";

    /** The part of the namespace that the trail uses. */
    public interface Namespace {

        /** Finds files by their first blocks' ids, in order; null for a deleted file. */
        List<@Nullable Served> find(long[] firstBlocks, long openedMillis);

        /** Whether HDFS keeps access times. */
        boolean keepsTimes();

        /**
         * Sets files' access times, where they are older than HDFS's precision.
         *
         * @return how many files still were there; 0 if this NameNode may change nothing now
         */
        int setAccessTimes(long[] inodeIds, long millis) throws IOException;

        void audit(String user, @Nullable InetAddress address, String path, @Nullable CallerContext context);

        int contextMax();
    }

    /** Takes the lines of Foresight's audit log. */
    public interface Lines {
        boolean areWanted();

        void write(String line);
    }

    /** The user, address and caller context of an open, in the form of HDFS's audit log. Immutable. */
    public static final class Opener {
        public final String user;
        public final @Nullable InetAddress address;
        public final @Nullable CallerContext context;

        public Opener(String user, @Nullable InetAddress address, @Nullable CallerContext context) {
            this.user = user;
            this.address = address;
            this.context = context;
        }

        /** The opener of the RPC that this thread handles. */
        public static Opener current() throws IOException {
            UserGroupInformation remote = Server.getRemoteUser();
            return new Opener(
                    (remote == null ? UserGroupInformation.getCurrentUser() : remote).toString(),
                    Server.getRemoteIp(),
                    CallerContext.getCurrent());
        }
    }

    private static final class Report {
        static final Report LAST = new Report("", new Opener("", null, null), new long[0], 0);

        final String account;
        final Opener opener;
        final long[] firstBlocks;
        final long millis;

        Report(String account, Opener opener, long[] firstBlocks, long millis) {
            this.account = account;
            this.opener = opener;
            this.firstBlocks = firstBlocks;
            this.millis = millis;
        }

        /** Its heap, with all texts that the client has chosen. */
        long bytes() {
            String text = opener.context == null ? null : opener.context.getContext();
            byte[] signature = opener.context == null ? null : opener.context.getSignature();
            long characters = (long) account.length() + opener.user.length() + (text == null ? 0 : text.length());
            return REPORT_BYTES
                    + 2 * characters
                    + (signature == null ? 0 : signature.length)
                    + (long) Long.BYTES * firstBlocks.length;
        }
    }

    private final Namespace namespace;
    private final Lines lines;
    private final boolean toClustersLoggers;
    private final boolean keepsTimes;
    private final SharedRoom room;
    private final NameNodeMetrics metrics;
    private final BlockingQueue<Report> waiting = new LinkedBlockingQueue<>();
    private final PluginThreads threads;
    private final Thread writer;
    private final ThreadPoolExecutor times;

    /**
     * Makes a trail whose thread waits for reports.
     *
     * @param toClustersLoggers whether opens are handed to the cluster's audit loggers, too
     * @param keepsTimes whether access times are set
     * @param capacityBytes what may wait
     */
    public OpenTrail(
            Namespace namespace,
            Lines lines,
            boolean toClustersLoggers,
            boolean keepsTimes,
            long capacityBytes,
            NameNodeMetrics metrics) {
        this.namespace = namespace;
        this.lines = lines;
        this.toClustersLoggers = toClustersLoggers;
        this.keepsTimes = keepsTimes;
        this.room = new SharedRoom(capacityBytes);
        this.metrics = metrics;
        this.threads = new PluginThreads("foresight-opens", metrics);
        this.times = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(TIMES_MAX),
                new PluginThreads("foresight-times", metrics));
        times.allowCoreThreadTimeOut(true);
        this.writer = threads.newThread(this::write);
        writer.start();
    }

    /** Whether an open is recorded anywhere. */
    boolean isWanted() {
        return toClustersLoggers || isKeepingTimes() || lines.areWanted();
    }

    private boolean isKeepingTimes() {
        return keepsTimes && namespace.keepsTimes();
    }

    /**
     * Whether there is room for another report of a user's; while there is none, nothing that the user could open unseen should be
     * granted.
     *
     * @param account the user's name
     */
    public boolean hasRoom(String account) {
        return room.hasRoom(Caller.bounded(account), REPORT_BYTES_MAX);
    }

    /** The heap of the waiting reports, in bytes. */
    public long waitingBytes() {
        return room.heldBytes();
    }

    /**
     * Queues the report of a client that it opened files from cached layouts.
     *
     * @param account the user's name, by which room is shared
     * @param firstBlocks the files, by their first blocks' ids; not changed later
     * @param millis the wall clock's time
     */
    public void opened(String account, Opener opener, long[] firstBlocks, long millis) {
        if (firstBlocks.length == 0 || !isWanted()) {
            return;
        }
        Report report = new Report(Caller.bounded(account), opener, firstBlocks, millis);
        if (!room.take(report.account, report.bytes())) {
            metrics.opensUnaudited.incr(firstBlocks.length);
            return;
        }
        waiting.add(report);
    }

    private void write() {
        try {
            for (Report report = waiting.take(); report != Report.LAST; report = waiting.take()) {
                writeOrCount(report);
                room.giveBack(report.account, report.bytes());
            }
        } catch (InterruptedException e) {
            LOG.debug("The trail of opens ends", e);
        }
    }

    /** A failure affects only the opens of the failed part. */
    private void writeOrCount(Report report) {
        for (int begin = 0; begin < report.firstBlocks.length; begin += FILES_AT_ONCE) {
            int end = Math.min(begin + FILES_AT_ONCE, report.firstBlocks.length);
            long[] some = Arrays.copyOfRange(report.firstBlocks, begin, end);
            if (!threads.survives(() -> write(report, some))) {
                metrics.opensUnaudited.incr(some.length);
            }
        }
    }

    private void write(Report report, long[] some) {
        List<@Nullable Served> files = namespace.find(some, report.millis);
        for (int i = 0; i < some.length; i++) {
            Served file = files.get(i);
            String path = file == null ? "blk_" + some[i] + " (deleted)" : file.path();
            (threads.survives(() -> write(report.opener, path)) ? metrics.opensAudited : metrics.opensUnaudited).incr();
        }
        if (keepsTimes) {
            queueTimes(files, report.millis);
        }
    }

    private void write(Opener opener, String path) {
        if (lines.areWanted()) {
            lines.write(line(opener, path));
        }
        if (toClustersLoggers) {
            namespace.audit(opener.user, opener.address, path, marked(opener.context));
        }
    }

    private static CallerContext marked(@Nullable CallerContext context) {
        String text = context == null || context.getContext() == null ? "" : context.getContext();
        CallerContext.Builder marked = new CallerContext.Builder(text.isEmpty() ? MARK : text + ',' + MARK);
        return context == null || context.getSignature() == null
                ? marked.build()
                : marked.setSignature(context.getSignature()).build();
    }

    /** The line in the form of HDFS's audit log. */
    private String line(Opener opener, String path) {
        StringBuilder line = new StringBuilder("allowed=true\tugi=")
                .append(GrantLog.onOneLine(opener.user))
                .append("\tip=")
                .append(opener.address == null ? "null" : "/" + opener.address.getHostAddress())
                .append("\tcmd=open\tsrc=")
                .append(GrantLog.onOneLine(path))
                .append("\tdst=null\tperm=null\tproto=rpc");
        String context = opener.context == null ? null : opener.context.getContext();
        int contextMax = namespace.contextMax();
        if (contextMax > 0 && context != null && !context.isEmpty()) {
            line.append("\tcallerContext=")
                    .append(GrantLog.onOneLine(context.substring(0, Math.min(contextMax, context.length()))));
        }
        return line.toString();
    }

    private void queueTimes(List<@Nullable Served> files, long millis) {
        long[] due = files.stream()
                .filter(file -> file != null && file.isAccessTimeDue())
                .mapToLong(OpenTrail::inodeId)
                .distinct()
                .toArray();
        if (due.length == 0) {
            return;
        }
        try {
            times.execute(() -> setTimes(due, millis));
        } catch (RejectedExecutionException e) {
            metrics.accessTimesDropped.incr(due.length);
        }
    }

    private static long inodeId(@Nullable Served file) {
        return file == null ? 0 : file.inodeId();
    }

    private void setTimes(long[] inodeIds, long millis) {
        int[] set = {0};
        threads.survives(() -> set[0] = namespace.setAccessTimes(inodeIds, millis));
        metrics.accessTimes.incr(set[0]);
        metrics.accessTimesDropped.incr(inodeIds.length - set[0]);
    }

    /**
     * Writes the waiting reports, for at most {@value #CLOSE_SECONDS} s. No thread is interrupted, because it may be writing to
     * the edit log.
     */
    @Override
    public void close() {
        waiting.add(Report.LAST);
        try {
            writer.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
            times.getQueue().clear();
            times.shutdown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

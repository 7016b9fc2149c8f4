/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

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
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.namenode.ServedFiles.Served;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves of the opens that clients served by themselves what HDFS leaves of an open: a line in an audit log, and the file's access time.
 *
 * <p>A handler only queues what a client has reported. One thread finds the files' paths, at most {@value #FILES_AT_ONCE} under one
 * read lock of HDFS's, and writes the lines; another sets access times, so that no line waits for the edit log. What waits is
 * bounded in bytes; a report for which there is no room is dropped and counted, and nothing is granted until there is room again.
 * Thread-safe.
 */
final class OpenTrail implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(OpenTrail.class);

    /** Of the names that a report leads to; a hold of the lock is as long as that of a small prediction. */
    private static final int FILES_AT_ONCE = 32;

    /** Batches of access times that wait; each has at most {@value #FILES_AT_ONCE}. */
    private static final int TIMES_MAX = 1024;

    /** Of a report, its arrays and what it is queued in. */
    private static final int REPORT_BYTES = 256;

    /** Of a report of as many opens as a client makes, with names of any usual length. */
    private static final int REPORT_BYTES_MAX = 16 << 10;

    private static final long CLOSE_SECONDS = 5;
    private static final long IDLE_SECONDS = 10;

    /** What tells an open that a client served by itself from others, in the caller context of the cluster's audit log. */
    static final String MARK = "foresight:served";

    /** What the trail needs of the namespace. */
    interface Namespace {

        /** Finds files by their first blocks' ids, in order; null for one that is gone. */
        List<@Nullable Served> find(long[] firstBlocks, long openedMillis);

        boolean isWritable();

        void setAccessTime(long inodeId, long millis) throws IOException;

        void audit(String user, @Nullable InetAddress address, String path, @Nullable CallerContext context);

        int contextMax();
    }

    /** Takes the lines of Foresight's audit log. */
    interface Lines {
        boolean areWanted();

        void write(String line);
    }

    /** Who has opened files, as HDFS's audit log says it. Immutable. */
    static final class Opener {
        final String user;
        final @Nullable InetAddress address;
        final @Nullable CallerContext context;

        Opener(String user, @Nullable InetAddress address, @Nullable CallerContext context) {
            this.user = user;
            this.address = address;
            this.context = context;
        }

        /** Who makes the RPC that this thread handles. */
        static Opener current() throws IOException {
            UserGroupInformation remote = Server.getRemoteUser();
            return new Opener(
                    (remote == null ? UserGroupInformation.getCurrentUser() : remote).toString(),
                    Server.getRemoteIp(),
                    CallerContext.getCurrent());
        }
    }

    private static final class Report {
        static final Report LAST = new Report(new Opener("", null, null), new long[0], 0);

        final Opener opener;
        final long[] firstBlocks;
        final long millis;

        Report(Opener opener, long[] firstBlocks, long millis) {
            this.opener = opener;
            this.firstBlocks = firstBlocks;
            this.millis = millis;
        }

        long bytes() {
            String said = opener.context == null ? null : opener.context.getContext();
            int characters = opener.user.length() + (said == null ? 0 : said.length());
            return REPORT_BYTES + 2L * characters + (long) Long.BYTES * firstBlocks.length;
        }
    }

    private final Namespace namespace;
    private final Lines lines;
    private final boolean toClustersLoggers;
    private final boolean keepsTimes;
    private final long capacityBytes;
    private final NameNodeMetrics metrics;
    private final BlockingQueue<Report> waiting = new LinkedBlockingQueue<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Thread writer = new Thread(this::write, "foresight-opens");
    private final ThreadPoolExecutor times;

    /**
     * Makes one whose thread waits for reports.
     *
     * @param toClustersLoggers whether opens are handed to the cluster's audit loggers, too
     * @param keepsTimes whether access times are set
     * @param capacityBytes what may wait
     */
    OpenTrail(
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
        this.capacityBytes = capacityBytes;
        this.metrics = metrics;
        this.times = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(TIMES_MAX), runnable -> {
                    Thread thread = new Thread(runnable, "foresight-times");
                    thread.setDaemon(true);
                    return thread;
                });
        times.allowCoreThreadTimeOut(true);
        writer.setDaemon(true);
        writer.start();
    }

    /** Whether anything is left of an open at all. */
    boolean isWanted() {
        return toClustersLoggers || keepsTimes || lines.areWanted();
    }

    /** Whether there is room for another report; while there is none, nothing that could be opened unseen should be granted. */
    boolean hasRoom() {
        return waitingBytes.get() + REPORT_BYTES_MAX <= capacityBytes;
    }

    /** What waits, bytes of heap. */
    long waitingBytes() {
        return waitingBytes.get();
    }

    /**
     * A client has reported that it opened files by itself.
     *
     * @param firstBlocks the files, by their first blocks' ids; not changed later
     * @param millis the wall clock's time
     */
    void opened(Opener opener, long[] firstBlocks, long millis) {
        if (firstBlocks.length == 0 || !isWanted()) {
            return;
        }
        Report report = new Report(opener, firstBlocks, millis);
        if (waitingBytes.addAndGet(report.bytes()) > capacityBytes) {
            waitingBytes.addAndGet(-report.bytes());
            metrics.opensUnaudited.incr(firstBlocks.length);
            return;
        }
        waiting.add(report);
    }

    private void write() {
        try {
            for (Report report = waiting.take(); report != Report.LAST; report = waiting.take()) {
                try {
                    write(report);
                } catch (RuntimeException | LinkageError e) {
                    metrics.internalErrors.incr();
                    metrics.opensUnaudited.incr(report.firstBlocks.length);
                    LOG.warn("Opens of {} are not in the audit log", report.opener.user, e);
                } finally {
                    waitingBytes.addAndGet(-report.bytes());
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("The trail of opens ends", e);
        }
    }

    private void write(Report report) {
        for (int begin = 0; begin < report.firstBlocks.length; begin += FILES_AT_ONCE) {
            int end = Math.min(begin + FILES_AT_ONCE, report.firstBlocks.length);
            long[] some = Arrays.copyOfRange(report.firstBlocks, begin, end);
            List<@Nullable Served> files = namespace.find(some, report.millis);
            for (int i = 0; i < some.length; i++) {
                Served file = files.get(i);
                write(report.opener, file == null ? "blk_" + some[i] + " (deleted)" : file.path());
            }
            metrics.opensAudited.incr(some.length);
            if (keepsTimes) {
                queueTimes(files, report.millis);
            }
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
        String said = context == null || context.getContext() == null ? "" : context.getContext();
        CallerContext.Builder marked = new CallerContext.Builder(said.isEmpty() ? MARK : said + ',' + MARK);
        return context == null || context.getSignature() == null
                ? marked.build()
                : marked.setSignature(context.getSignature()).build();
    }

    /** As HDFS's audit log has it. */
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
        for (long inodeId : inodeIds) {
            try {
                if (!namespace.isWritable()) {
                    return;
                }
                namespace.setAccessTime(inodeId, millis);
                metrics.accessTimes.incr();
            } catch (IOException | RuntimeException e) {
                metrics.accessTimesDropped.incr();
                LOG.debug("The access time of inode {} is not set", inodeId, e);
            }
        }
    }

    /** Writes what waits, for a few seconds. No thread is interrupted, for it may be writing to the edit log. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.audit;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.guard.SharedRoom;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.guard.PluginThreads;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes each grant to the logger {@code foresight.audit}, in the manner of HDFS's audit log, which knows nothing of predictions.
 *
 * <p>A thread of its own writes, so that no RPC handler waits for a disk. The queue is bounded. While it is full, no file is
 * granted, so that no grant is unlogged. With the logger off nothing is queued. Thread-safe.
 */
public final class GrantLog implements Closeable {

    static final String LOGGER = "foresight.audit";

    private static final Logger AUDIT = LoggerFactory.getLogger(LOGGER);
    private static final Logger LOG = LoggerFactory.getLogger(GrantLog.class);

    /** Heap of a grant with its list and its queue node, without its paths. */
    private static final int GRANT_BYTES = 200;

    private static final int PATH_BYTES = 64;
    private static final long CLOSE_SECONDS = 5;

    /** The files that one reply grants to a caller. */
    private static final class Grant {
        static final Grant LAST = new Grant("", "", "", "", ImmutableList.of());

        final String command;
        final String user;
        final String address;
        final String source;
        final List<String> granted;

        Grant(String command, String user, String address, String source, List<String> granted) {
            this.command = command;
            this.user = user;
            this.address = address;
            this.source = source;
            this.granted = granted;
        }

        /** An estimate of its heap: a text may need two bytes a character. */
        long bytes() {
            long bytes = GRANT_BYTES + 2L * (user.length() + address.length() + source.length());
            for (String path : granted) {
                bytes += PATH_BYTES + 2L * path.length();
            }
            return bytes;
        }
    }

    private final SharedRoom room;
    private final BlockingQueue<Grant> waiting = new LinkedBlockingQueue<>();
    private final OpenTrail.Lines lines;
    private final NameNodeMetrics metrics;
    private final PluginThreads threads;
    private final Thread writer;

    /**
     * Makes a log whose thread waits for grants.
     *
     * @param lines the log
     * @param capacityBytes of heap that waiting grants may take
     */
    public GrantLog(OpenTrail.Lines lines, long capacityBytes, NameNodeMetrics metrics) {
        this.lines = lines;
        this.room = new SharedRoom(capacityBytes);
        this.metrics = metrics;
        this.threads = new PluginThreads("foresight-audit", metrics);
        this.writer = threads.newThread(this::write);
        writer.start();
    }

    /**
     * Queues the audit lines of granted files.
     *
     * @param command the feature that grants, such as {@code prefetch}
     * @param source the path that it asked for
     * @return false if there is no room for the lines, so that the files must not be granted
     */
    public boolean log(Caller caller, String command, String source, List<String> granted) {
        return !lines.areWanted()
                || offer(new Grant(command, caller.user(), caller.address(), source, ImmutableList.copyOf(granted)));
    }

    private boolean offer(Grant grant) {
        return room.take(Caller.bounded(grant.user), grant.bytes()) && waiting.offer(grant);
    }

    /** The heap of the waiting grants, in bytes. */
    public long waitingBytes() {
        return room.heldBytes();
    }

    private void write() {
        try {
            for (Grant grant = waiting.take(); grant != Grant.LAST; grant = waiting.take()) {
                room.giveBack(Caller.bounded(grant.user), grant.bytes());
                for (String path : grant.granted) {
                    writeOrCount(grant, path);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("Foresight's audit log ends", e);
        }
    }

    private void writeOrCount(Grant grant, String path) {
        boolean written = threads.survives(() -> lines.write("allowed=true\tugi=" + onOneLine(grant.user)
                + "\tip=/" + grant.address
                + "\tcmd=" + grant.command
                + "\tsrc=" + onOneLine(grant.source)
                + "\tdst=" + onOneLine(path)
                + "\tperm=null\tproto=rpc"));
        if (!written) {
            metrics.grantsUnaudited.incr();
        }
    }

    /** The log itself. */
    public static OpenTrail.Lines lines() {
        return new OpenTrail.Lines() {
            @Override
            public boolean areWanted() {
                return AUDIT.isInfoEnabled();
            }

            @Override
            public void write(String line) {
                AUDIT.info(line);
            }
        };
    }

    /** A name may hold anything; it must not look like another line or field. */
    static String onOneLine(String path) {
        return path.replace('\n', ' ').replace('\r', ' ').replace('\t', ' ');
    }

    /** Writes the waiting grants, for at most {@value #CLOSE_SECONDS} s. */
    @Override
    public void close() {
        try {
            if (!waiting.offer(Grant.LAST, CLOSE_SECONDS, TimeUnit.SECONDS)) {
                writer.interrupt();
            }
            writer.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

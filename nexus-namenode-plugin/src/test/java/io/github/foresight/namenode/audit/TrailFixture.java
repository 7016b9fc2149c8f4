/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.audit;

import io.github.foresight.namenode.metrics.NameNodeMetrics;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hdfs.server.namenode.ServedFiles.Served;
import org.apache.hadoop.ipc.CallerContext;
import org.jspecify.annotations.Nullable;

/** A namespace in which file n, from 1 to 99, is {@code /fn}, and the audit trail of opens there. */
public final class TrailFixture implements OpenTrail.Namespace, OpenTrail.Lines {

    static final long PRECISION_MILLIS = 1000;
    private static final long GONE_BY_THEN = 13;

    public final Queue<String> lines = new ConcurrentLinkedQueue<>();
    final Queue<String> audited = new ConcurrentLinkedQueue<>();
    final Map<Long, Long> accessTimes = new ConcurrentHashMap<>();
    public final CountDownLatch released;
    final AtomicReference<@Nullable Error> failure = new AtomicReference<>();
    volatile boolean toClustersLoggers;
    volatile boolean keepsTimes = true;
    volatile boolean isWritable = true;
    volatile boolean isLogOn = true;

    public TrailFixture() {
        this(new CountDownLatch(0));
    }

    /** A namespace whose lookups wait. */
    public TrailFixture(CountDownLatch released) {
        this.released = released;
    }

    public OpenTrail trail(long capacityBytes, NameNodeMetrics metrics) {
        return new OpenTrail(this, this, toClustersLoggers, true, capacityBytes, metrics);
    }

    @Override
    public List<@Nullable Served> find(long[] firstBlocks, long openedMillis) {
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        List<@Nullable Served> found = new ArrayList<>();
        for (long file : firstBlocks) {
            boolean due = openedMillis > accessTimes.getOrDefault(file, 0L) + PRECISION_MILLIS;
            found.add(file < 100 ? new Served("/f" + file, file, due) : null);
        }
        return found;
    }

    @Override
    public boolean keepsTimes() {
        return keepsTimes;
    }

    @Override
    public int setAccessTimes(long[] inodeIds, long millis) {
        int found = 0;
        for (long inodeId : inodeIds) {
            if (inodeId != GONE_BY_THEN && isWritable) {
                accessTimes.put(inodeId, millis);
                found++;
            }
        }
        return found;
    }

    @Override
    public void audit(String user, @Nullable InetAddress address, String path, @Nullable CallerContext context) {
        audited.add(user + " " + path + " " + (context == null ? "" : context.getContext()));
    }

    @Override
    public int contextMax() {
        return 20;
    }

    @Override
    public boolean areWanted() {
        return isLogOn;
    }

    @Override
    public void write(String line) {
        Error broken = failure.getAndSet(null);
        if (broken != null) {
            throw broken;
        }
        lines.add(line);
    }
}

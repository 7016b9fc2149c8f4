/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import com.google.common.util.concurrent.RateLimiter;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.guard.OwnThreads;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.space.SpaceFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees tails that were left behind: of blocks that were being written when the DataNode died, and of those whose disk was too slow when
 * their writer ended. One thread, at most {@value #PER_SECOND} blocks a second, at most {@value #WAITING_MAX} waiting.
 *
 * <p>No lock of HDFS's is held while a disk is used. The sweep says first which block it is at, and looks the replica up then; a writer's
 * thread changes the replica first, and asks in {@link #awaitEndOf} then whether the sweep is at it. So either the sweep sees the writer
 * and leaves the files alone, or the writer waits until the sweep is through with them, a time at most. Thread-safe.
 */
public final class TailSweep implements Closeable {

    /** Looks replicas up; thread-safe. */
    public interface Replicas {
        /**
         * A replica's files, block and checksums, where nobody can write to them nor cut them before the replica has become another one.
         * Never touches a disk.
         *
         * @return no files where there is no such replica any more; empty where somebody may write, to be asked again later
         */
        Optional<List<Path>> filesAtRest(BlockKey block);
    }

    /** The block whose files the sweep is at. */
    private static final class Visit {
        final BlockKey block;
        final CountDownLatch end = new CountDownLatch(1);

        Visit(BlockKey block) {
            this.block = block;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(TailSweep.class);
    private static final double PER_SECOND = 100;
    private static final int WAITING_MAX = 100_000;
    private static final int TRIES = 360;
    private static final long RETRY_SECONDS = 10;

    private final Replicas replicas;
    private final ReadAheadMetrics metrics;
    private final Guard guard;
    private final RateLimiter rate = RateLimiter.create(PER_SECOND);
    private final ScheduledThreadPoolExecutor executor;

    /** Written by the sweep's thread alone. */
    private volatile @Nullable Visit visit;

    TailSweep(Replicas replicas, ReadAheadMetrics metrics, Guard guard) {
        this.replicas = replicas;
        this.metrics = metrics;
        this.guard = guard;
        this.executor = new ScheduledThreadPoolExecutor(1, new OwnThreads("foresight-tails", metrics));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Has a block looked at soon. */
    void add(BlockKey block, long delaySeconds) {
        schedule(block, delaySeconds, TRIES);
    }

    private void schedule(BlockKey block, long delaySeconds, int tries) {
        if (executor.isShutdown()) {
            return;
        }
        if (executor.getQueue().size() >= WAITING_MAX) {
            LOG.debug("Too many blocks wait to be looked at for what was preallocated; {} is not", block);
            return;
        }
        ScheduledFuture<?> unused = executor.schedule(
                () -> guard.runAlways("free what a crash left behind", () -> sweep(block, tries)),
                delaySeconds,
                TimeUnit.SECONDS);
    }

    private void sweep(BlockKey block, int tries) throws IOException {
        rate.acquire();
        Visit now = new Visit(block);
        visit = now;
        try {
            Optional<List<Path>> files = replicas.filesAtRest(block);
            if (!files.isPresent()) {
                if (tries > 1) {
                    schedule(block, RETRY_SECONDS, tries - 1);
                }
                return;
            }
            for (Path file : files.get()) {
                free(file);
            }
        } finally {
            visit = null;
            now.end.countDown();
        }
    }

    /**
     * To be called for a block that is no longer at rest, before somebody writes to its files or cuts them, and without a lock. Nearly
     * always returns at once; where the sweep is at the block, waits for the two files' tails to be freed.
     *
     * @throws InterruptedIOException if HDFS interrupts the writer; the thread keeps the interrupt
     * @throws IOException if the sweep is at the block still when the time is over: the disk hangs, and a write now could be lost
     */
    void awaitEndOf(BlockKey block, long waitMillis) throws IOException {
        Visit now = visit;
        if (now == null || !now.block.equals(block)) {
            return;
        }
        try {
            if (!now.end.await(waitMillis, TimeUnit.MILLISECONDS)) {
                throw new IOException("what was preallocated for " + block + " is still being freed after " + waitMillis
                        + " ms; its disk may hang");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException("interrupted while waiting for the tail of " + block + " to be freed");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private void free(Path file) throws IOException {
        try (SpaceFile space = SpaceFile.open(file)) {
            if (!space.hasExtentsBeyondEnd()) {
                return;
            }
            long before = space.tailBytes();
            Optional<SpaceFile.TailMethod> unused = space.freeTail(Math.max(1, before), SpaceFile.TailMethod.PUNCH);
            if (!space.hasExtentsBeyondEnd()) {
                metrics.tailsSwept.incr();
                LOG.info("Freed {} bytes that had been preallocated for {} and not used", before, file);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} was deleted", file, e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

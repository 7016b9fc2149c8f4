/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import com.google.common.util.concurrent.RateLimiter;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.datanode.Guard;
import io.github.foresight.datanode.ReadAheadMetrics;
import io.github.foresight.datanode.space.SpaceFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees tails that were left behind: of blocks that were being written when the DataNode died, and of those whose disk was too
 * slow when their writer ended. One thread, at most {@value #PER_SECOND} blocks a second, at most {@value #WAITING_MAX} waiting.
 *
 * <p>A block's files are touched only while its {@link Replicas} make sure that nobody writes to them nor cuts them. Thread-safe.
 */
public final class TailSweep implements Closeable {

    /** Looks replicas up; thread-safe. */
    public interface Replicas {
        /**
         * Calls with a replica's files, block and checksums, while nobody can begin to write to them, cut or move them.
         *
         * @return whether the replica is, or is not any more, in a state in which that could be done; false to try again later
         */
        boolean whileAtRest(BlockKey block, FileAction action) throws IOException;
    }

    /** Something that is done with a file. */
    @FunctionalInterface
    public interface FileAction {
        void accept(Path file) throws IOException;
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

    TailSweep(Replicas replicas, ReadAheadMetrics metrics, Guard guard) {
        this.replicas = replicas;
        this.metrics = metrics;
        this.guard = guard;
        this.executor = new ScheduledThreadPoolExecutor(
                1,
                new ThreadFactoryBuilder()
                        .setDaemon(true)
                        .setNameFormat("foresight-tails")
                        .build());
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
        var unused = executor.schedule(
                () -> guard.run("free what a crash left behind", () -> sweep(block, tries)),
                delaySeconds,
                TimeUnit.SECONDS);
    }

    private void sweep(BlockKey block, int tries) throws IOException {
        rate.acquire();
        if (!replicas.whileAtRest(block, this::free) && tries > 1) {
            schedule(block, RETRY_SECONDS, tries - 1);
        }
    }

    private void free(Path file) throws IOException {
        try (SpaceFile space = SpaceFile.open(file)) {
            long before = space.tailBytes();
            if (before <= 0) {
                return;
            }
            var unused = space.freeTail(before, SpaceFile.TailMethod.PUNCH);
            if (space.tailBytes() < before) {
                metrics.tailsSwept.incr();
                LOG.info("Freed {} bytes that had been preallocated for {} and not used", before, file);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} is gone", file, e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

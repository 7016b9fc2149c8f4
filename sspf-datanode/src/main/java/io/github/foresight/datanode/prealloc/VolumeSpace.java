/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import io.github.foresight.core.prealloc.PreallocationRange;
import io.github.foresight.core.prealloc.VolumeAllowance;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.guard.OwnThreads;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.FileBudget;
import io.github.foresight.datanode.pagecache.OverBudgetException;
import io.github.foresight.datanode.space.SpaceFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One volume's preallocation: a thread that takes space, within an allowance, until the volume turns out not to be able to, or to
 * be slow. Thread-safe.
 */
final class VolumeSpace {

    private static final Logger LOG = LoggerFactory.getLogger(VolumeSpace.class);
    private static final int QUEUE = 1024;
    private static final long IDLE_SECONDS = 30;

    /** Takes space of a file; a seam for tests of the answers of disks. */
    interface Taker {
        void take(SpaceFile file, long offsetBytes, long lengthBytes) throws IOException;
    }

    private final FsVolumeSpi volume;
    private final Taker taker;
    private final VolumeAllowance allowance;
    private final ReadAheadMetrics metrics;
    private final Guard guard;
    private final long firstWaitNanos;
    private final FileBudget budget;
    private final ThreadPoolExecutor executor;
    private final AtomicLong reservedUnusedBytes = new AtomicLong();
    private volatile SpaceFile.TailMethod tailMethod = SpaceFile.TailMethod.PUNCH;

    VolumeSpace(
            FsVolumeSpi volume,
            Taker taker,
            VolumeAllowance allowance,
            ReadAheadMetrics metrics,
            Guard guard,
            FileBudget budget,
            long firstWaitNanos) {
        this.volume = volume;
        this.taker = taker;
        this.allowance = allowance;
        this.metrics = metrics;
        this.guard = guard;
        this.budget = budget;
        this.firstWaitNanos = firstWaitNanos;
        this.executor = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUE),
                new OwnThreads("foresight-space-" + volume.getStorageID(), metrics));
        executor.allowCoreThreadTimeOut(true);
    }

    Guard guard() {
        return guard;
    }

    ReadAheadMetrics metrics() {
        return metrics;
    }

    /** How long a writer waits for its first space. */
    long firstWaitNanos() {
        return firstWaitNanos;
    }

    boolean isOff() {
        return allowance.isOff() || guard.isTripped();
    }

    long unusedBytes() {
        return allowance.unusedBytes();
    }

    /** Of these, what HDFS has reserved as well. */
    long reservedUnusedBytes() {
        return Math.max(0, reservedUnusedBytes.get());
    }

    /** Has the volume's thread do something; false if too much is waiting. */
    boolean submit(Runnable work) {
        try {
            executor.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Room for a block file, whose space HDFS has reserved too. */
    ReplicaSpace.Room forBlock() {
        return new ReplicaSpace.Room() {
            @Override
            public long grant(long bytes) throws IOException {
                long granted = VolumeSpace.this.grant(bytes);
                reservedUnusedBytes.addAndGet(granted);
                return granted;
            }

            @Override
            public void release(long bytes) {
                allowance.release(bytes);
                reservedUnusedBytes.addAndGet(-bytes);
            }
        };
    }

    /** Room for a file of checksums, for which HDFS reserves nothing. */
    ReplicaSpace.Room forChecksums() {
        return new ReplicaSpace.Room() {
            @Override
            public long grant(long bytes) throws IOException {
                return VolumeSpace.this.grant(bytes);
            }

            @Override
            public void release(long bytes) {
                allowance.release(bytes);
            }
        };
    }

    private long grant(long bytes) throws IOException {
        long granted = guard.isTripped() ? 0 : allowance.grant(bytes, volume.getAvailable());
        if (granted == 0) {
            metrics.preallocationsRefused.incr();
        }
        return granted;
    }

    /**
     * Opens a file to take space for.
     *
     * @throws OverBudgetException if too many are open
     */
    SpaceFile open(Path file) throws IOException {
        budget.open(file, false);
        try {
            return SpaceFile.open(file);
        } catch (Throwable e) {
            budget.closed();
            throw e;
        }
    }

    /** Closes a file that {@link #open} gave. */
    void close(SpaceFile file) throws IOException {
        budget.closed();
        file.close();
    }

    /** Takes an extent; false where the disk is full, or for good cannot. */
    boolean take(SpaceFile file, PreallocationRange extent) throws IOException {
        long begin = System.nanoTime();
        try {
            taker.take(file, extent.beginBytes(), extent.lengthBytes());
        } catch (SpaceFile.NoSpaceException e) {
            metrics.preallocationsRefused.incr();
            return false;
        } catch (SpaceFile.UnsupportedException e) {
            allowance.switchOff();
            LOG.warn(
                    "The file system of {} cannot preallocate; preallocation is switched off on this volume",
                    volume,
                    e);
            return false;
        }
        long nanos = System.nanoTime() - begin;
        metrics.preallocations.incr();
        metrics.preallocatedBytes.incr(extent.lengthBytes());
        metrics.preallocated(nanos);
        if (allowance.recordDuration(nanos)) {
            LOG.warn(
                    "Preallocation on {} is slow (the last call: {} ms) and is switched off on this volume",
                    volume,
                    TimeUnit.NANOSECONDS.toMillis(nanos));
        }
        return true;
    }

    /** Frees a file's tail; false if it stays. */
    boolean free(SpaceFile file, long expectedBytes) throws IOException {
        Optional<SpaceFile.TailMethod> method = file.freeTail(expectedBytes, tailMethod);
        if (!method.isPresent()) {
            allowance.switchOff();
            LOG.warn(
                    "The preallocated space beyond the end of {} could not be freed; preallocation is switched off on {}",
                    file,
                    volume);
            return false;
        }
        tailMethod = method.get();
        metrics.preallocatedBytesFreed.incr(expectedBytes);
        return true;
    }

    void failed(Path file, IOException e) {
        if (e instanceof NoSuchFileException) {
            // Deleted while it was written.
            return;
        }
        if (e instanceof OverBudgetException) {
            metrics.preallocationsRefused.incr();
            LOG.debug("{} is written without preallocation", file, e);
            return;
        }
        metrics.preallocationErrors.incr();
        allowance.switchOff();
        LOG.warn("Preallocating {} failed; preallocation is switched off on {}", file, volume, e);
    }

    void stop() {
        executor.shutdown();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.prealloc.PreallocationRange;
import io.github.foresight.core.prealloc.WriteStream;
import io.github.foresight.datanode.space.SpaceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The space of one file of a replica being written, block or checksums, from the opening of its stream to its closing.
 *
 * <p>The writer's thread reports writes and ends; the volume's thread takes space. Whatever is taken and unused when the writer
 * ends is freed before its file is closed, and so before HDFS can finalize the replica or append to it: nobody else writes to the
 * file then. A preallocation that is still under way is waited for, {@value #END_WAIT_SECONDS} s at most; beyond, the tail is
 * left to the {@link TailSweep}.
 *
 * <p>Thread-safe. Its monitor is held for decisions, never over I/O.
 */
final class ReplicaSpace {

    private static final long END_WAIT_SECONDS = 5;

    private final VolumeSpace volume;
    private final Room room;
    private final Path file;
    private final Runnable onEnd;
    private final Runnable leaveTail;

    @GuardedBy("this")
    private final WriteStream stream;

    /** Touched by the volume's thread while a request is under way, and by the writer's at the end. */
    private @Nullable SpaceFile opened;

    /** The largest end of all requests. A request that failed may have taken a part of its space. As {@link #opened}. */
    private long partialEndBytes;

    /** A request is waiting for the volume's thread, or running. */
    @GuardedBy("this")
    private boolean underWay;

    /** The volume's thread is at it; it cannot be called back. */
    @GuardedBy("this")
    private boolean running;

    @GuardedBy("this")
    private boolean ended;

    @GuardedBy("this")
    private boolean abandoned;

    /** The space that a file may take of its volume; thread-safe. */
    interface Room {

        /** Asks for bytes; how many may be taken now, 0 for none. */
        long grant(long bytes) throws IOException;

        /** Bytes that were granted are not taken in advance any more: written, released, or never taken. */
        void release(long bytes);
    }

    /**
     * Makes one of which nothing is taken.
     *
     * @param onEnd called once when the writer ends, while nothing changes the stream
     * @param leaveTail called if the tail cannot be freed here
     */
    ReplicaSpace(VolumeSpace volume, Room room, Path file, WriteStream stream, Runnable onEnd, Runnable leaveTail) {
        this.volume = volume;
        this.room = room;
        this.file = file;
        this.stream = stream;
        this.onEnd = onEnd;
        this.leaveTail = leaveTail;
    }

    /** The writer is about to write; waits a moment for the first space, so that the first bytes come to lie in it. */
    void beforeWrite(long offset, long length) {
        volume.guard().run("preallocate", () -> follow(offset, length));
    }

    private void follow(long offset, long length) {
        PreallocationRange wanted;
        boolean first;
        long used;
        synchronized (this) {
            first = !stream.isInitiated();
            long before = stream.unusedBytes();
            int misses = stream.misses();
            wanted = stream.write(offset, length);
            used = before - stream.unusedBytes();
            underWay = underWay || wanted != null;
            volume.metrics().preallocationMisses.incr(stream.misses() - misses);
        }
        room.release(used);
        if (wanted == null) {
            return;
        }
        if (!volume.submit(() -> volume.guard().runOnOwnThread("preallocate", () -> take(wanted)))) {
            finished(null, 0);
        } else if (first) {
            await(this::isUnderWay, volume.firstWaitNanos());
        }
    }

    /** On the volume's thread. */
    private void take(PreallocationRange wanted) {
        long written;
        synchronized (this) {
            if (ended) {
                return;
            }
            running = true;
            written = stream.writtenBytes();
        }
        PreallocationRange taken = null;
        long granted = 0;
        try {
            // The part that the writer has passed already costs nothing new.
            long ahead = wanted.endBytes() - Math.max(wanted.beginBytes(), Math.min(written, wanted.endBytes()));
            granted = ahead <= 0 ? 0 : room.grant(ahead);
            if (granted > 0) {
                PreallocationRange affordable = wanted.atMost(wanted.lengthBytes() - ahead + granted);
                if (opened == null) {
                    opened = volume.open(file);
                }
                // A disk that fills up in the middle keeps the space taken by then.
                partialEndBytes = Math.max(partialEndBytes, affordable.endBytes());
                if (volume.take(opened, affordable)) {
                    taken = affordable;
                }
            }
        } catch (IOException e) {
            volume.failed(file, e);
        } finally {
            finished(taken, granted);
        }
    }

    private void finished(@Nullable PreallocationRange taken, long granted) {
        long unused = 0;
        synchronized (this) {
            long before = stream.unusedBytes();
            if (taken == null) {
                stream.refused();
            } else {
                stream.taken(taken.endBytes());
                unused = stream.unusedBytes() - before;
            }
            if (volume.isOff()) {
                stream.switchOff();
            }
            underWay = false;
            running = false;
            notifyAll();
        }
        room.release(granted - Math.min(granted, unused));
        if (isAbandoned()) {
            giveUpTail();
        }
    }

    private synchronized boolean isUnderWay() {
        return underWay;
    }

    private synchronized boolean isRunning() {
        return running;
    }

    private synchronized boolean isAbandoned() {
        return abandoned;
    }

    /** The writer is done: frees the tail, even if the feature is off by now; afterwards nothing is taken any more. */
    void end() {
        volume.guard().runAlwaysInCall("free a preallocated tail", this::freeTail);
    }

    private void freeTail() throws IOException {
        await(this::isRunning, TimeUnit.SECONDS.toNanos(END_WAIT_SECONDS));
        long unused;
        boolean nothingTaken;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            onEnd.run();
            stream.switchOff();
            unused = stream.unusedBytes();
            abandoned = running;
            nothingTaken = !stream.isInitiated();
        }
        if (isAbandoned()) {
            return;
        }
        SpaceFile space = opened;
        if (nothingTaken || space == null) {
            return;
        }
        opened = null;
        try {
            room.release(unused);
            // Checksums are written over again where a chunk grows: only the file knows how long it is.
            long tail = partialEndBytes - space.lengthBytes();
            if (tail > 0 && !volume.free(space, tail)) {
                leaveTail.run();
            }
        } catch (IOException e) {
            leaveTail.run();
            throw e;
        } finally {
            volume.close(space);
        }
    }

    /** On the volume's thread, when a preallocation ended after its writer. */
    private void giveUpTail() {
        long unused;
        synchronized (this) {
            unused = stream.unusedBytes();
        }
        room.release(unused);
        SpaceFile space = opened;
        opened = null;
        if (space != null) {
            try {
                volume.close(space);
            } catch (IOException e) {
                volume.failed(file, e);
            }
        }
        leaveTail.run();
    }

    /** Waits while something holds, a time at most, whatever interrupts come; the thread keeps those. */
    private void await(BooleanSupplier condition, long nanos) {
        long deadline = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            synchronized (this) {
                long leftNanos = nanos;
                while (condition.getAsBoolean() && leftNanos > 0) {
                    try {
                        TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                    leftNanos = deadline - System.nanoTime();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * What all streams of one volume may preallocate: bounded in bytes, never the last of the volume's space, less when the volume is
 * slow and nothing when it stays so. Thread-safe; constant time.
 *
 * <p>A request gets at most {@code 1/}{@value #SHARE} of what is left, so that the first streams do not leave nothing to later
 * ones; halves for each slow preallocation in a row, and grows back with each fast one.
 */
public final class VolumeAllowance {

    /** One request gets at most this part of what is left. */
    static final int SHARE = 4;

    private static final int MOST_HALVINGS = 16;

    private final PreallocationSettings settings;

    @GuardedBy("this")
    private long unusedBytes;

    @GuardedBy("this")
    private int halvings;

    @GuardedBy("this")
    private int slowInARow;

    @GuardedBy("this")
    private boolean off;

    /** Makes one of which nothing is used. */
    public VolumeAllowance(PreallocationSettings settings) {
        this.settings = settings;
    }

    /**
     * Asks for room.
     *
     * @param wantedBytes how much, at least 1
     * @param availableBytes what the volume has left for HDFS, apart from what is reserved
     * @return how much of it may be taken now, which then counts as unused; 0 for nothing
     */
    public synchronized long grant(long wantedBytes, long availableBytes) {
        if (off) {
            return 0;
        }
        long left = Math.min(settings.volumeMaxBytes() - unusedBytes, availableBytes - settings.volumeFreeMinBytes());
        long granted = Math.min(wantedBytes, Math.min(left / SHARE, settings.windowMaxBytes() >> halvings));
        if (granted < wantedBytes) {
            granted -= granted % PreallocationSettings.GRAIN_BYTES;
        }
        if (granted <= 0) {
            return 0;
        }
        unusedBytes += granted;
        return granted;
    }

    /** Bytes that were granted are written now, or were given back. */
    public synchronized void noLongerUnused(long bytes) {
        unusedBytes = Math.max(0, unusedBytes - bytes);
    }

    /**
     * A preallocation has been made.
     *
     * @return true if it is the one that has the volume switched off
     */
    public synchronized boolean took(long nanos) {
        if (nanos <= settings.slowNanos()) {
            slowInARow = 0;
            halvings = Math.max(0, halvings - 1);
            return false;
        }
        slowInARow++;
        halvings = Math.min(MOST_HALVINGS, halvings + 1);
        if (off || slowInARow < settings.slowMax()) {
            return false;
        }
        off = true;
        return true;
    }

    /** Nothing more is granted; what was stays counted until it is used or given back. */
    public synchronized void switchOff() {
        off = true;
    }

    public synchronized boolean isOff() {
        return off;
    }

    /** What is preallocated and not written, bytes. */
    public synchronized long unusedBytes() {
        return unusedBytes;
    }
}

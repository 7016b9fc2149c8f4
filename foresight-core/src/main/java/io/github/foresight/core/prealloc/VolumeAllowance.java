/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The space that all streams of one volume may preallocate. The allowance is bounded in bytes and never takes the last
 * space of the volume. It is smaller for a slow volume, and ends if the volume stays slow.
 *
 * <p>A request gets at most {@code 1/}{@value #SHARE} of the rest, so that the first streams leave room to later
 * streams. The largest grant halves with each consecutive slow preallocation, and doubles again with each fast one.
 * Both numbers are chosen, not measured. Constant time. Thread-safe.
 */
public final class VolumeAllowance {

    /** The divisor of the rest: the largest part that one request gets. */
    static final int SHARE = 4;

    /** The most halvings: 256 MiB, the default of the largest window, become 4 KiB. Chosen, not measured. */
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

    /** Makes an allowance without grants. */
    public VolumeAllowance(PreallocationSettings settings) {
        this.settings = settings;
    }

    /**
     * Grants space to a request.
     *
     * @param wantedBytes the requested bytes, at least 1
     * @param availableBytes the bytes of the volume that HDFS can still use, without reserved bytes
     * @return the granted bytes, which count as unused from now on; 0 for nothing
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

    /** Granted bytes were written or released. */
    public synchronized void release(long bytes) {
        unusedBytes = Math.max(0, unusedBytes - bytes);
    }

    /**
     * Records the duration of a preallocation.
     *
     * @return true if this preallocation switches the volume off
     */
    public synchronized boolean recordDuration(long nanos) {
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

    /** Stops all grants. Granted bytes count until they are written or released. */
    public synchronized void switchOff() {
        off = true;
    }

    public synchronized boolean isOff() {
        return off;
    }

    /** The bytes that are preallocated and not yet written. */
    public synchronized long unusedBytes() {
        return unusedBytes;
    }
}

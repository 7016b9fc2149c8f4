/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;

/** Delays transfers so that all together do not exceed a number of bytes per second. Thread-safe. */
final class BandwidthLimit {

    private final long bytesPerSecond;

    @GuardedBy("this")
    private boolean begun;

    @GuardedBy("this")
    private long freeNanos;

    /** A limit; 0 delays no transfer. */
    BandwidthLimit(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Waits until a transfer may begin. */
    void await(long bytes) throws InterruptedException {
        if (bytesPerSecond > 0) {
            TimeUnit.NANOSECONDS.sleep(reserve(bytes, System.nanoTime()));
        }
    }

    /** Reserves a transfer, and returns its delay. */
    synchronized long reserve(long bytes, long nowNanos) {
        if (!begun || freeNanos - nowNanos < 0) {
            begun = true;
            freeNanos = nowNanos;
        }
        long wait = freeNanos - nowNanos;
        freeNanos += (long) (bytes * 1e9 / bytesPerSecond);
        return wait;
    }
}

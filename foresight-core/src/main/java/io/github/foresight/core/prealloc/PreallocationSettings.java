/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

/** Bounds and thresholds of preallocation; immutable and thread-safe. */
public final class PreallocationSettings {

    /**
     * Windows end on multiples of this: the block size of the file systems on which HDFS runs, or a multiple of it.
     */
    static final long GRAIN_BYTES = 4096;

    private static final long MILLISECOND = 1_000_000L;

    private final PreallocationMode mode;
    private final int scale;
    private final long windowMaxBytes;
    private final long startMinBytes;
    private final int missesMax;
    private final long volumeMaxBytes;
    private final long volumeFreeMinBytes;
    private final long slowNanos;
    private final int slowMax;
    private final int writersMax;

    private PreallocationSettings(Builder builder) {
        this.mode = builder.mode;
        this.scale = (int) inRange("scale", builder.scale, 2, 1024);
        this.windowMaxBytes = inRange("windowMaxBytes", builder.windowMaxBytes, GRAIN_BYTES, 1L << 40);
        this.startMinBytes = inRange("startMinBytes", builder.startMinBytes, 0, 1L << 30);
        this.missesMax = (int) inRange("missesMax", builder.missesMax, 0, 1_000_000);
        this.volumeMaxBytes = inRange("volumeMaxBytes", builder.volumeMaxBytes, 0, 1L << 50);
        this.volumeFreeMinBytes = inRange("volumeFreeMinBytes", builder.volumeFreeMinBytes, 0, 1L << 50);
        this.slowNanos = inRange("slowNanos", builder.slowNanos, MILLISECOND, 3_600_000 * MILLISECOND);
        this.slowMax = (int) inRange("slowMax", builder.slowMax, 1, 1_000_000);
        this.writersMax = (int) inRange("writersMax", builder.writersMax, 0, 1 << 20);
    }

    public static Builder builder() {
        return new Builder();
    }

    public PreallocationMode mode() {
        return mode;
    }

    /**
     * The factor between a window and the window before it, and between the first window and the first write; in [2,
     * 1024]. The paper takes 2 or 4.
     */
    public int scale() {
        return scale;
    }

    /** The largest window, bytes. */
    public long windowMaxBytes() {
        return windowMaxBytes;
    }

    /**
     * A stream whose first write is smaller gets no window until its second write, because it is probably a small file
     * that is complete. Bytes.
     */
    public long startMinBytes() {
        return startMinBytes;
    }

    /** A stream with more misses than this gets no more windows. */
    public int missesMax() {
        return missesMax;
    }

    /** The most bytes that all streams of a volume may have preallocated and not yet written; 0 is nothing. */
    public long volumeMaxBytes() {
        return volumeMaxBytes;
    }

    /** The bytes that must stay available on a volume after a preallocation. */
    public long volumeFreeMinBytes() {
        return volumeFreeMinBytes;
    }

    /** A preallocation that takes longer is slow. */
    public long slowNanos() {
        return slowNanos;
    }

    /** After this number of consecutive slow preallocations a volume gets no more windows. */
    public int slowMax() {
        return slowMax;
    }

    /** The most writers whose last windows are remembered; 0 for none. */
    public int writersMax() {
        return writersMax;
    }

    private static long inRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be in [" + min + ", " + max + "]: " + value);
        }
        return value;
    }

    /**
     * Collects settings. The initial values are the defaults of the configuration keys. ADR 0020 measured the scale;
     * the other values are chosen, not measured.
     */
    public static final class Builder {
        private PreallocationMode mode = PreallocationMode.ON_DEMAND;
        private int scale = 64;
        private long windowMaxBytes = 256L << 20;
        private long startMinBytes = 32L << 10;
        private int missesMax = 4;
        private long volumeMaxBytes = 16L << 30;
        private long volumeFreeMinBytes = 1L << 30;
        private long slowNanos = 200 * MILLISECOND;
        private int slowMax = 8;
        private int writersMax = 4096;

        private Builder() {}

        @CanIgnoreReturnValue
        public Builder mode(PreallocationMode value) {
            mode = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder scale(int value) {
            scale = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder windowMaxBytes(long value) {
            windowMaxBytes = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder startMinBytes(long value) {
            startMinBytes = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder missesMax(int value) {
            missesMax = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder volumeMaxBytes(long value) {
            volumeMaxBytes = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder volumeFreeMinBytes(long value) {
            volumeFreeMinBytes = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder slowNanos(long value) {
            slowNanos = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder slowMax(int value) {
            slowMax = value;
            return this;
        }

        @CanIgnoreReturnValue
        public Builder writersMax(int value) {
            writersMax = value;
            return this;
        }

        public PreallocationSettings build() {
            return new PreallocationSettings(this);
        }
    }
}

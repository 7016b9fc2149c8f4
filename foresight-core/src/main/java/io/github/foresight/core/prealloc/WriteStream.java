/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import org.jspecify.annotations.Nullable;

/**
 * One replica being written: its current window, its sequential window, and when they move.
 *
 * <pre>
 *   0        written        current window's end   sequential window's end     limit
 *   |===========|...................|.........................|..................|
 *               next write: nothing to do | pre_alloc_layout  | layout_miss
 * </pre>
 *
 * <p>Both windows are taken on disk in one piece: the sequential window is the reservation that no other stream can write into.
 * The first write sets both up ("Preallocate with initial value"). A write that enters the sequential window ({@code
 * pre_alloc_layout}) makes it the current one and asks for the next, {@code scale} times as large; as the writer still has that
 * window in front of it, the next can be taken while it writes. A write outside what has been taken ({@code layout_miss}) counts
 * and shrinks the window, and after more than {@link PreallocationSettings#missesMax} of them the stream is left alone.
 *
 * <p>Changed from the paper (MiF, section III.B and C, Fig. 2): a replica is written from its front to its end, so what a miss
 * means here is that the disk did not take the window in time, or that the writer went back; the two windows are taken
 * contiguously by byte offset and the file system chooses where; and there is a limit, the block's announced size.
 *
 * <p>Constant time and, but for the few writes that ask for something, no allocation. Not thread-safe.
 */
public final class WriteStream {

    private final PreallocationSettings settings;
    private final long startBytes;
    private final long limitBytes;
    private final long firstWindowBytes;
    private final boolean whole;
    private final long startMinBytes;
    private final long startAtBytes;
    private long writtenBytes;
    private long currentEndBytes;
    private long sequentialEndBytes;
    private long takenEndBytes;
    private long windowBytes;
    private int writes;
    private int misses;
    private boolean initiated;
    private boolean asking;
    private boolean missedWhileAsking;
    private boolean off;

    /**
     * Follows a replica from where it stands, whose writer is not known yet.
     *
     * @param writtenBytes what it holds already, at least 0
     * @param limitBytes what it can hold at most; nothing is ever taken beyond
     * @param firstWindowBytes the least size of the first sequential window, as {@link WriteHistory} knows it; 0 where it knows nothing
     */
    public WriteStream(PreallocationSettings settings, long writtenBytes, long limitBytes, long firstWindowBytes) {
        this(settings, writtenBytes, limitBytes, firstWindowBytes, isWhole(settings), settings.startMinBytes(), 0);
    }

    /**
     * Follows a replica whose writer has filled a block just before: however small its first write is, more will follow.
     *
     * @param lastWindowBytes of the block before
     */
    static WriteStream goingOn(
            PreallocationSettings settings, long writtenBytes, long limitBytes, long lastWindowBytes) {
        return new WriteStream(settings, writtenBytes, limitBytes, lastWindowBytes, isWhole(settings), 0, 0);
    }

    private static boolean isWhole(PreallocationSettings settings) {
        return settings.mode() == PreallocationMode.STATIC;
    }

    /**
     * Follows the checksums of a replica, which a file of its own holds, a few hundred bytes for each write of the block's. As they
     * are less than a hundredth of the block with HDFS's usual chunks, all of them are taken at once, when they outgrow the first {@value
     * PreallocationSettings#GRAIN_BYTES} bytes, which are in one piece anyway and for most small files remain all there are.
     *
     * @param writtenBytes what the file holds already, at least 0
     * @param limitBytes what it can hold at most; nothing is ever taken beyond
     */
    public static WriteStream ofChecksums(PreallocationSettings settings, long writtenBytes, long limitBytes) {
        return new WriteStream(settings, writtenBytes, limitBytes, 0, true, 0, PreallocationSettings.GRAIN_BYTES);
    }

    private WriteStream(
            PreallocationSettings settings,
            long writtenBytes,
            long limitBytes,
            long firstWindowBytes,
            boolean whole,
            long startMinBytes,
            long startAtBytes) {
        if (writtenBytes < 0) {
            throw new IllegalArgumentException("writtenBytes must be at least 0: " + writtenBytes);
        }
        this.settings = settings;
        this.startBytes = writtenBytes;
        this.writtenBytes = writtenBytes;
        this.takenEndBytes = writtenBytes;
        this.limitBytes = limitBytes;
        this.firstWindowBytes = firstWindowBytes;
        this.whole = whole;
        this.startMinBytes = startMinBytes;
        this.startAtBytes = startAtBytes;
        this.off = settings.mode() == PreallocationMode.OFF;
    }

    /**
     * Told of each write before it is made.
     *
     * @return what is to be taken on disk now, or null; until {@link #taken} or {@link #refused} nothing more is asked for
     */
    public @Nullable Extent write(long offsetBytes, long lengthBytes) {
        long end = offsetBytes + lengthBytes;
        writes++;
        Extent wanted = off || lengthBytes <= 0 ? null : decide(offsetBytes, end);
        writtenBytes = Math.max(writtenBytes, end);
        return wanted;
    }

    private @Nullable Extent decide(long offset, long end) {
        if (!initiated) {
            return initiate(offset, end);
        }
        if (end <= takenEndBytes && offset >= 0) {
            return end <= currentEndBytes ? null : push(end);
        }
        return end > limitBytes ? null : layoutMiss(offset, end);
    }

    /** "First written by this stream": the current window is the write itself, the sequential window follows it. */
    private @Nullable Extent initiate(long offset, long end) {
        if (end <= startAtBytes) {
            return null;
        }
        if (!whole && writes == 1 && end - offset < startMinBytes) {
            return null;
        }
        initiated = true;
        windowBytes = whole
                ? limitBytes
                : Math.min(
                        settings.windowMaxBytes(), Math.max(firstWindowBytes, times(end - offset, settings.scale())));
        // From the stream's beginning: what a file system has not placed yet comes into the same piece.
        return windowsFrom(writtenBytes >= offset ? Math.min(startBytes, offset) : offset, end);
    }

    /** {@code pre_alloc_layout}: "ramp up and push forward window". */
    private @Nullable Extent push(long end) {
        if (asking) {
            return null;
        }
        windowBytes = Math.min(settings.windowMaxBytes(), times(windowBytes, settings.scale()));
        currentEndBytes = sequentialEndBytes;
        return askUpTo(takenEndBytes, Math.max(end, currentEndBytes) + windowBytes);
    }

    /** {@code layout_miss}: "increase the number of miss; decrease the sequential window size". */
    private @Nullable Extent layoutMiss(long offset, long end) {
        if (whole || (asking && missedWhileAsking)) {
            return null;
        }
        missedWhileAsking = asking;
        misses++;
        windowBytes = Math.max(PreallocationSettings.GRAIN_BYTES, windowBytes / 2);
        if (misses > settings.missesMax()) {
            off = true;
            return null;
        }
        return asking ? null : windowsFrom(Math.max(offset, takenEndBytes), end);
    }

    private @Nullable Extent windowsFrom(long begin, long end) {
        currentEndBytes = end;
        return askUpTo(begin, end + windowBytes);
    }

    private @Nullable Extent askUpTo(long begin, long wantedEnd) {
        long grain = PreallocationSettings.GRAIN_BYTES;
        long end = Math.min(limitBytes, (wantedEnd + grain - 1) / grain * grain);
        sequentialEndBytes = end;
        if (end <= begin) {
            currentEndBytes = limitBytes;
            return null;
        }
        asking = true;
        missedWhileAsking = false;
        return new Extent(begin, end);
    }

    /** What was asked for is on disk up to a position, which may be short of what was asked for. */
    public void taken(long endBytes) {
        asking = false;
        takenEndBytes = Math.max(takenEndBytes, Math.min(endBytes, limitBytes));
        if (takenEndBytes < sequentialEndBytes) {
            // Less than asked for: the windows are what there is.
            sequentialEndBytes = takenEndBytes;
            currentEndBytes = Math.min(currentEndBytes, takenEndBytes);
        }
    }

    /** What was asked for could not be had; that is the volume's doing and shrinks the window without counting as a miss. */
    public void refused() {
        asking = false;
        windowBytes = Math.max(PreallocationSettings.GRAIN_BYTES, windowBytes / 2);
        sequentialEndBytes = takenEndBytes;
        currentEndBytes = takenEndBytes;
    }

    /** Nothing more is asked for. */
    public void switchOff() {
        off = true;
    }

    public boolean isOff() {
        return off;
    }

    /** How often the writer was where nothing had been taken. */
    public int misses() {
        return misses;
    }

    /** The size of the sequential window, bytes; 0 before the stream has one. */
    public long windowBytes() {
        return windowBytes;
    }

    public long writtenBytes() {
        return writtenBytes;
    }

    /** Up to where space has been taken, or written. */
    public long takenEndBytes() {
        return Math.max(takenEndBytes, writtenBytes);
    }

    /** What has been taken and not been written: the tail that is freed when the stream ends. */
    public long unusedBytes() {
        return Math.max(0, takenEndBytes - writtenBytes);
    }

    /** Whether the replica is as long as it can be. */
    public boolean isFull() {
        return writtenBytes >= limitBytes;
    }

    /** Whether a window was ever set up. */
    public boolean isInitiated() {
        return initiated;
    }

    private static long times(long bytes, int scale) {
        return bytes > Long.MAX_VALUE / 2 / scale ? Long.MAX_VALUE / 2 : bytes * scale;
    }
}

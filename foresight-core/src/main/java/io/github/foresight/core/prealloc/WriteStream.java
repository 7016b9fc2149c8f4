/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import org.jspecify.annotations.Nullable;

/**
 * One replica being written: its current window, its sequential window, and the rules for moving them.
 *
 * <pre>
 *   0        written        current window's end   sequential window's end     limit
 *   |===========|...................|.........................|..................|
 *               next write: nothing to do | pre_alloc_layout  | layout_miss
 * </pre>
 *
 * <p>Both windows are taken on disk in one piece. The sequential window is the reservation in which no other stream can
 * write. The first write sets both windows up ("Preallocate with initial value"). A write that enters the sequential
 * window ({@code pre_alloc_layout}) makes it the current window and requests the next window, which is {@code scale}
 * times as large. The writer still has the current window ahead, so the next window can be taken while the writer
 * writes. A write outside the taken space ({@code layout_miss}) counts as a miss and halves the window. After more than
 * {@link PreallocationSettings#missesMax} misses the stream gets no more windows.
 *
 * <p>The differences from the paper (MiF, section III.B and C, Fig. 2) are:
 *
 * <ul>
 *   <li>A replica is written from its begin to its end. A miss means that the disk did not take the window in time,
 *       or that the writer went back.
 *   <li>Both windows are contiguous in byte offsets; the file system chooses their place on disk.
 *   <li>There is a limit: the announced size of the block.
 * </ul>
 *
 * <p>Constant time. Only the few writes that request space allocate memory. Not thread-safe.
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
     * Makes a stream of a replica by an unknown writer.
     *
     * @param writtenBytes the bytes that the replica already holds, at least 0
     * @param limitBytes the most bytes that the replica can hold; no space is taken beyond
     * @param firstWindowBytes the least size of the first sequential window, from {@link WriteHistory}; 0 if it is
     *     unknown
     */
    public WriteStream(PreallocationSettings settings, long writtenBytes, long limitBytes, long firstWindowBytes) {
        this(settings, writtenBytes, limitBytes, firstWindowBytes, isWhole(settings), settings.startMinBytes(), 0);
    }

    /**
     * Makes a stream of a replica whose writer has just filled a block. More writes will follow, even if the first
     * write is small.
     *
     * @param lastWindowBytes the last window of the block before
     */
    static WriteStream continuing(
            PreallocationSettings settings, long writtenBytes, long limitBytes, long lastWindowBytes) {
        return new WriteStream(settings, writtenBytes, limitBytes, lastWindowBytes, isWhole(settings), 0, 0);
    }

    private static boolean isWhole(PreallocationSettings settings) {
        return settings.mode() == PreallocationMode.STATIC;
    }

    /**
     * Makes a stream of a replica's checksum file, with a few hundred bytes for each write of the block. With HDFS's
     * usual chunks all checksums are less than a hundredth of the block. For this reason their whole space is taken at
     * once, when they exceed the first {@value PreallocationSettings#GRAIN_BYTES} bytes. These first bytes are in one
     * piece anyway, and most small files need no more.
     *
     * @param writtenBytes the bytes that the file already holds, at least 0
     * @param limitBytes the most bytes that the file can hold; no space is taken beyond
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
     * Records a write before it is made.
     *
     * @return the range to take on disk now, or null. Until {@link #taken} or {@link #refused} is called, no further
     *     range is requested
     */
    public @Nullable PreallocationRange write(long offsetBytes, long lengthBytes) {
        long end = offsetBytes + lengthBytes;
        writes++;
        PreallocationRange wanted = off || lengthBytes <= 0 ? null : decide(offsetBytes, end);
        writtenBytes = Math.max(writtenBytes, end);
        return wanted;
    }

    private @Nullable PreallocationRange decide(long offset, long end) {
        if (!initiated) {
            return initiate(offset, end);
        }
        if (end <= takenEndBytes && offset >= 0) {
            return end <= currentEndBytes ? null : push(end);
        }
        return end > limitBytes ? null : layoutMiss(offset, end);
    }

    /**
     * "First written by this stream": the current window is the write itself, and the sequential window follows it.
     */
    private @Nullable PreallocationRange initiate(long offset, long end) {
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
        // From the stream's begin: the file system puts all bytes that it has not placed yet into the same piece.
        return windowsFrom(writtenBytes >= offset ? Math.min(startBytes, offset) : offset, end);
    }

    /** {@code pre_alloc_layout}: "ramp up and push forward window". */
    private @Nullable PreallocationRange push(long end) {
        if (asking) {
            return null;
        }
        windowBytes = Math.min(settings.windowMaxBytes(), times(windowBytes, settings.scale()));
        currentEndBytes = sequentialEndBytes;
        return askUpTo(takenEndBytes, Math.max(end, currentEndBytes) + windowBytes);
    }

    /** {@code layout_miss}: "increase the number of miss; decrease the sequential window size". */
    private @Nullable PreallocationRange layoutMiss(long offset, long end) {
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

    private @Nullable PreallocationRange windowsFrom(long begin, long end) {
        currentEndBytes = end;
        return askUpTo(begin, end + windowBytes);
    }

    private @Nullable PreallocationRange askUpTo(long begin, long wantedEnd) {
        long grain = PreallocationSettings.GRAIN_BYTES;
        long end = Math.min(limitBytes, (wantedEnd + grain - 1) / grain * grain);
        sequentialEndBytes = end;
        if (end <= begin) {
            currentEndBytes = limitBytes;
            return null;
        }
        asking = true;
        missedWhileAsking = false;
        return new PreallocationRange(begin, end);
    }

    /** The requested range was taken on disk up to a position, which may be before its end. */
    public void taken(long endBytes) {
        asking = false;
        takenEndBytes = Math.max(takenEndBytes, Math.min(endBytes, limitBytes));
        if (takenEndBytes < sequentialEndBytes) {
            // The windows shrink to the taken space.
            sequentialEndBytes = takenEndBytes;
            currentEndBytes = Math.min(currentEndBytes, takenEndBytes);
        }
    }

    /** The requested range was refused. The cause is the volume, so the window shrinks and no miss is counted. */
    public void refused() {
        asking = false;
        windowBytes = Math.max(PreallocationSettings.GRAIN_BYTES, windowBytes / 2);
        sequentialEndBytes = takenEndBytes;
        currentEndBytes = takenEndBytes;
    }

    /** Stops all requests. */
    public void switchOff() {
        off = true;
    }

    public boolean isOff() {
        return off;
    }

    /** The number of writes outside the taken space. */
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

    /** The end of the taken or written space. */
    public long takenEndBytes() {
        return Math.max(takenEndBytes, writtenBytes);
    }

    /** The bytes that are taken and not written: the tail that is freed when the stream ends. */
    public long unusedBytes() {
        return Math.max(0, takenEndBytes - writtenBytes);
    }

    /** Whether the replica has its full length. */
    public boolean isFull() {
        return writtenBytes >= limitBytes;
    }

    /** Whether a window was set up. */
    public boolean isInitiated() {
        return initiated;
    }

    private static long times(long bytes, int scale) {
        return bytes > Long.MAX_VALUE / 2 / scale ? Long.MAX_VALUE / 2 : bytes * scale;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import com.sun.jna.LastErrorException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file some of whose ranges are in the page cache and, where possible, locked there. Like {@link ResidentFile}, for ranges that are added
 * and released.
 *
 * <p>Not thread-safe: one thread loads and releases; {@link #close()} may be called by another only when the first is done.
 */
public final class ResidentRanges implements Closeable {

    private static final int COPY_BYTES = 128 << 10;

    private final Path path;
    private final long lengthBytes;
    private final int fd;
    private final @Nullable FileChannel channel;
    private final int requestSize;
    private final FileBudget budget;
    private final LockedParts locked;
    private boolean pinning;
    private long mapping;
    private @Nullable String pinFailure;
    private boolean closed;

    private ResidentRanges(
            Path path, long lengthBytes, int fd, @Nullable FileChannel channel, boolean pinning, FileBudget budget) {
        this.path = path;
        this.lengthBytes = lengthBytes;
        this.fd = fd;
        this.channel = channel;
        this.pinning = pinning;
        this.requestSize = ReadRequestSize.ofPart(path);
        this.budget = budget;
        this.locked = new LockedParts(lengthBytes, budget);
    }

    /**
     * Opens a file; nothing is read yet. {@link FileOpener} calls this.
     *
     * @param lengthBytes the file's length, at least 1; ranges end there at the latest
     * @param pin whether to lock ranges in memory where that is possible
     * @throws OverBudgetException if the budget has no room
     * @throws IOException if the file cannot be opened
     */
    static ResidentRanges open(Path path, long lengthBytes, boolean pin, FileBudget budget) throws IOException {
        boolean mayPin = pin && LinuxCalls.unavailableReason() == null;
        budget.open(path, mayPin);
        boolean opened = false;
        try {
            ResidentRanges file = LinuxCalls.unavailableReason() == null
                    ? new ResidentRanges(path, lengthBytes, descriptor(path), null, mayPin, budget)
                    : new ResidentRanges(
                            path, lengthBytes, -1, FileChannel.open(path, StandardOpenOption.READ), false, budget);
            opened = true;
            return file;
        } finally {
            if (!opened) {
                budget.closed();
            }
        }
    }

    /** Without advice the kernel reads on behind a range, and nobody asked for that. */
    private static int descriptor(Path path) throws IOException {
        return FileOpener.descriptor(path, LinuxCalls.POSIX_FADV_RANDOM);
    }

    /** Rounds down to where a page begins. */
    public static long pageBegin(long offset) {
        return offset & -PageSize.BYTES;
    }

    /** Why pinning was given up for this file, or null. */
    public @Nullable String pinFailure() {
        return pinFailure;
    }

    /**
     * Makes a range resident, waiting for the disk: one request, or as many as the device needs.
     *
     * @param begin where a page begins
     * @param end where a page ends, or the file
     * @throws IOException if the disk fails or the file is shorter than its given length
     */
    public void load(long begin, long end) throws IOException {
        long to = Math.min(end, lengthBytes);
        if (begin >= to) {
            return;
        }
        if (channel != null) {
            readThrough(channel, begin, to);
            return;
        }
        boolean resident = PageResidency.KERNEL.isResident(fd, path, begin, to);
        if (!resident) {
            request(begin, to);
        }
        if ((!pinning || !pin(begin, to)) && !resident) {
            touch(begin, to);
        }
    }

    private void request(long begin, long end) throws IOException {
        try {
            for (long at = begin; at < end; at += requestSize) {
                LinuxCalls.readahead(fd, at, Math.min(requestSize, end - at));
            }
        } catch (LastErrorException e) {
            throw failure("readahead", path, e);
        }
    }

    /** Unlocks a range that was loaded; the kernel may keep its pages as long as it has room. */
    public void release(long begin, long end) throws IOException {
        long to = Math.min(end, lengthBytes);
        if (mapping == 0 || begin >= to) {
            return;
        }
        try {
            LinuxCalls.munlock(mapping + begin, to - begin);
            locked.unlocked(begin, to);
        } catch (LastErrorException e) {
            throw failure("munlock", path, e);
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        budget.closed();
        if (channel != null) {
            channel.close();
            return;
        }
        try {
            if (mapping != 0) {
                LinuxCalls.munmap(mapping, lengthBytes);
                mapping = 0;
            }
        } catch (LastErrorException e) {
            throw new IllegalStateException("munmap of our own mapping of " + path + " failed", e);
        } finally {
            locked.unmapped();
            closeDescriptor();
        }
    }

    private void closeDescriptor() throws IOException {
        try {
            LinuxCalls.close(fd);
        } catch (LastErrorException e) {
            throw failure("close", path, e);
        }
    }

    /** Locks a range, which waits for its pages; false where this process may not or the budget has no room. */
    private boolean pin(long from, long to) {
        if (!locked.tryTake()) {
            return false;
        }
        try {
            if (mapping == 0) {
                mapping = LinuxCalls.mmap(0, lengthBytes, LinuxCalls.PROT_READ, LinuxCalls.MAP_SHARED, fd, 0);
                locked.mapped();
                LinuxCalls.madvise(mapping, lengthBytes, LinuxCalls.MADV_RANDOM);
            }
            LinuxCalls.mlock(mapping + from, to - from);
            locked.locked(from, to);
            return true;
        } catch (LastErrorException e) {
            locked.notLocked();
            pinning = false;
            pinFailure = "mlock of " + path + " failed with errno " + e.getErrorCode();
            return false;
        }
    }

    /** Reads without keeping, which waits for the pages and reports a disk's error. */
    private void touch(long from, long to) throws IOException {
        byte[] buffer = new byte[COPY_BYTES];
        try {
            for (long at = from; at < to; ) {
                long n = LinuxCalls.pread(fd, buffer, Math.min(buffer.length, to - at), at);
                if (n <= 0) {
                    throw new EOFException(path + " ends at " + at + ", expected " + lengthBytes + " bytes");
                }
                at += n;
            }
        } catch (LastErrorException e) {
            throw failure("pread", path, e);
        }
    }

    private void readThrough(FileChannel from, long begin, long to) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
        for (long at = begin; at < to; ) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), to - at));
            int n = from.read(buffer, at);
            if (n <= 0) {
                throw new EOFException(path + " ends at " + at + ", expected " + lengthBytes + " bytes");
            }
            at += n;
        }
    }

    private static IOException failure(String call, Path path, LastErrorException e) {
        return new IOException(call + " of " + path + " failed with errno " + e.getErrorCode(), e);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import com.sun.jna.LastErrorException;
import io.github.foresight.core.cache.ResidentPages;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * An open file whose ranges are read into the page cache and, where possible, locked there.
 *
 * <p>Locking maps the file read-only and {@code mlock}s the mapping. The mapping is never dereferenced, so a file that is truncated meanwhile
 * costs an error and not a signal. Without native calls the ranges are read through a channel, and nothing is locked or dropped.
 *
 * <p>Not thread-safe.
 */
final class PageCacheFile implements Closeable {

    /** A buffer's size where a file is read and not mapped. */
    private static final int COPY_BYTES = 128 << 10;

    private final Path path;
    private final long endBytes;

    /** Whether ranges are read that do not go on to the file's end. */
    private final boolean isPart;

    private final int fd;
    private final @Nullable FileChannel channel;
    private final int requestSize;
    private final FileBudget budget;
    private final LockedParts locked;
    private boolean pinning;
    private long mapping;
    private @Nullable String pinFailure;

    private PageCacheFile(
            Path path,
            long endBytes,
            boolean isPart,
            int fd,
            @Nullable FileChannel channel,
            boolean pinning,
            FileBudget budget) {
        this.path = path;
        this.endBytes = endBytes;
        this.isPart = isPart;
        this.fd = fd;
        this.channel = channel;
        this.pinning = pinning;
        this.requestSize = isPart ? ReadRequestSize.ofPart(path) : ReadRequestSize.ofFile(path);
        this.budget = budget;
        this.locked = new LockedParts(endBytes, budget);
    }

    /**
     * Opens a file; nothing is read yet.
     *
     * @param endBytes the end of the bytes that may be read, at least 1
     * @param isPart whether ranges are read that do not go on to the file's end; the kernel is to read nothing behind them
     * @param pin whether to lock ranges in memory where that is possible
     * @throws OverBudgetException if the budget has no room
     * @throws IOException if the file cannot be opened
     */
    static PageCacheFile open(Path path, long endBytes, boolean isPart, boolean pin, FileBudget budget)
            throws IOException {
        boolean isNative = LinuxCalls.unavailableReason() == null;
        boolean mayPin = pin && isNative;
        budget.open(path, mayPin);
        boolean opened = false;
        try {
            int advice = isPart ? LinuxCalls.POSIX_FADV_RANDOM : LinuxCalls.POSIX_FADV_SEQUENTIAL;
            PageCacheFile file = new PageCacheFile(
                    path,
                    endBytes,
                    isPart,
                    isNative ? descriptor(path, advice) : -1,
                    isNative ? null : FileChannel.open(path, StandardOpenOption.READ),
                    mayPin,
                    budget);
            opened = true;
            return file;
        } finally {
            if (!opened) {
                budget.closed();
            }
        }
    }

    /** Opens a file to read, with advice on how the kernel is to read ahead; leaves no descriptor behind if that fails. */
    static int descriptor(Path path, int advice) throws IOException {
        int fd = -1;
        try {
            fd = LinuxCalls.open(path.toString(), LinuxCalls.O_RDONLY | LinuxCalls.O_CLOEXEC);
            LinuxCalls.posix_fadvise(fd, 0, 0, advice);
            return fd;
        } catch (LastErrorException e) {
            if (fd >= 0) {
                LinuxCalls.close(fd);
            }
            throw new IOException("open of " + path + " failed with errno " + e.getErrorCode(), e);
        }
    }

    /** Whether the kernel can be asked for pages; else {@link #readThrough} is all that works. */
    boolean isNative() {
        return channel == null;
    }

    boolean isPinned() {
        return mapping != 0;
    }

    /** Why pinning was given up for this file, or null. */
    @Nullable
    String pinFailure() {
        return pinFailure;
    }

    /** Which pages of a range are resident. */
    ResidentPages residentPages(long begin, long end) {
        return PageResidency.KERNEL.of(fd, path, begin, end);
    }

    boolean isResident(long begin, long end) {
        return PageResidency.KERNEL.isResident(fd, path, begin, end);
    }

    boolean isStillResident(long begin, long end) {
        return PageResidency.KERNEL.isStillResident(fd, path, begin, end);
    }

    /** Whether the device's own read-ahead is too small to leave requests to the kernel. */
    boolean needsRequests() {
        return requestSize != ReadRequestSize.NONE;
    }

    /** Requests a range, and does not wait for the disk; only where requests are needed. */
    void request(long begin, long end) throws IOException {
        try {
            for (long at = begin; at < end; at += requestSize) {
                LinuxCalls.readahead(fd, at, Math.min(requestSize, end - at));
            }
        } catch (LastErrorException e) {
            throw failure("readahead", e);
        }
    }

    /** Locks a range, which waits for its pages; false where this process may not or the budget has no room. */
    boolean pin(long begin, long end) {
        if (!pinning || !locked.tryTake()) {
            return false;
        }
        try {
            if (mapping == 0) {
                mapping = LinuxCalls.mmap(0, endBytes, LinuxCalls.PROT_READ, LinuxCalls.MAP_SHARED, fd, 0);
                locked.mapped();
                LinuxCalls.madvise(mapping, endBytes, isPart ? LinuxCalls.MADV_RANDOM : LinuxCalls.MADV_SEQUENTIAL);
            }
            long from = begin & -PageSize.BYTES;
            LinuxCalls.mlock(mapping + from, end - from);
            locked.locked(from, end);
            return true;
        } catch (LastErrorException e) {
            locked.notLocked();
            pinning = false;
            pinFailure = "mlock of " + path + " failed with errno " + e.getErrorCode();
            return false;
        }
    }

    /** Unlocks a locked range; the kernel may keep its pages as long as it has room. */
    void unlock(long begin, long end) throws IOException {
        if (mapping == 0) {
            return;
        }
        try {
            LinuxCalls.munlock(mapping + begin, end - begin);
            locked.unlocked(begin, end);
        } catch (LastErrorException e) {
            throw failure("munlock", e);
        }
    }

    /** Reads without keeping, which waits for the pages and reports a disk's error. */
    void touch(long begin, long end) throws IOException {
        byte[] buffer = new byte[COPY_BYTES];
        try {
            for (long at = begin; at < end; ) {
                long n = LinuxCalls.pread(fd, buffer, Math.min(buffer.length, end - at), at);
                if (n <= 0) {
                    throw endsAt(at);
                }
                at += n;
            }
        } catch (LastErrorException e) {
            throw failure("pread", e);
        }
    }

    /** Reads a range through the channel. */
    void readThrough(long begin, long end) throws IOException {
        FileChannel from = channel;
        if (from == null) {
            throw new IllegalStateException(path + " is read by native calls");
        }
        ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
        for (long at = begin; at < end; ) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
            int n = from.read(buffer, at);
            if (n <= 0) {
                throw endsAt(at);
            }
            at += n;
        }
    }

    /** Drops the pages of a range that no other process maps. The kernel drops whole pages only, and the file's last page. */
    void dropPages(long begin, long end) {
        LinuxCalls.posix_fadvise(fd, begin, end - begin, LinuxCalls.POSIX_FADV_DONTNEED);
    }

    /** Unlocks all ranges. */
    void unpin() {
        if (mapping != 0) {
            try {
                LinuxCalls.munmap(mapping, endBytes);
            } catch (LastErrorException e) {
                throw new IllegalStateException("munmap of our own mapping of " + path + " failed", e);
            } finally {
                mapping = 0;
                locked.unmapped();
            }
        }
    }

    /** Call once. */
    @Override
    public void close() throws IOException {
        try {
            unpin();
        } finally {
            closeDescriptor();
        }
    }

    private void closeDescriptor() throws IOException {
        budget.closed();
        if (channel != null) {
            channel.close();
            return;
        }
        try {
            LinuxCalls.close(fd);
        } catch (LastErrorException e) {
            throw failure("close", e);
        }
    }

    private EOFException endsAt(long offset) {
        return new EOFException(path + " ends at " + offset + ", expected " + endBytes + " bytes");
    }

    private IOException failure(String call, LastErrorException e) {
        return new IOException(call + " of " + path + " failed with errno " + e.getErrorCode(), e);
    }
}

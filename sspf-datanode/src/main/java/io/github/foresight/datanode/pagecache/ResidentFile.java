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
 * A part of a file that is brought into the page cache from front to back and, where that is possible, locked there.
 *
 * <p>The first load asks the kernel which pages are resident already. Later loads pass over those pages, and {@link #drop} leaves them
 * alone: they belong to whoever read them.
 *
 * <p>The memory is the kernel's: whoever reads the file finds the pages, with {@code sendfile} as well as through a file descriptor that
 * was passed to a local client. Locking maps the file read-only and {@code mlock}s the mapping; the mapping is never dereferenced here, so
 * a file that is truncated meanwhile costs an error and not a signal.
 *
 * <p>Not thread-safe: one thread loads; {@link #close()} may be called by another only when the first is done.
 */
public final class ResidentFile implements Closeable {

    /** A buffer's size where a file is read and not mapped. */
    private static final int COPY_BYTES = 128 << 10;

    private final Path path;
    private final long beginBytes;
    private final long endBytes;

    /** Whether the file goes on behind the end. */
    private final boolean isPart;

    private final int fd;
    private final @Nullable FileChannel channel;
    private final int requestSize;
    private final FileBudget budget;
    private final LockedParts locked;
    private @Nullable ResidentPages found;
    private long mapping;
    private boolean pinning;
    private long residentUpTo;
    private long requestedUpTo;
    private @Nullable String pinFailure;
    private boolean closed;

    private ResidentFile(
            Path path,
            long beginBytes,
            long endBytes,
            boolean isPart,
            int fd,
            @Nullable FileChannel channel,
            boolean pinning,
            FileBudget budget) {
        this.path = path;
        this.beginBytes = beginBytes;
        this.endBytes = endBytes;
        this.residentUpTo = beginBytes;
        this.fd = fd;
        this.channel = channel;
        this.pinning = pinning;
        this.isPart = isPart;
        this.requestSize = isPart ? ReadRequestSize.ofPart(path) : ReadRequestSize.ofFile(path);
        this.budget = budget;
        this.locked = new LockedParts(endBytes, budget);
    }

    /**
     * Why files cannot be pinned nor dropped in this process, in words, or null where they can. Without, prefetch still reads
     * files into memory.
     */
    public static @Nullable String nativeUnavailableReason() {
        return LinuxCalls.unavailableReason();
    }

    /**
     * Opens a file; nothing is read yet. {@link FileOpener} calls this.
     *
     * @param beginBytes the begin of the part that may become resident
     * @param endBytes the end of the part
     * @param pin whether to lock it in memory where that is possible
     * @throws OverBudgetException if the budget has no room
     * @throws IOException if the file cannot be opened
     */
    static ResidentFile open(Path path, long beginBytes, long endBytes, boolean pin, FileBudget budget)
            throws IOException {
        boolean mayPin = pin && LinuxCalls.unavailableReason() == null;
        // 0 of a file that is missing: the open names it.
        boolean isPart = endBytes < path.toFile().length();
        budget.open(path, mayPin);
        boolean opened = false;
        try {
            int fd = -1;
            FileChannel channel = null;
            if (LinuxCalls.unavailableReason() == null) {
                fd = FileOpener.descriptor(
                        path, isPart ? LinuxCalls.POSIX_FADV_RANDOM : LinuxCalls.POSIX_FADV_SEQUENTIAL);
            } else {
                channel = FileChannel.open(path, StandardOpenOption.READ);
            }
            ResidentFile file = new ResidentFile(path, beginBytes, endBytes, isPart, fd, channel, mayPin, budget);
            opened = true;
            return file;
        } finally {
            if (!opened) {
                budget.closed();
            }
        }
    }

    /** The end of the resident pages that begin with the part; bytes from the file's begin. */
    public long residentUpTo() {
        return residentUpTo;
    }

    /** Whether the resident pages are locked as well. */
    public boolean isPinned() {
        return mapping != 0;
    }

    /** Why pinning was given up for this file, or null. */
    public @Nullable String pinFailure() {
        return pinFailure;
    }

    /**
     * Makes the next part resident, waiting for the disk.
     *
     * @param bytes how much, from where the last call ended; less at the file's end
     * @param readAheadBytes how much beyond it is requested without waiting
     * @throws IOException if the disk fails or the file ends before the part
     */
    public void load(long bytes, long readAheadBytes) throws IOException {
        long to = Math.min(endBytes, residentUpTo + bytes);
        if (to <= residentUpTo) {
            return;
        }
        if (channel != null) {
            readThrough(channel, to);
        } else {
            ResidentPages before = examined();
            request(before, Math.min(endBytes, to + readAheadBytes));
            before.forEachAbsent(residentUpTo, to, this::read);
            before.forEachResident(residentUpTo, to, this::readWhereEvicted);
        }
        residentUpTo = to;
    }

    /** The pages that were resident before the first load. */
    private ResidentPages examined() {
        ResidentPages known = found;
        if (known == null) {
            known = PageResidency.KERNEL.of(fd, path, beginBytes, endBytes);
            found = known;
        }
        return known;
    }

    /** What of the file was in memory before the first load; null before the first load, and where nobody can tell. */
    public @Nullable ResidentPages found() {
        return found;
    }

    private void readWhereEvicted(long begin, long end) throws IOException {
        if (!PageResidency.KERNEL.isStillResident(fd, path, begin, end)) {
            read(begin, end);
        }
    }

    /** Makes a range resident, and locks the range where that is possible. */
    private void read(long begin, long end) throws IOException {
        if (!pinning || !pin(begin, end)) {
            touch(begin, end);
        }
    }

    /**
     * Unlocks all pages, and drops the pages that the loads have brought into memory, as far as no other process maps them. Pages that were
     * in memory before stay. Call before {@link #close()}.
     */
    public void drop() {
        unpin();
        ResidentPages before = found;
        if (before != null && channel == null && !closed) {
            long loaded = Math.max(residentUpTo, requestedUpTo);
            before.forEachOwn(beginBytes, loaded, this::dropRange);
        }
    }

    private void dropRange(long begin, long end) {
        // The kernel drops whole pages only, and the last one of the file.
        LinuxCalls.posix_fadvise(fd, begin, end - begin, LinuxCalls.POSIX_FADV_DONTNEED);
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
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
            throw failure("close", path, e);
        }
    }

    private void request(ResidentPages before, long to) throws IOException {
        if (requestSize == ReadRequestSize.NONE) {
            return;
        }
        before.forEachAbsent(Math.max(requestedUpTo, residentUpTo), to, this::request);
        requestedUpTo = Math.max(requestedUpTo, to);
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

    /** Locks a range, which waits for its pages; false where this process may not or the budget has no room. */
    private boolean pin(long begin, long end) {
        if (!locked.tryTake()) {
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

    /** Reads without keeping, which waits for the pages and reports a disk's error. */
    private void touch(long begin, long end) throws IOException {
        byte[] buffer = new byte[COPY_BYTES];
        try {
            for (long at = begin; at < end; ) {
                long n = LinuxCalls.pread(fd, buffer, Math.min(buffer.length, end - at), at);
                if (n <= 0) {
                    throw new EOFException(path + " ends at " + at + ", expected " + endBytes + " bytes");
                }
                at += n;
            }
        } catch (LastErrorException e) {
            throw failure("pread", path, e);
        }
    }

    private void readThrough(FileChannel from, long to) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
        for (long at = residentUpTo; at < to; ) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), to - at));
            int n = from.read(buffer, at);
            if (n <= 0) {
                throw new EOFException(path + " ends at " + at + ", expected " + endBytes + " bytes");
            }
            at += n;
        }
    }

    private void unpin() {
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

    private static IOException failure(String call, Path path, LastErrorException e) {
        return new IOException(call + " of " + path + " failed with errno " + e.getErrorCode(), e);
    }
}

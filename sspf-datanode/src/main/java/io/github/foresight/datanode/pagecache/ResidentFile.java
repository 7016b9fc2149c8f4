/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import io.github.foresight.core.cache.ResidentPages;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file that is brought into the page cache from front to back and, where that is possible, locked there.
 *
 * <p>The first load asks the kernel which pages are resident already. Later loads pass over those pages, and {@link #drop} leaves them
 * alone: they belong to whoever read them.
 *
 * <p>The memory is the kernel's: whoever reads the file finds the pages, with {@code sendfile} as well as through a file descriptor that
 * was passed to a local client.
 *
 * <p>Not thread-safe: one thread loads; {@link #close()} may be called by another only when the first is done.
 */
public final class ResidentFile implements Closeable {

    private final PageCacheFile file;
    private final long beginBytes;
    private final long endBytes;
    private @Nullable ResidentPages found;
    private long residentUpTo;
    private long requestedUpTo;
    private boolean closed;

    private ResidentFile(PageCacheFile file, long beginBytes, long endBytes) {
        this.file = file;
        this.beginBytes = beginBytes;
        this.endBytes = endBytes;
        this.residentUpTo = beginBytes;
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
        // 0 of a file that is missing: the open names it.
        boolean isPart = endBytes < path.toFile().length();
        return new ResidentFile(PageCacheFile.open(path, endBytes, isPart, pin, budget), beginBytes, endBytes);
    }

    /** The end of the resident pages that begin with the part; bytes from the file's begin. */
    public long residentUpTo() {
        return residentUpTo;
    }

    /** Whether the resident pages are locked as well. */
    public boolean isPinned() {
        return file.isPinned();
    }

    /** Why pinning was given up for this file, or null. */
    public @Nullable String pinFailure() {
        return file.pinFailure();
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
        if (!file.isNative()) {
            file.readThrough(residentUpTo, to);
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
            known = file.residentPages(beginBytes, endBytes);
            found = known;
        }
        return known;
    }

    /** The pages that were in memory before the first load; null before the first load, and where the kernel does not show them. */
    public @Nullable ResidentPages found() {
        return found;
    }

    private void readWhereEvicted(long begin, long end) throws IOException {
        if (!file.isStillResident(begin, end)) {
            read(begin, end);
        }
    }

    /** Makes a range resident, and locks the range where that is possible. */
    private void read(long begin, long end) throws IOException {
        if (!file.pin(begin, end)) {
            file.touch(begin, end);
        }
    }

    /**
     * Unlocks all pages, and drops the pages that the loads have brought into memory, as far as no other process maps them. Pages that were
     * in memory before stay. Call before {@link #close()}.
     */
    public void drop() {
        file.unpin();
        ResidentPages before = found;
        if (before != null && file.isNative() && !closed) {
            long loaded = Math.max(residentUpTo, requestedUpTo);
            before.forEachOwn(beginBytes, loaded, file::dropPages);
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        file.close();
    }

    private void request(ResidentPages before, long to) throws IOException {
        if (!file.needsRequests()) {
            return;
        }
        before.forEachAbsent(Math.max(requestedUpTo, residentUpTo), to, file::request);
        requestedUpTo = Math.max(requestedUpTo, to);
    }
}

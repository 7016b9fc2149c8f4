/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file some of whose ranges are in the page cache and, where possible, locked there. Like {@link ResidentFile}, for ranges that are added
 * and released.
 *
 * <p>Not thread-safe: one thread loads and releases; {@link #close()} may be called by another only when the first is done.
 */
public final class ResidentRanges implements Closeable {

    private final PageCacheFile file;
    private final long lengthBytes;
    private boolean closed;

    private ResidentRanges(PageCacheFile file, long lengthBytes) {
        this.file = file;
        this.lengthBytes = lengthBytes;
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
        return new ResidentRanges(PageCacheFile.open(path, lengthBytes, true, pin, budget), lengthBytes);
    }

    /** Rounds down to where a page begins. */
    public static long pageBegin(long offset) {
        return offset & -PageSize.BYTES;
    }

    /** Why pinning was given up for this file, or null. */
    public @Nullable String pinFailure() {
        return file.pinFailure();
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
        if (!file.isNative()) {
            file.readThrough(begin, to);
            return;
        }
        boolean resident = file.isResident(begin, to);
        if (!resident) {
            file.request(begin, to);
        }
        if (!file.pin(begin, to) && !resident) {
            file.touch(begin, to);
        }
    }

    /** Unlocks a range that was loaded; the kernel may keep its pages as long as it has room. */
    public void release(long begin, long end) throws IOException {
        long to = Math.min(end, lengthBytes);
        if (begin < to) {
            file.unlock(begin, to);
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
}

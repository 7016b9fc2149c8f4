/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import com.sun.jna.LastErrorException;
import io.github.foresight.core.cache.ResidentPages;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Asks the kernel which pages of a file are in the page cache. No call waits for a disk, and none brings a page in.
 *
 * <p>{@code cachestat} (Linux 6.5) answers for the file that is wholly in memory or not at all. For the rest, and on older kernels, {@code
 * mincore} answers page by page through a mapping that lives as long as the call. Some sandboxes say of every page that it is in memory;
 * there the answer is {@linkplain ResidentPages#unknown unknown}. Sandboxes that refuse {@code cachestat}, as many containers do, are asked
 * once; {@code mincore} answers from then on. Thread-safe.
 */
final class PageResidency {

    private static final int PAGE_BYTES = LinuxCalls.unavailableReason() == null ? LinuxCalls.getpagesize() : 4096;
    private static final boolean MINCORE_TELLS = mincoreTells();

    /** The kernel that this process runs on. */
    static final PageResidency KERNEL = new PageResidency(LinuxCalls::cachedPages);

    /** Counts the pages of a range that are in memory; a seam for tests of the answers of sandboxes. */
    @FunctionalInterface
    interface PageCounter {
        long cachedPages(int fd, long offset, long length) throws LastErrorException;
    }

    private final PageCounter cachestat;
    private volatile boolean cachestatMissing;

    PageResidency(PageCounter cachestat) {
        this.cachestat = cachestat;
    }

    /** What of a file is in memory. */
    ResidentPages of(int fd, Path path, long lengthBytes) {
        return of(fd, path, 0, lengthBytes);
    }

    /**
     * What of a part of a file is in memory. Ask the result for ranges of this part only.
     *
     * @param begin the begin of the part
     */
    ResidentPages of(int fd, Path path, long begin, long end) {
        if (begin >= end) {
            return ResidentPages.none(end);
        }
        if (!cachestatMissing) {
            try {
                long cached = cachestat.cachedPages(fd, begin, end - begin);
                if (cached == 0) {
                    return ResidentPages.none(end);
                }
                if (cached >= pages(end) - begin / PAGE_BYTES) {
                    return ResidentPages.all(end);
                }
            } catch (LastErrorException e) {
                failed(path, e);
            }
        }
        return pageByPage(fd, path, end);
    }

    private static ResidentPages pageByPage(int fd, Path path, long lengthBytes) {
        // Of a file that the process may not write to the kernel says that each page is in memory.
        if (!MINCORE_TELLS || !Files.isWritable(path)) {
            return ResidentPages.unknown(lengthBytes);
        }
        try {
            long mapping = LinuxCalls.mmap(0, lengthBytes, LinuxCalls.PROT_READ, LinuxCalls.MAP_SHARED, fd, 0);
            try {
                byte[] pages = new byte[Math.toIntExact(pages(lengthBytes))];
                LinuxCalls.mincore(mapping, lengthBytes, pages);
                return ResidentPages.of(lengthBytes, pages, PAGE_BYTES);
            } finally {
                LinuxCalls.munmap(mapping, lengthBytes);
            }
        } catch (LastErrorException e) {
            return ResidentPages.unknown(lengthBytes);
        }
    }

    /** Whether all of a range is in memory; false where the kernel has no cheap answer. */
    boolean isResident(int fd, Path path, long begin, long end) {
        return isResident(fd, path, begin, end, false);
    }

    /** Whether all of a range that was in memory is there still; true where the kernel has no cheap answer. */
    boolean isStillResident(int fd, Path path, long begin, long end) {
        return isResident(fd, path, begin, end, true);
    }

    private boolean isResident(int fd, Path path, long begin, long end, boolean otherwise) {
        if (cachestatMissing) {
            return otherwise;
        }
        try {
            return cachestat.cachedPages(fd, begin, end - begin) >= pages(end) - begin / PAGE_BYTES;
        } catch (LastErrorException e) {
            failed(path, e);
            return otherwise;
        }
    }

    /** Remembers a call that fails for every file. The kernel itself refuses it for files that the process may not write to. */
    private void failed(Path path, LastErrorException e) {
        int errno = e.getErrorCode();
        cachestatMissing |= errno == LinuxCalls.ENOSYS || (errno == LinuxCalls.EPERM && Files.isWritable(path));
    }

    private static long pages(long bytes) {
        return (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    }

    /** Whether {@code mincore} knows of a page that nobody has touched that the page is not in memory. */
    private static boolean mincoreTells() {
        if (LinuxCalls.unavailableReason() != null || ResidentPages.UNIT_BYTES % PAGE_BYTES != 0) {
            return false;
        }
        try {
            long page = LinuxCalls.mmap(
                    0, PAGE_BYTES, LinuxCalls.PROT_READ, LinuxCalls.MAP_PRIVATE | LinuxCalls.MAP_ANONYMOUS, -1, 0);
            try {
                byte[] resident = new byte[1];
                LinuxCalls.mincore(page, PAGE_BYTES, resident);
                return (resident[0] & 1) == 0;
            } finally {
                LinuxCalls.munmap(page, PAGE_BYTES);
            }
        } catch (LastErrorException e) {
            return false;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The Linux system calls that page-cache residency needs, bound directly by JNA. 64-bit Linux only. Thread-safe.
 *
 * <p>{@link #unavailableReason()} must be null before any other method is called.
 */
final class LinuxCalls {

    static final int PROT_READ = 1;
    static final int MAP_SHARED = 1;
    static final int MAP_PRIVATE = 2;
    static final int MAP_ANONYMOUS = 0x20;
    static final int MADV_RANDOM = 1;
    static final int MADV_SEQUENTIAL = 2;
    static final int POSIX_FADV_RANDOM = 1;
    static final int POSIX_FADV_SEQUENTIAL = 2;
    static final int POSIX_FADV_DONTNEED = 4;
    static final int O_RDONLY = 0;
    static final int O_CLOEXEC = 0x80000;
    static final int EPERM = 1;
    static final int ENOSYS = 38;

    /** {@code cachestat}, of Linux 6.5 on; no C library has it as a function yet. The number is the same on all that we bind. */
    private static final long CACHESTAT_NUMBER = 451;

    private static final int CACHESTAT_RANGE_BYTES = 16;
    private static final int CACHESTAT_BYTES = 40;

    private static final @Nullable String UNAVAILABLE_REASON = bind();

    private LinuxCalls() {}

    /** Why the calls cannot be made in this process, in words, or null where they can. */
    static @Nullable String unavailableReason() {
        return UNAVAILABLE_REASON;
    }

    private static @Nullable String bind() {
        try {
            if (!Platform.isLinux() || !Platform.is64Bit()) {
                return "page-cache calls are bound for 64-bit Linux only, this is " + System.getProperty("os.name")
                        + " " + System.getProperty("os.arch");
            }
            Native.register(LinuxCalls.class, "c");
            return null;
        } catch (LinkageError | RuntimeException e) {
            return "JNA cannot bind the C library: " + e;
        }
    }

    static native int open(String path, int flags) throws LastErrorException;

    static native int close(int fd) throws LastErrorException;

    static native long readahead(int fd, long offset, long count) throws LastErrorException;

    static native long pread(int fd, byte[] buffer, long count, long offset) throws LastErrorException;

    /** Returns the error number itself, not through errno. */
    static native int posix_fadvise(int fd, long offset, long length, int advice);

    static native long mmap(long address, long length, int protection, int flags, int fd, long offset)
            throws LastErrorException;

    static native int madvise(long address, long length, int advice) throws LastErrorException;

    static native int munmap(long address, long length) throws LastErrorException;

    static native int mlock(long address, long length) throws LastErrorException;

    static native int munlock(long address, long length) throws LastErrorException;

    /** Sets a byte for each page, whose lowest bit says whether the page is in memory. */
    static native int mincore(long address, long length, byte[] pages) throws LastErrorException;

    static native int getpagesize();

    /** The pages of a range that are in the page cache. */
    static long cachedPages(int fd, long offset, long length) throws LastErrorException {
        ByteBuffer range = ByteBuffer.allocate(CACHESTAT_RANGE_BYTES).order(ByteOrder.nativeOrder());
        range.putLong(offset).putLong(length);
        byte[] counts = new byte[CACHESTAT_BYTES];
        syscall(CACHESTAT_NUMBER, fd, range.array(), counts, 0);
        return ByteBuffer.wrap(counts).order(ByteOrder.nativeOrder()).getLong(0);
    }

    private static native long syscall(long number, long fd, byte[] range, byte[] counts, long flags)
            throws LastErrorException;
}

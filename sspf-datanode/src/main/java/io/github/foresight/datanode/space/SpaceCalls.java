/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.space;

import com.google.common.collect.ImmutableMap;
import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Linux system calls that space on disk needs, bound directly by JNA. 64-bit Linux on x86, ARM, RISC-V and POWER. Thread-safe.
 *
 * <p>{@link #unavailableReason()} must be null before any other method is called.
 */
final class SpaceCalls {

    static final int O_WRONLY = 1;
    static final int O_CLOEXEC = 0x80000;
    static final int FALLOC_FL_KEEP_SIZE = 1;
    static final int FALLOC_FL_PUNCH_HOLE = 2;

    /** {@code fstat} by number, for until glibc 2.33 it is not a function; the layouts agree in the fields that are read here. */
    private static final Map<String, Integer> FSTAT_NUMBERS =
            ImmutableMap.of("x86-64", 5, "aarch64", 80, "riscv64", 80, "ppc64le", 108);

    /** {@code struct fiemap} without room for extents, so that the kernel only counts them. */
    private static final long FS_IOC_FIEMAP = 0xC020660BL;

    private static final int FIEMAP_BYTES = 32;
    private static final int FIEMAP_MAPPED_OFFSET = 20;
    private static final int STAT_BYTES = 256;
    private static final int STAT_SIZE_OFFSET = 48;
    private static final int STAT_BLOCK_BYTES_OFFSET = 56;
    private static final int STAT_BLOCKS_OFFSET = 64;

    /** The kernel's record of a file. */
    static final class FileStat {
        final long lengthBytes;

        /** The file's blocks on disk, reserved blocks too. */
        final long heldBytes;

        /** The blocks in which the file system gives space. */
        final long blockBytes;

        FileStat(long lengthBytes, long heldBytes, long blockBytes) {
            this.lengthBytes = lengthBytes;
            this.heldBytes = heldBytes;
            this.blockBytes = blockBytes;
        }

        /** Where the block ends that the file's last byte lies in. */
        long endOfLastBlock() {
            return (lengthBytes + blockBytes - 1) / blockBytes * blockBytes;
        }
    }

    private static final @Nullable String UNAVAILABLE_REASON = bind();

    private SpaceCalls() {}

    /** Why the calls cannot be made in this process, in words, or null where they can. */
    static @Nullable String unavailableReason() {
        return UNAVAILABLE_REASON;
    }

    private static @Nullable String bind() {
        try {
            if (!Platform.isLinux() || !Platform.is64Bit() || !FSTAT_NUMBERS.containsKey(Platform.ARCH)) {
                return "space calls are bound for 64-bit Linux on " + FSTAT_NUMBERS.keySet() + " only, this is "
                        + System.getProperty("os.name") + " " + Platform.ARCH;
            }
            Native.register(SpaceCalls.class, "c");
            return null;
        } catch (LinkageError | RuntimeException e) {
            return "JNA cannot bind the C library: " + e;
        }
    }

    static FileStat stat(int fd) throws LastErrorException {
        byte[] stat = new byte[STAT_BYTES];
        Integer number = FSTAT_NUMBERS.get(Platform.ARCH);
        if (number == null) {
            throw new IllegalStateException("fstat is not known on " + Platform.ARCH);
        }
        syscall(number, fd, stat);
        ByteBuffer buffer = ByteBuffer.wrap(stat).order(ByteOrder.nativeOrder());
        return new FileStat(
                buffer.getLong(STAT_SIZE_OFFSET),
                buffer.getLong(STAT_BLOCKS_OFFSET) * 512,
                Math.max(1, buffer.getInt(STAT_BLOCK_BYTES_OFFSET)));
    }

    /**
     * How many extents a file has from an offset on, reserved ones too.
     *
     * @throws LastErrorException where the file system does not show it
     */
    static int extentsFrom(int fd, long offset) throws LastErrorException {
        ByteBuffer fiemap = ByteBuffer.allocate(FIEMAP_BYTES).order(ByteOrder.nativeOrder());
        fiemap.putLong(offset).putLong(-1L >>> 1);
        ioctl(fd, FS_IOC_FIEMAP, fiemap.array());
        return fiemap.getInt(FIEMAP_MAPPED_OFFSET);
    }

    private static native int ioctl(int fd, long request, byte[] argument) throws LastErrorException;

    static native int open(String path, int flags) throws LastErrorException;

    static native int close(int fd) throws LastErrorException;

    static native int fallocate(int fd, int mode, long offset, long length) throws LastErrorException;

    static native int ftruncate(int fd, long length) throws LastErrorException;

    private static native long syscall(long number, long fd, byte[] stat) throws LastErrorException;
}

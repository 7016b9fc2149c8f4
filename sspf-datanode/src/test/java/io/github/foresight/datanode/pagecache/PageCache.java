/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The pages that the kernel holds of a file, and a way to drop them all. */
public final class PageCache {

    private static final long SMALLEST_PAGE_BYTES = 4096;

    private PageCache() {}

    /** Has the kernel forget a file's pages, after they were written to the disk. */
    public static void evict(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        if (LinuxCalls.unavailableReason() == null) {
            int fd = LinuxCalls.open(file.toString(), LinuxCalls.O_RDONLY);
            LinuxCalls.posix_fadvise(fd, 0, 0, LinuxCalls.POSIX_FADV_DONTNEED);
            LinuxCalls.close(fd);
        }
    }

    /** What {@code mincore} says of a range that begins and ends with a page; mapping a file reads nothing of it. */
    public static long residentBytes(Path file, long from, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, from, length);
            int pages = Math.toIntExact(length / SMALLEST_PAGE_BYTES);
            byte[] states = new byte[pages];
            int status = NativeLibrary.getInstance("c")
                    .getFunction("mincore")
                    .invokeInt(new Object[] {Native.getDirectBufferPointer(mapped), length, states});
            assertThat(status).isZero();
            long resident = 0;
            for (byte state : states) {
                resident += state & 1;
            }
            return resident * SMALLEST_PAGE_BYTES;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.nio.ByteBuffer;
import org.apache.hadoop.fs.Path;

/** Large files of equal size below one folder. The file and the offset determine each byte. Immutable. */
final class WindowFiles {

    private static final int FILE_SHIFT = 48;

    private final String folder;

    WindowFiles(String folder) {
        this.folder = folder;
    }

    /** The name is {@code sysbench}'s. */
    Path path(int file) {
        return new Path(folder, "test_file." + file);
    }

    Path part(int file, long block) {
        return new Path(folder, "test_file." + file + "-block" + block);
    }

    /** Fills a buffer with the bytes of a file from an offset on; offset and length are multiples of eight. */
    static void fill(int file, long offset, byte[] buffer) {
        ByteBuffer words = ByteBuffer.wrap(buffer);
        for (long at = offset; words.remaining() >= Long.BYTES; at += Long.BYTES) {
            words.putLong(word(file, at));
        }
    }

    /** Whether the first and the last eight bytes of a buffer are the bytes of a file at an offset. */
    static boolean matches(int file, long offset, byte[] buffer) {
        ByteBuffer words = ByteBuffer.wrap(buffer);
        int last = buffer.length - Long.BYTES;
        return words.getLong(0) == word(file, offset) && words.getLong(last) == word(file, offset + last);
    }

    private static long word(int file, long offset) {
        return ((long) file + 1) << FILE_SHIFT ^ offset;
    }
}

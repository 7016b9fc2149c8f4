/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

/** A range of a block file for which space is taken, in bytes; never empty. Immutable and thread-safe. */
public final class PreallocationRange {

    private final long beginBytes;
    private final long endBytes;

    /**
     * Makes a range.
     *
     * @param beginBytes the first byte, at least 0
     * @param endBytes the byte after the last
     */
    public PreallocationRange(long beginBytes, long endBytes) {
        if (beginBytes < 0 || endBytes <= beginBytes) {
            throw new IllegalArgumentException(
                    "a range must begin at or after 0 and end after it begins: [" + beginBytes + ", " + endBytes + ")");
        }
        this.beginBytes = beginBytes;
        this.endBytes = endBytes;
    }

    public long beginBytes() {
        return beginBytes;
    }

    public long endBytes() {
        return endBytes;
    }

    public long lengthBytes() {
        return endBytes - beginBytes;
    }

    /** The beginning of the range, at most this long. */
    public PreallocationRange atMost(long bytes) {
        return bytes >= lengthBytes() ? this : new PreallocationRange(beginBytes, beginBytes + bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PreallocationRange
                && ((PreallocationRange) other).beginBytes == beginBytes
                && ((PreallocationRange) other).endBytes == endBytes;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(beginBytes * 31 + endBytes);
    }

    @Override
    public String toString() {
        return "[" + beginBytes + ", " + endBytes + ")";
    }
}

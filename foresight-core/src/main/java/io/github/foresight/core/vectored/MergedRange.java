/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.vectored;

import com.google.common.collect.ImmutableList;

/** One read that covers one or several of the ranges that were asked for. Immutable and thread-safe. */
public final class MergedRange {

    private final long offset;
    private final int lengthBytes;
    private final ImmutableList<Integer> members;

    MergedRange(long offset, int lengthBytes, ImmutableList<Integer> members) {
        this.offset = offset;
        this.lengthBytes = lengthBytes;
        this.members = members;
    }

    /** Where in the file the read begins, bytes. */
    public long offset() {
        return offset;
    }

    public int lengthBytes() {
        return lengthBytes;
    }

    /** The covered ranges, as their places in the list that was asked for, by ascending offset; never empty. */
    public ImmutableList<Integer> members() {
        return members;
    }

    @Override
    public String toString() {
        return "[" + offset + ", " + (offset + lengthBytes) + ") for " + members;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import java.util.Objects;

/**
 * A block that a client announces to read: one record of SSPF's hint message (Fig. 4). The record also has the
 * generation stamp, because HDFS needs the stamp to identify a block's content. Immutable and thread-safe.
 */
public final class HintedBlock {

    private final BlockKey key;
    private final long generationStamp;
    private final long fileOffset;
    private final long lengthBytes;

    /**
     * Makes a record.
     *
     * @param fileOffset the offset of the block in its file, bytes, at least 0
     * @param lengthBytes the block's length, at least 1
     * @throws IllegalArgumentException if the offset or the length is out of range
     */
    public HintedBlock(BlockKey key, long generationStamp, long fileOffset, long lengthBytes) {
        if (fileOffset < 0) {
            throw new IllegalArgumentException("fileOffset must be at least 0: " + fileOffset);
        }
        if (lengthBytes < 1) {
            throw new IllegalArgumentException("lengthBytes must be at least 1: " + lengthBytes);
        }
        this.key = Objects.requireNonNull(key, "key");
        this.generationStamp = generationStamp;
        this.fileOffset = fileOffset;
        this.lengthBytes = lengthBytes;
    }

    public BlockKey key() {
        return key;
    }

    public long generationStamp() {
        return generationStamp;
    }

    public long fileOffset() {
        return fileOffset;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof HintedBlock)) {
            return false;
        }
        HintedBlock other = (HintedBlock) o;
        return key.equals(other.key)
                && generationStamp == other.generationStamp
                && fileOffset == other.fileOffset
                && lengthBytes == other.lengthBytes;
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, generationStamp, fileOffset, lengthBytes);
    }

    @Override
    public String toString() {
        return key + "_" + generationStamp + "@" + fileOffset + "+" + lengthBytes;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import java.util.Objects;

/**
 * A block, or a part of a block, that a client announces to read: one record of SSPF's hint message (Fig. 4). The record
 * also has the generation stamp, because HDFS needs the stamp to identify a block's content.
 *
 * <p>Positions in a block are bytes from the block's begin, also if the client reads only a part of the block here and
 * the rest from other replicas. Immutable and thread-safe.
 */
public final class HintedBlock {

    private final BlockKey key;
    private final long generationStamp;
    private final long fileOffset;
    private final long lengthBytes;
    private final long beginBytes;
    private final long endBytes;

    /**
     * Makes a record of a block that is read as a whole.
     *
     * @param fileOffset the offset of the block in its file, bytes, at least 0
     * @param lengthBytes the block's length, at least 1
     * @throws IllegalArgumentException if the offset or the length is out of range
     */
    public HintedBlock(BlockKey key, long generationStamp, long fileOffset, long lengthBytes) {
        this(key, generationStamp, fileOffset, lengthBytes, 0, lengthBytes);
    }

    private HintedBlock(
            BlockKey key, long generationStamp, long fileOffset, long lengthBytes, long beginBytes, long endBytes) {
        if (fileOffset < 0) {
            throw new IllegalArgumentException("fileOffset must be at least 0: " + fileOffset);
        }
        if (lengthBytes < 1) {
            throw new IllegalArgumentException("lengthBytes must be at least 1: " + lengthBytes);
        }
        if (beginBytes < 0 || beginBytes >= endBytes || endBytes > lengthBytes) {
            throw new IllegalArgumentException("the part must be in [0, " + lengthBytes + ") and not empty: ["
                    + beginBytes + ", " + endBytes + ")");
        }
        this.key = Objects.requireNonNull(key, "key");
        this.generationStamp = generationStamp;
        this.fileOffset = fileOffset;
        this.lengthBytes = lengthBytes;
        this.beginBytes = beginBytes;
        this.endBytes = endBytes;
    }

    /**
     * A part of this block.
     *
     * @param beginBytes the begin of the part in the block
     * @param endBytes the end of the part in the block
     * @throws IllegalArgumentException if the part is empty or not within the block
     */
    public HintedBlock part(long beginBytes, long endBytes) {
        return new HintedBlock(key, generationStamp, fileOffset, lengthBytes, beginBytes, endBytes);
    }

    public BlockKey key() {
        return key;
    }

    public long generationStamp() {
        return generationStamp;
    }

    /** The offset of the block in its file, bytes. */
    public long fileOffset() {
        return fileOffset;
    }

    /** The length of the whole block, bytes. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** The begin of the announced part in the block; 0 for a whole block. */
    public long beginBytes() {
        return beginBytes;
    }

    /** The end of the announced part in the block; the length of a whole block. */
    public long endBytes() {
        return endBytes;
    }

    /** The begin of the announced part in the file, bytes. */
    public long beginInFile() {
        return fileOffset + beginBytes;
    }

    /** The end of the announced part in the file, bytes. */
    public long endInFile() {
        return fileOffset + endBytes;
    }

    /** The length of the announced part. */
    public long partBytes() {
        return endBytes - beginBytes;
    }

    public boolean isWhole() {
        return partBytes() == lengthBytes;
    }

    /** Whether both are of the same replica content, in whatever part. */
    public boolean isSameContent(HintedBlock other) {
        return key.equals(other.key) && generationStamp == other.generationStamp && lengthBytes == other.lengthBytes;
    }

    /** Whether this part of the block has all of the other part. */
    public boolean contains(HintedBlock other) {
        return beginBytes <= other.beginBytes && endBytes >= other.endBytes;
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
                && lengthBytes == other.lengthBytes
                && beginBytes == other.beginBytes
                && endBytes == other.endBytes;
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, generationStamp, fileOffset, lengthBytes, beginBytes, endBytes);
    }

    @Override
    public String toString() {
        String block = key + "_" + generationStamp + "@" + fileOffset + "+" + lengthBytes;
        return isWhole() ? block : block + "[" + beginBytes + "," + endBytes + ")";
    }
}

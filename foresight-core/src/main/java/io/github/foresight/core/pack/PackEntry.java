/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.pack;

import java.util.Arrays;

/**
 * One block's checksum metadata, byte for byte as in the block's {@code .meta} file, with the state of the block and a
 * mark of the file. Immutable and thread-safe.
 *
 * <p>After a rollback of the NameNode the same block id, generation stamp and length may recur for a block with other
 * content. The mark distinguishes the two files.
 */
public final class PackEntry {

    /** The most metadata of a small block. */
    public static final int METADATA_BYTES_MAX = 1 << 20;

    private final long blockId;
    private final long generationStamp;
    private final long lengthBytes;
    private final long fileMark;
    private final byte[] metadata;

    /**
     * Makes an entry.
     *
     * @param lengthBytes the block's length, at least 0
     * @param fileMark distinguishes the {@code .meta} file from all earlier and later files of the same name
     * @param metadata 1 byte to 1 MiB; copied
     */
    public PackEntry(long blockId, long generationStamp, long lengthBytes, long fileMark, byte[] metadata) {
        if (lengthBytes < 0) {
            throw new IllegalArgumentException("lengthBytes must be at least 0: " + lengthBytes);
        }
        if (metadata.length < 1 || metadata.length > METADATA_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "metadata must have 1 to " + METADATA_BYTES_MAX + " bytes: " + metadata.length);
        }
        this.blockId = blockId;
        this.generationStamp = generationStamp;
        this.lengthBytes = lengthBytes;
        this.fileMark = fileMark;
        this.metadata = metadata.clone();
    }

    public long blockId() {
        return blockId;
    }

    public long generationStamp() {
        return generationStamp;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    public long fileMark() {
        return fileMark;
    }

    /** A copy of the metadata. */
    public byte[] metadata() {
        return metadata.clone();
    }

    int metadataBytes() {
        return metadata.length;
    }

    byte[] rawMetadata() {
        return metadata;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof PackEntry)) {
            return false;
        }
        PackEntry that = (PackEntry) other;
        return blockId == that.blockId
                && generationStamp == that.generationStamp
                && lengthBytes == that.lengthBytes
                && fileMark == that.fileMark
                && Arrays.equals(metadata, that.metadata);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(blockId * 31 + generationStamp);
    }

    @Override
    public String toString() {
        return "blk_" + blockId + "_" + generationStamp + " of " + lengthBytes + " bytes, " + metadata.length
                + " of metadata";
    }
}

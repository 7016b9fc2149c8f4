/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.replica;

import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.datanode.pagecache.PageSize;

/**
 * The memory that a block takes when it is pinned: its data and its checksum file, each in whole pages.
 *
 * <p>The checksum file is taken to have HDFS's default density, four bytes to 512 and a header; of a denser one no more than
 * that is kept resident, so the budget holds whatever is on disk.
 */
public final class Footprint {

    private static final int HEADER_BYTES = 7;
    private static final int BYTES_PER_CHECKSUM = 512;
    private static final int CHECKSUM_BYTES = 4;

    private Footprint() {}

    /** The most memory of a range of a block with the checksums that belong to it. */
    public static long ofBlock(long lengthBytes) {
        return PageSize.roundUp(lengthBytes) + PageSize.roundUp(checksumBytes(lengthBytes));
    }

    /**
     * The most memory of a block or a part of it. The checksum file is resident from its begin, where the header is that each reader needs; a
     * part need not begin at a page.
     */
    public static long of(HintedBlock block) {
        long data = block.isWhole() ? block.partBytes() : block.partBytes() + PageSize.BYTES;
        return PageSize.roundUp(data) + PageSize.roundUp(checksumBytes(block.endBytes()));
    }

    /** The length of the checksum file's part for the first bytes of a block. */
    public static long checksumBytes(long lengthBytes) {
        long chunks = (lengthBytes + BYTES_PER_CHECKSUM - 1) / BYTES_PER_CHECKSUM;
        return HEADER_BYTES + CHECKSUM_BYTES * chunks;
    }
}

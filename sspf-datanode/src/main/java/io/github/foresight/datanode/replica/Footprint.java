/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.replica;

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

    public static long ofBlock(long lengthBytes) {
        return PageSize.roundUp(lengthBytes) + PageSize.roundUp(checksumBytes(lengthBytes));
    }

    public static long checksumBytes(long lengthBytes) {
        long chunks = (lengthBytes + BYTES_PER_CHECKSUM - 1) / BYTES_PER_CHECKSUM;
        return HEADER_BYTES + CHECKSUM_BYTES * chunks;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

/** The size of a memory page as far as accounting goes. */
public final class PageSize {

    /** 64 KiB: the largest base page of a Linux that Hadoop runs on, a multiple of the usual 4 KiB. */
    public static final long BYTES = 64 << 10;

    private PageSize() {}

    /** The bytes that a file of a length takes in whole pages. */
    public static long roundUp(long bytes) {
        return (bytes + BYTES - 1) & -BYTES;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

/**
 * The numbers by which files and nodes are known to a layout. They are the same in each process and version: what has been placed
 * by them is found by them.
 */
public final class LayoutHash {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private LayoutHash() {}

    /** A file by its inode id, which renaming leaves as it is. */
    public static long ofFile(long inodeId) {
        return mix(inodeId);
    }

    /** A node, by a name that it keeps for life; or a file by its path, where there is nothing better. */
    public static long ofName(String name) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < name.length(); i++) {
            char unit = name.charAt(i);
            hash = (hash ^ (unit & 0xff)) * FNV_PRIME;
            hash = (hash ^ (unit >>> 8)) * FNV_PRIME;
        }
        return mix(hash);
    }

    /** What a file and a node have in common. Fast, as all nodes are asked. */
    static long pair(long file, long node) {
        return mix(file ^ node);
    }

    /** A file's number for one of several draws. */
    static long ofDraw(long file, int draw) {
        return mix(file + draw * GOLDEN);
    }

    /** MurmurHash3's finalizer: spreads numbers that are alike over all bits; no two give the same. */
    static long mix(long number) {
        long hash = number;
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}

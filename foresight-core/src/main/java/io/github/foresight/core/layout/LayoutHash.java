/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

/**
 * The numbers of files and nodes in a layout. They are the same in each process and in each version, because placed
 * replicas are found again by these numbers. Stateless.
 */
public final class LayoutHash {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private LayoutHash() {}

    /** The number of a file by its inode id, which a rename does not change. */
    public static long ofFile(long inodeId) {
        return mix(inodeId);
    }

    /** The number of a node by its permanent name; or of a file by its path, if there is no inode id. */
    public static long ofName(String name) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < name.length(); i++) {
            char unit = name.charAt(i);
            hash = (hash ^ (unit & 0xff)) * FNV_PRIME;
            hash = (hash ^ (unit >>> 8)) * FNV_PRIME;
        }
        return mix(hash);
    }

    /** The hash of a file and a node. It must be fast, because it is computed for all nodes. */
    public static long pair(long file, long node) {
        return mix(file ^ node);
    }

    /** The number of a file for one of several draws. */
    static long ofDraw(long file, int draw) {
        return mix(file + draw * GOLDEN);
    }

    /** The finalizer of MurmurHash3: spreads similar numbers over all bits; it is a bijection. */
    static long mix(long number) {
        long hash = number;
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }
}

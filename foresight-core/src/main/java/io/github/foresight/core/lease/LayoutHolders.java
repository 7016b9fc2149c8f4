/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The clients that hold the layout of each file: one generation of grants. Not thread-safe.
 *
 * <p>Files are in a hash table below their directory, and directories are in a tree. A change of one file takes a
 * look-up of one entry, and a look-up in the tree for paths below it. The tree look-up is logarithmic in the number of
 * directories, of which there are few. A listed holder that no longer holds a layout is safe; it costs one unnecessary
 * recall. For this reason only {@link #remove} removes holders.
 */
final class LayoutHolders {

    /**
     * Estimates for a 64-bit JVM with compressed references: two map entries, the headers of two strings, and an
     * array's header.
     */
    private static final int FILE_BYTES = 160;

    private static final int DIRECTORY_BYTES = 250;

    private static final int HOLDER_BYTES = 8;

    private final NavigableMap<String, Map<String, long[]>> directories = new TreeMap<>();
    private long bytes;

    /** The estimated memory of the table. */
    long bytes() {
        return bytes;
    }

    /**
     * Records that a client holds a file's layout.
     *
     * @param room the bytes by which the table may grow
     * @param holdersMax the most clients that may hold the file's layout
     * @return whether there was room
     */
    boolean add(String path, long incarnation, long room, int holdersMax) {
        String directory = Subtree.parent(path);
        String name = path.substring(path.lastIndexOf('/') + 1);
        Map<String, long[]> files = directories.get(directory);
        long[] holders = files == null ? null : files.get(name);
        if (holders != null && contains(holders, incarnation)) {
            return true;
        }
        long growth = (long) HOLDER_BYTES
                + (holders == null ? FILE_BYTES + name.length() : 0)
                + (files == null ? DIRECTORY_BYTES + directory.length() : 0);
        if (growth > room || (holders != null && holders.length >= holdersMax)) {
            return false;
        }
        if (files == null) {
            files = new HashMap<>();
            directories.put(directory, files);
        }
        files.put(name, with(holders, incarnation));
        bytes += growth;
        return true;
    }

    private static boolean contains(long[] holders, long incarnation) {
        for (long holder : holders) {
            if (holder == incarnation) {
                return true;
            }
        }
        return false;
    }

    private static long[] with(long @Nullable [] holders, long incarnation) {
        if (holders == null) {
            return new long[] {incarnation};
        }
        long[] more = Arrays.copyOf(holders, holders.length + 1);
        more[holders.length] = incarnation;
        return more;
    }

    /**
     * Reports the holders of all files that a change of a path can affect; a holder may be reported several times.
     *
     * @param filesMax the most files below the path that are visited
     * @return whether all files were visited; if not, any client may hold a layout
     */
    boolean reportHolders(String changed, int filesMax, LongConsumer each) {
        if (directories.isEmpty()) {
            return true;
        }
        if (changed.equals(Subtree.ROOT)) {
            return reportHolders(directories.values(), filesMax, each);
        }
        Map<String, long[]> siblings = directories.get(Subtree.parent(changed));
        long[] own = siblings == null ? null : siblings.get(changed.substring(changed.lastIndexOf('/') + 1));
        if (own != null) {
            accept(own, each);
        }
        Map<String, long[]> children = directories.get(changed);
        if (children != null && !reportHolders(ImmutableList.of(children), filesMax, each)) {
            return false;
        }
        // The directory itself is not in the range of the paths below it: a-b sorts between a and a/b.
        NavigableMap<String, Map<String, long[]>> deeper =
                directories.subMap(changed + '/', true, changed + (char) ('/' + 1), false);
        return reportHolders(deeper.values(), filesMax, each);
    }

    private static boolean reportHolders(Collection<Map<String, long[]>> listings, int filesMax, LongConsumer each) {
        int looked = 0;
        for (Map<String, long[]> files : listings) {
            looked += files.size();
            if (looked > filesMax) {
                return false;
            }
            files.values().forEach(holders -> accept(holders, each));
        }
        return true;
    }

    private static void accept(long[] holders, LongConsumer each) {
        for (long holder : holders) {
            each.accept(holder);
        }
    }

    /** Removes the holders of one file, after all of them have been recalled. */
    void remove(String path) {
        if (directories.isEmpty()) {
            return;
        }
        String directory = Subtree.parent(path);
        Map<String, long[]> files = directories.get(directory);
        String name = path.substring(path.lastIndexOf('/') + 1);
        long[] holders = files == null ? null : files.remove(name);
        if (files == null || holders == null) {
            return;
        }
        bytes -= FILE_BYTES + name.length() + (long) HOLDER_BYTES * holders.length;
        if (files.isEmpty()) {
            directories.remove(directory);
            bytes -= DIRECTORY_BYTES + directory.length();
        }
    }
}

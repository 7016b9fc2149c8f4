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
 * Which clients hold the layout of which file: one generation of grants. Not thread-safe.
 *
 * <p>Files stand below their directory in a hash table, directories in a tree. A change of one file costs a look at one entry, and one
 * at the tree for what lies below: logarithmic in the number of directories, of which there are few. A holder that is listed but holds
 * nothing any more is safe, and costs a recall that was not needed; so nothing is ever removed but by {@link #remove}.
 */
final class LayoutHolders {

    /** Estimates for a 64-bit JVM with compressed references: two map entries, two strings' headers, an array's header. */
    private static final int FILE_BYTES = 160;

    private static final int DIRECTORY_BYTES = 250;

    private static final int HOLDER_BYTES = 8;

    private final NavigableMap<String, Map<String, long[]>> directories = new TreeMap<>();
    private long bytes;

    /** How much memory the table takes, an estimate. */
    long bytes() {
        return bytes;
    }

    /**
     * Notes that a client holds a file.
     *
     * @param room how many bytes the table may grow by
     * @param holdersMax how many clients may hold the file
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
     * Names the holders of all files that a change of a path can change, a holder perhaps several times.
     *
     * @param filesMax how many files below the path are looked at
     * @return whether all files were looked at; if not, any client may hold one
     */
    boolean holders(String changed, int filesMax, LongConsumer each) {
        if (changed.equals(Subtree.ROOT)) {
            return holders(directories.values(), filesMax, each);
        }
        Map<String, long[]> siblings = directories.get(Subtree.parent(changed));
        long[] own = siblings == null ? null : siblings.get(changed.substring(changed.lastIndexOf('/') + 1));
        if (own != null) {
            accept(own, each);
        }
        Map<String, long[]> children = directories.get(changed);
        if (children != null && !holders(ImmutableList.of(children), filesMax, each)) {
            return false;
        }
        // The directory itself stands apart from what lies below it: a-b sorts between a and a/b.
        NavigableMap<String, Map<String, long[]>> deeper =
                directories.subMap(changed + '/', true, changed + (char) ('/' + 1), false);
        return holders(deeper.values(), filesMax, each);
    }

    private static boolean holders(Collection<Map<String, long[]>> listings, int filesMax, LongConsumer each) {
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

    /** Forgets the holders of one file, all of which have been recalled. */
    void remove(String path) {
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

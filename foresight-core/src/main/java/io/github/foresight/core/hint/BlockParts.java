/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.collect.ImmutableList;
import io.github.foresight.core.layout.LayoutHash;
import java.util.Collection;
import java.util.Comparator;
import java.util.function.Function;

/**
 * Cuts a block into parts, one for each replica, so that the disks of all replicas read for one reader.
 *
 * <p>SSPF prefetches whole blocks: while a reader is in block i, the disk of block i + 1 works ahead. So the first block of a file comes at the
 * speed of one disk, and a file of one block has no second disk at all. HDFS's blocks have replicas. With parts, the reader reads the first
 * part of a block from one replica while other replicas prefetch the other parts.
 *
 * <p>The cut depends on the block and its replicas only, not on their order: all clients cut a block in the same way, and find in memory
 * what others have had read. Parts have equal lengths, so each replica of a block gets the same share. Stateless.
 */
public final class BlockParts {

    /** Parts end at multiples of it: whole pages, and whole checksum chunks. */
    static final long ALIGNMENT_BYTES = 1 << 20;

    private BlockParts() {}

    /**
     * The ends of a block's parts, from front to back; the last is the block's length. At most one part for each replica, in time linear in
     * the parts.
     *
     * @param lengthBytes the block's length, at least 1
     * @param replicas the number of replicas, at least 1
     * @param partMinBytes no part but the last is shorter; at least 1
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static ImmutableList<Long> ends(long lengthBytes, int replicas, long partMinBytes) {
        if (lengthBytes < 1 || replicas < 1 || partMinBytes < 1) {
            throw new IllegalArgumentException("lengthBytes, replicas and partMinBytes must be at least 1: "
                    + lengthBytes + ", " + replicas + ", " + partMinBytes);
        }
        long parts = Math.max(1, Math.min(replicas, lengthBytes / partMinBytes));
        long partBytes = roundUp((lengthBytes + parts - 1) / parts);
        ImmutableList.Builder<Long> ends = ImmutableList.builder();
        for (long end = partBytes; end < lengthBytes; end += partBytes) {
            ends.add(end);
        }
        return ends.add(lengthBytes).build();
    }

    private static long roundUp(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /**
     * The replicas in the order of the parts that they serve: the rendezvous order of the block.
     *
     * @param name the permanent name of a replica's node
     */
    public static <N> ImmutableList<N> order(Collection<N> replicas, long blockId, Function<N, String> name) {
        long block = LayoutHash.ofFile(blockId);
        return replicas.stream()
                .sorted(Comparator.<N>comparingLong(
                                replica -> LayoutHash.pair(block, LayoutHash.ofName(name.apply(replica))))
                        .thenComparing(name))
                .collect(ImmutableList.toImmutableList());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.hint;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import io.github.foresight.core.layout.LayoutHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Cuts the blocks of a file into parts that different replicas serve, so that all disks that hold the file read for one reader.
 *
 * <p>SSPF prefetches whole blocks: while a reader is in block i, the disk of block i + 1 works ahead. So the first block of a file comes at the
 * speed of one disk, and a file of one block has no second disk at all. HDFS's blocks have replicas. With parts, the reader reads the first
 * part of a block from one replica while other replicas prefetch the other parts.
 *
 * <p>HDFS places replicas at random, so a few DataNodes hold more of a file than others. Equal parts would make the reader wait for these. So
 * parts are as long as fills the DataNodes evenly over {@value #GROUP_BLOCKS} blocks. These are cut evenly first. Then each block is cut anew,
 * {@value #PASSES} times, by what the others of the group leave to each DataNode. With six DataNodes, and six blocks of three replicas each, the
 * fullest DataNode then reads 1.02 times the mean where equal parts give it 1.55 (the mean of 3,000 random placements).
 *
 * <p>A group of more blocks would fill the DataNodes more evenly, but over a longer piece of the file than DataNodes prefetch at once: in
 * the meantime the reader would wait for a block that is mostly on one DataNode.
 *
 * <p>The cut follows from the blocks and their replicas from the file's begin on, from how the NameNode's answers divide them, and from nothing
 * else. So clients that see the same layout cut it in the same way, and find in memory what others have had prefetched. Replicas of equal
 * load serve in the rendezvous order of the block. For each block O(replicas squared) and a sort; memory for the DataNodes of some ten
 * groups. Not thread-safe.
 *
 * @param <N> a replica's DataNode
 */
public final class BlockParts<N> {

    /** Parts end at multiples of it: whole pages, and whole checksum chunks. */
    static final long ALIGNMENT_BYTES = 1 << 20;

    /** Blocks that are cut together; chosen by simulation of 6 and of 20 DataNodes. */
    static final int GROUP_BLOCKS = 8;

    /** How often each block is cut anew by what the others leave; more passes change little. */
    private static final int PASSES = 4;

    /** What one more group leaves of a DataNode's load; chosen by the same simulation. */
    private static final double KEPT = 0.5;

    /** A smaller load is forgotten. */
    private static final double LEAST_LOAD_BYTES = 1 << 20;

    private final int replicasMax;
    private final long partMinBytes;
    private final Function<N, String> name;

    /** Of the blocks cut so far, by the names of DataNodes. Those of earlier groups count less. */
    private final Map<String, Double> loadBytes = new HashMap<>();

    /**
     * Begins a file.
     *
     * @param replicasMax the most parts of a block, at least 1
     * @param partMinBytes no part is shorter than this less {@value #ALIGNMENT_BYTES} bytes; at least that many
     * @param name the permanent name of a DataNode
     * @throws IllegalArgumentException if an argument is out of range
     */
    public BlockParts(int replicasMax, long partMinBytes, Function<N, String> name) {
        if (replicasMax < 1) {
            throw new IllegalArgumentException("replicasMax must be at least 1: " + replicasMax);
        }
        if (partMinBytes < ALIGNMENT_BYTES) {
            throw new IllegalArgumentException(
                    "partMinBytes must be at least " + ALIGNMENT_BYTES + ": " + partMinBytes);
        }
        this.replicasMax = replicasMax;
        this.partMinBytes = partMinBytes;
        this.name = Objects.requireNonNull(name, "name");
    }

    /** A block of the file and the replicas that may serve parts of it; immutable. */
    public static final class Block<N> {
        private final long blockId;
        private final long lengthBytes;
        private final ImmutableList<N> replicas;

        /**
         * Names a block.
         *
         * @param lengthBytes at least 1
         * @param replicas no DataNode twice; a block that is too short to be cut is served by the first
         * @throws IllegalArgumentException if the length is out of range or there is no replica
         */
        public Block(long blockId, long lengthBytes, List<N> replicas) {
            if (lengthBytes < 1) {
                throw new IllegalArgumentException("lengthBytes must be at least 1: " + lengthBytes);
            }
            if (replicas.isEmpty()) {
                throw new IllegalArgumentException("replicas must not be empty");
            }
            this.blockId = blockId;
            this.lengthBytes = lengthBytes;
            this.replicas = ImmutableList.copyOf(replicas);
        }
    }

    /** A part of a block, from the end of the part before; immutable. */
    public static final class Part<N> {
        private final N node;
        private final long endBytes;

        private Part(N node, long endBytes) {
            this.node = node;
            this.endBytes = endBytes;
        }

        public N node() {
            return node;
        }

        /** The end of the part in the block, bytes. */
        public long endBytes() {
            return endBytes;
        }
    }

    /**
     * Cuts the file's next blocks.
     *
     * @return for each block its parts from front to back, each on another DataNode; the last ends with the block
     */
    public ImmutableList<ImmutableList<Part<N>>> cut(List<Block<N>> blocks) {
        ImmutableList.Builder<ImmutableList<Part<N>>> cut = ImmutableList.builder();
        for (List<Block<N>> group : Lists.partition(blocks, GROUP_BLOCKS)) {
            List<Shares> shares = new ArrayList<>(group.size());
            for (Block<N> block : group) {
                shares.add(new Shares(block));
            }
            for (int pass = 0; pass < PASSES; pass++) {
                shares.forEach(Shares::level);
            }
            for (Shares one : shares) {
                cut.add(one.parts());
            }
            loadBytes.replaceAll((node, load) -> load * KEPT);
            loadBytes.values().removeIf(load -> load < LEAST_LOAD_BYTES);
        }
        return cut.build();
    }

    private double load(N node) {
        return loadBytes.getOrDefault(name.apply(node), 0.0);
    }

    private void addLoad(N node, double bytes) {
        loadBytes.merge(name.apply(node), bytes, Double::sum);
    }

    /** How much of a block each DataNode serves. It is part of the DataNodes' load. */
    private final class Shares {
        private final Block<N> block;
        private final int most;

        /** All replicas, in the order in which those of equal load serve. */
        private final List<N> ordered;

        private List<N> serving;
        private double[] bytes;

        /** Equal shares. */
        Shares(Block<N> block) {
            this.block = block;
            this.most = (int) Math.min(
                    Math.min(replicasMax, block.replicas.size()), Math.max(1, block.lengthBytes / partMinBytes));
            this.ordered = new ArrayList<>(block.replicas);
            long hash = LayoutHash.ofFile(block.blockId);
            ordered.sort(Comparator.<N>comparingLong(node -> LayoutHash.pair(hash, LayoutHash.ofName(name.apply(node))))
                    .thenComparing(name));
            this.serving = most == 1 ? block.replicas.subList(0, 1) : ordered.subList(0, most);
            this.bytes = new double[serving.size()];
            Arrays.fill(bytes, (double) block.lengthBytes / serving.size());
            add(1);
        }

        private void add(int sign) {
            for (int i = 0; i < bytes.length; i++) {
                addLoad(serving.get(i), sign * bytes[i]);
            }
        }

        /** Takes such shares as leave all serving DataNodes with the same load, those with the least load first. */
        void level() {
            if (most == 1) {
                return;
            }
            add(-1);
            List<N> byLoad = new ArrayList<>(ordered);
            byLoad.sort(Comparator.comparingDouble(BlockParts.this::load));
            serving = byLoad.subList(0, most);
            while (serving.size() > 1 && commonLoad() - load(serving.get(serving.size() - 1)) < partMinBytes) {
                serving = serving.subList(0, serving.size() - 1);
            }
            double common = commonLoad();
            bytes = new double[serving.size()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = common - load(serving.get(i));
            }
            add(1);
        }

        private double commonLoad() {
            double sum = block.lengthBytes;
            for (N node : serving) {
                sum += load(node);
            }
            return sum / serving.size();
        }

        ImmutableList<Part<N>> parts() {
            ImmutableList.Builder<Part<N>> parts = ImmutableList.builder();
            double filled = 0;
            for (int i = 0; i < bytes.length; i++) {
                filled += bytes[i];
                boolean isLast = i == bytes.length - 1;
                long end = isLast ? block.lengthBytes : (long) filled / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
                parts.add(new Part<>(serving.get(i), end));
            }
            return parts.build();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.DiskReaders;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.protocol.hint.HintTarget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.jspecify.annotations.Nullable;

/**
 * The part of a file's layout, from the file's beginning, that the NameNode has returned so far. Its blocks are cut into parts
 * ({@link BlockCutter}), and its block groups into their data blocks ({@link StripedBlocks}); an index is that of a part. Not thread-safe.
 */
final class KnownLayout {

    private final BlockCutter cutter;

    /** Null if the file is not erasure-coded. */
    private final @Nullable ErasureCodingPolicy policy;

    private final List<Placed<HintTarget>> parts = new ArrayList<>();

    /** The index of each block's first part. */
    private final Map<Long, Integer> firsts = new HashMap<>();

    private int partsMax = 1;
    private long fileBytes;

    /**
     * The layout in an answer that begins with the file's first block.
     *
     * @param readers the files that this process reads
     */
    KnownLayout(LocatedBlocks layout, ClientSettings settings, DiskReaders readers) {
        this.cutter = new BlockCutter(settings, readers);
        this.policy = layout.getErasureCodingPolicy();
        append(layout, false);
    }

    /** Whether an answer is about the same content, as far as both have it; an answer from the file's begin on has the known first block. */
    boolean isOfSameContent(LocatedBlocks answer) {
        for (LocatedBlock block : answer.getLocatedBlocks()) {
            Integer index = firsts.get(block.getBlock().getBlockId());
            if (index == null) {
                return block.getStartOffset() > 0;
            }
            HintedBlock known = parts.get(index).block();
            if (known.generationStamp() != block.getBlock().getGenerationStamp()
                    || known.lengthBytes() != firstBlockBytes(block)) {
                return false;
            }
        }
        return true;
    }

    private long firstBlockBytes(LocatedBlock located) {
        return policy == null ? located.getBlockSize() : StripedBlocks.lengthBytes(located, policy, 0);
    }

    private ImmutableList<Placed<HintTarget>> cut(LocatedBlock located) {
        if (policy == null) {
            return cutter.cut(located);
        }
        return located instanceof LocatedStripedBlock
                ? StripedBlocks.of((LocatedStripedBlock) located, policy)
                : ImmutableList.of();
    }

    /** Whether the answer's first block may be cut, by its length and the number of its replicas. */
    boolean mayBeCut(LocatedBlocks answer) {
        return cutter.mayCut(answer.get(0));
    }

    /** Whether both have the same parts on the same DataNodes, as far as both go. */
    boolean isCutAs(KnownLayout other) {
        int common = Math.min(parts.size(), other.parts.size());
        for (int i = 0; i < common; i++) {
            Placed<HintTarget> one = parts.get(i);
            Placed<HintTarget> another = other.parts.get(i);
            if (!one.block().equals(another.block()) || !one.node().equals(another.node())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes over an answer of the same content. An answer that begins behind the known part changes nothing: a look at the end of a long file
     * brings such an answer.
     *
     * @param isHinted whether DataNodes have hints of the file
     * @return false if it is about another content after all
     */
    boolean merge(LocatedBlocks answer, boolean isHinted) {
        long begin = answer.get(0).getStartOffset();
        if (begin > end()) {
            return answer.getFileLength() == fileBytes;
        }
        boolean overlaps = firsts.containsKey(answer.get(0).getBlock().getBlockId());
        if (!overlaps && begin != end()) {
            return false;
        }
        append(answer, isHinted);
        return true;
    }

    private void append(LocatedBlocks answer, boolean isHinted) {
        fileBytes = answer.getFileLength();
        for (LocatedBlock located : answer.getLocatedBlocks()) {
            boolean isNext = located.getStartOffset() == end();
            if (isNext && !located.isCorrupt() && located.getBlockSize() > 0 && located.getLocations().length > 0) {
                List<Placed<HintTarget>> cut = cut(located);
                partsMax = Math.max(partsMax, cut.size());
                for (Placed<HintTarget> part : cut) {
                    firsts.putIfAbsent(part.block().key().blockId(), parts.size());
                    parts.add(part);
                }
            } else {
                refresh(located, isHinted);
            }
        }
    }

    /**
     * Takes over the token and the first location of a known block. Block tokens expire.
     *
     * <p>The NameNode orders the replicas of each answer by the loads at that moment. A block that is prefetched on one DataNode and read from
     * another is read from disk twice. So while the file is hinted, the hinted replica is put first. It was as near as any when it was
     * hinted. Afterwards the NameNode's order holds, because it knows which DataNodes are stale or overloaded by now. In a file
     * that is cut, the parts of a block stay where they are as long as the replica is there, also if it serves the whole block.
     */
    private void refresh(LocatedBlock located, boolean isHinted) {
        long blockId = located.getBlock().getBlockId();
        Integer first = firsts.get(blockId);
        DatanodeInfo[] locations = located.getLocations();
        if (first == null || locations.length == 0) {
            return;
        }
        if (policy != null) {
            refreshGroup(first, cut(located));
            return;
        }
        boolean isCut = partsMax > 1 && cutter.mayCut(located);
        if (isHinted && !isCut) {
            putFirst(located, PartedLayout.placeOf(parts.get(first).node(), locations));
        }
        for (int index = first; isOf(index, blockId); index++) {
            HintedBlock part = parts.get(index).block();
            int place = isCut ? PartedLayout.placeOf(parts.get(index).node(), locations) : 0;
            HintTarget target = new HintTarget(locations[Math.max(0, place)], located.getBlockToken());
            parts.set(index, new Placed<>(part, target));
        }
    }

    private void refreshGroup(int first, List<Placed<HintTarget>> blocks) {
        for (int i = 0; i < blocks.size() && first + i < parts.size(); i++) {
            if (parts.get(first + i).block().equals(blocks.get(i).block())) {
                parts.set(first + i, blocks.get(i));
            }
        }
    }

    private static void putFirst(LocatedBlock located, int place) {
        DatanodeInfo[] locations = located.getLocations();
        if (place > 0 && locations[place].isInService()) {
            DatanodeInfo target = locations[place];
            System.arraycopy(locations, 0, locations, 1, place);
            locations[0] = target;
            located.updateCachedStorageInfo();
        }
    }

    private boolean isOf(int index, long blockId) {
        return index < parts.size() && parts.get(index).block().key().blockId() == blockId;
    }

    /** The known parts in file order; the list is a copy. */
    List<Placed<HintTarget>> parts() {
        return new ArrayList<>(parts);
    }

    int size() {
        return parts.size();
    }

    /** The disks that serve the known parts, by name. */
    Set<String> disks() {
        return parts.stream().map(part -> BlockCutter.disk(part.node().node())).collect(ImmutableSet.toImmutableSet());
    }

    /** Whether the file is erasure-coded. */
    boolean isStriped() {
        return policy != null;
    }

    /** The most parts of a block. */
    int partsMax() {
        return partsMax;
    }

    /** Whether a block of a file that is not erasure-coded has parts. */
    boolean isCut() {
        return partsMax > 1 && policy == null;
    }

    /** Whether this is the file's first block. */
    boolean isFirst(long blockId) {
        return Integer.valueOf(0).equals(firsts.get(blockId));
    }

    /** The parts of a block, from front to back; empty if the block is not known. */
    List<Placed<HintTarget>> partsOf(long blockId) {
        List<Placed<HintTarget>> ofBlock = new ArrayList<>();
        for (int index = firsts.getOrDefault(blockId, parts.size()); isOf(index, blockId); index++) {
            ofBlock.add(parts.get(index));
        }
        return ofBlock;
    }

    /** The index of the part of a block that ends at a position, or of the last part for positions behind it; -1 if there is none. */
    int indexOfPart(long blockId, long endInBlock) {
        for (int index = firsts.getOrDefault(blockId, parts.size()); isOf(index, blockId); index++) {
            HintedBlock part = parts.get(index).block();
            boolean isLast = part.endBytes() == part.lengthBytes();
            if (endInBlock == part.endBytes() || (isLast && endInBlock > part.endBytes())) {
                return index;
            }
        }
        return -1;
    }

    /** The index of the part with the byte at an offset of the file; -1 if it is not known. */
    int indexAt(long offset) {
        int low = 0;
        int high = parts.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            HintedBlock part = parts.get(middle).block();
            if (offset < part.beginInFile()) {
                high = middle - 1;
            } else if (offset >= part.endInFile()) {
                low = middle + 1;
            } else {
                return middle;
            }
        }
        return -1;
    }

    /** The end of a part in the file, bytes. */
    long endOf(int index) {
        return parts.get(index).block().endInFile();
    }

    /** The end of the known part of the file, bytes. */
    long end() {
        return parts.isEmpty() ? 0 : endOf(parts.size() - 1);
    }

    /** Whether all of the file is known. */
    boolean isComplete() {
        return end() >= fileBytes;
    }
}

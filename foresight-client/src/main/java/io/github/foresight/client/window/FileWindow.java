/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.hint.HintSender;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.PositionedSequence;
import io.github.foresight.core.hint.ReadPattern;
import io.github.foresight.core.window.Extent;
import io.github.foresight.core.window.LongReads;
import io.github.foresight.core.window.WholeFileNode;
import io.github.foresight.core.window.WindowMovePolicy;
import io.github.foresight.core.window.WindowTrail;
import io.github.foresight.protocol.conf.ClientKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/**
 * One client's windows of one file: where its random reads are sent, and which extents replica nodes read ahead (NBJLOFS, section 3.2).
 *
 * <p>If DataNodes hold all known blocks, one of them is the replica node of the file, and there is one window. Else each block has a replica
 * node of its own among its DataNodes, and a window of its own. All clients choose the same nodes, by rendezvous hashing of block ids. A block
 * of a single replica has no window then: there is no original to read from meanwhile, and the one disk has enough to do. Thread-safe; the
 * monitor is held for decisions only and may be taken with a window's, or a stream's, lock held.
 */
final class FileWindow {

    private static final int MAX_THREADS = 64;

    /** What of a layout is kept, a long file's block by block; beyond it the first go, and are read without windows. */
    private static final int MAX_BLOCKS = 8192;

    /** The most windows over single blocks; the least recently used goes first. Chosen, not measured. */
    private static final int MAX_BLOCK_WINDOWS = 64;

    /** The read pattern of a thread that reads the file; confined to it. */
    private static final class Reader {
        final ReadPattern turns;
        final LongReads lengths;
        final PositionedSequence sequence;
        final long hintedReadMin;

        /** Whether the last read by position was at least {@link ClientKeys#HINT_READ_MIN} long. */
        boolean isHintedLength;

        /** Where in the file the part of a block ends that the thread turned to last. */
        long partEnd = -1;

        Reader(ClientSettings settings) {
            long evidence = settings.get(ClientKeys.HINT_EVIDENCE);
            turns = new ReadPattern(Integer.MAX_VALUE, evidence);
            lengths = new LongReads(settings.windows().reachBytes());
            sequence = new PositionedSequence(evidence);
            hintedReadMin = settings.get(ClientKeys.HINT_READ_MIN);
        }

        /** Records a read by position; returns whether hints follow reads of this length. */
        boolean read(long offset, long bytes) {
            lengths.read(bytes);
            isHintedLength = bytes >= hintedReadMin;
            if (isHintedLength) {
                sequence.read(offset, bytes);
            }
            return isHintedLength;
        }
    }

    private final ClientSettings settings;
    private final HintSender sender;
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final LocatedBlock first;
    private final long fileBytes;
    private final boolean isOneBlock;
    private final Cache<Long, Reader> readers = Caffeine.newBuilder()
            .maximumSize(MAX_THREADS)
            .executor(Runnable::run)
            .build();

    @GuardedBy("this")
    private final NavigableMap<Long, LocatedBlock> blocks = new TreeMap<>();

    /** The nodes that hold all blocks known. */
    @GuardedBy("this")
    private Map<String, DatanodeInfo> candidates = new LinkedHashMap<>();

    /** Null where no DataNode holds all blocks. */
    private volatile @Nullable NodeWindow whole;

    /** The windows over single blocks, by the blocks' ids. Made by the first of them. */
    private volatile @Nullable Cache<Long, NodeWindow> byBlock;

    private final WindowMovePolicy patience;
    private final WindowTrail trail;

    /** The long reads by position of all threads. */
    @GuardedBy("this")
    private final PositionedSequence sequence;

    /** Begins with the layout that the file was opened with. */
    FileWindow(LocatedBlocks layout, ClientSettings settings, HintSender sender) {
        this.settings = settings;
        this.sender = sender;
        this.first = layout.get(0);
        this.fileBytes = layout.getFileLength();
        this.isOneBlock = FileWindows.isOneBlock(layout);
        this.patience = new WindowMovePolicy(settings.get(ClientKeys.WINDOW_PATIENCE));
        this.trail = new WindowTrail(settings.windows().trailObjects());
        this.sequence = new PositionedSequence(settings.get(ClientKeys.HINT_EVIDENCE));
        located(layout);
    }

    /** Whether a layout is of the same content. */
    boolean isAbout(LocatedBlocks layout) {
        return layout.getFileLength() == fileBytes
                && isSame(first, layout.get(0), layout.get(0).getStartOffset());
    }

    private static boolean isSame(LocatedBlock known, LocatedBlock block, long offset) {
        if (offset != known.getStartOffset()) {
            return true;
        }
        return known.getBlock().equals(block.getBlock())
                && known.getBlock().getGenerationStamp() == block.getBlock().getGenerationStamp();
    }

    /** The NameNode has returned the layout of the file, or a further part of the layout. */
    synchronized void located(LocatedBlocks layout) {
        if (layout.get(0).getStartOffset() == 0) {
            candidates.clear();
            blocks.clear();
        }
        for (LocatedBlock block : layout.getLocatedBlocks()) {
            Map<String, DatanodeInfo> holders = holders(block);
            if (blocks.isEmpty()) {
                candidates = holders;
            } else {
                candidates.keySet().retainAll(holders.keySet());
            }
            if (holders.size() < 2) {
                candidates.clear();
            }
            blocks.put(block.getStartOffset(), block);
        }
        while (blocks.size() > MAX_BLOCKS) {
            blocks.pollFirstEntry();
        }
        choose();
    }

    private static Map<String, DatanodeInfo> holders(LocatedBlock block) {
        return Arrays.stream(block.getLocations())
                .collect(Collectors.toMap(
                        DatanodeInfo::getDatanodeUuid,
                        UnaryOperator.identity(),
                        (one, same) -> one,
                        LinkedHashMap::new));
    }

    private static @Nullable DatanodeInfo replicaNode(Map<String, DatanodeInfo> candidates, LocatedBlock block) {
        return WholeFileNode.of(candidates.keySet(), block.getBlock().getBlockId(), UnaryOperator.identity())
                .map(candidates::get)
                .orElse(null);
    }

    @GuardedBy("this")
    private void choose() {
        NodeWindow before = whole;
        DatanodeInfo now = replicaNode(candidates, first);
        boolean isSame = before == null ? now == null : before.isOn(now);
        if (!isSame) {
            trail.forget(0, Long.MAX_VALUE);
            whole = now == null ? null : windowOn(now, Extent.of(0, fileBytes));
        }
    }

    private NodeWindow windowOn(DatanodeInfo node, Extent covered) {
        return new NodeWindow(settings, sender, node, covered, this::parts, patience, trail);
    }

    /** Whether one window covers the file's several blocks. */
    boolean isOverBlocks() {
        return whole != null && !isOneBlock;
    }

    /** Whether a block of a layout has a replica node. */
    boolean hasReplicaNode(LocatedBlocks layout) {
        return whole != null || layout.getLocatedBlocks().stream().anyMatch(block -> replicaNodeOf(block) != null);
    }

    /** The UUID of the DataNode to which the random reads of a block are sent, or null. */
    @Nullable
    String replicaNodeOf(LocatedBlock block) {
        NodeWindow all = whole;
        if (all != null) {
            return all.nodeUuid();
        }
        DatanodeInfo node = replicaNode(known(block));
        return node == null ? null : node.getDatanodeUuid();
    }

    private static @Nullable DatanodeInfo replicaNode(@Nullable LocatedBlock block) {
        if (block == null) {
            return null;
        }
        Map<String, DatanodeInfo> holders = holders(block);
        return holders.size() < 2 ? null : replicaNode(holders, block);
    }

    /** A block, or a part of it, as the NameNode returned the block last. */
    private synchronized @Nullable LocatedBlock known(LocatedBlock part) {
        return blocks.get(part.getStartOffset());
    }

    /** The window to which a block belongs, or null. */
    private @Nullable NodeWindow windowOf(LocatedBlock part) {
        NodeWindow all = whole;
        LocatedBlock block = all == null ? known(part) : null;
        DatanodeInfo node = replicaNode(block);
        if (block == null || node == null) {
            return all;
        }
        Extent covered = Extent.of(block.getStartOffset(), block.getStartOffset() + block.getBlockSize());
        return blockWindows()
                .asMap()
                .compute(
                        block.getBlock().getBlockId(),
                        (id, before) ->
                                before != null && before.isOn(node) ? before : begunAnew(before, node, covered));
    }

    private NodeWindow begunAnew(@Nullable NodeWindow before, DatanodeInfo node, Extent covered) {
        if (before != null) {
            before.forgetTrail();
        }
        return windowOn(node, covered);
    }

    private Cache<Long, NodeWindow> blockWindows() {
        Cache<Long, NodeWindow> known = byBlock;
        return known == null ? begun() : known;
    }

    private synchronized Cache<Long, NodeWindow> begun() {
        Cache<Long, NodeWindow> known = byBlock;
        if (known == null) {
            known = Caffeine.newBuilder()
                    .maximumSize(MAX_BLOCK_WINDOWS)
                    .executor(Runnable::run)
                    .<Long, NodeWindow>evictionListener((block, window, cause) -> {
                        if (window != null) {
                            window.release();
                        }
                    })
                    .build();
            byBlock = known;
        }
        return known;
    }

    /** A thread is about to read from an offset within a block; says from where. */
    WindowedBlock.Order recordBlockRead(LocatedBlock block, long offset, BlockLookup.Kind kind) {
        if (kind == BlockLookup.Kind.STREAM && !jumpsAbout(block, offset)) {
            metrics.streamedTurns.incr();
            return WindowedBlock.Order.STOCK;
        }
        if (kind == BlockLookup.Kind.POSITIONED && isLeftAlone(reader())) {
            metrics.windowLongReads.incr();
            return WindowedBlock.Order.STOCK;
        }
        NodeWindow window = windowOf(block);
        return window == null ? WindowedBlock.Order.STOCK : window.read(offset);
    }

    /**
     * The disks of all replicas serve a sequence in a window of one block: hints name parts of the block. A sequence is that of a thread, or of
     * several threads that take the next piece in turn.
     */
    private boolean isLeftAlone(Reader reader) {
        if (reader.lengths.areExpected()) {
            return true;
        }
        return !isOverBlocks() && reader.isHintedLength && (reader.sequence.isSequential() || isReadInSequence());
    }

    private synchronized boolean isReadInSequence() {
        return sequence.isSequential();
    }

    /** The calling thread has got the order of replicas for a read by position, of so many bytes from an offset on. */
    void readsByPosition(long offset, long bytes) {
        if (reader().read(offset, bytes)) {
            synchronized (this) {
                sequence.read(offset, bytes);
            }
        }
    }

    private Reader reader() {
        return readers.get(Thread.currentThread().getId(), unused -> new Reader(settings));
    }

    /** A stream that goes on is left to hints, which read whole blocks from all disks at once. */
    private boolean jumpsAbout(LocatedBlock block, long offset) {
        int index = (int) Math.min(Integer.MAX_VALUE, block.getStartOffset() / first.getBlockSize());
        Reader reader = reader();
        boolean isNextPart = offset == reader.partEnd && offset != block.getStartOffset();
        reader.partEnd = block.getStartOffset() + block.getBlockSize();
        if (isNextPart) {
            return false;
        }
        reader.turns.recordBlockRead(index);
        return reader.turns.isRandom() && offset != block.getStartOffset();
    }

    /** The parts of known blocks in some bytes of the file. */
    private synchronized List<HintSender.WindowPart> parts(Extent extent) {
        List<HintSender.WindowPart> parts = new ArrayList<>();
        Long from = blocks.floorKey(extent.begin());
        for (LocatedBlock block : blocks.subMap(from == null ? extent.begin() : from, extent.end())
                .values()) {
            long begin = block.getStartOffset();
            Extent inBlock = Extent.of(begin, begin + block.getBlockSize()).intersect(extent);
            if (!inBlock.isEmpty()) {
                parts.add(new HintSender.WindowPart(block, inBlock.from(begin)));
            }
        }
        return parts;
    }

    /** Has the replica nodes give the windows up. */
    void release() {
        NodeWindow all = whole;
        if (all != null) {
            all.release();
        }
        Cache<Long, NodeWindow> known = byBlock;
        if (known != null) {
            known.asMap().values().forEach(NodeWindow::release);
        }
    }
}

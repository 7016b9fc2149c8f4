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
import io.github.foresight.core.window.MovingWindow;
import io.github.foresight.core.window.MovingWindow.Move;
import io.github.foresight.core.window.MovingWindow.Place;
import io.github.foresight.core.window.WholeFileNode;
import io.github.foresight.core.window.WindowMovePolicy;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.hint.HintTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/**
 * One client's window of one file: where its random reads are sent, and which extents the file's replica node reads ahead (NBJLOFS, section
 * 3.2).
 *
 * <p>{@link MovingWindow} decides, {@link HintSender} sends. At most one message of a file is under way; where the window moves meanwhile
 * the next one says where it is by then. A read is sent to the replica node once that has taken a window, so as long as it does not answer,
 * everything is read from originals. Thread-safe; the monitor is held for decisions only and may be taken with a stream's lock held.
 */
final class FileWindow {

    private static final int MAX_THREADS = 64;

    /** What of a layout is kept, a long file's block by block; beyond it the first go, and are read without windows. */
    private static final int MAX_BLOCKS = 8192;

    private static final long FIRST_PAUSE_MILLIS = 1000;

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

    private volatile @Nullable String replicaNode;

    @GuardedBy("this")
    private long fileId;

    @GuardedBy("this")
    private MovingWindow window;

    @GuardedBy("this")
    private WindowMovePolicy patience;

    /** The long reads by position of all threads. */
    @GuardedBy("this")
    private final PositionedSequence sequence;

    @GuardedBy("this")
    private boolean taken;

    @GuardedBy("this")
    private boolean underWay;

    @GuardedBy("this")
    private boolean movedMeanwhile;

    @GuardedBy("this")
    private long pauseMillis;

    @GuardedBy("this")
    private long pausedUntilNanos;

    /** Begins with the layout that the file was opened with. */
    FileWindow(LocatedBlocks layout, ClientSettings settings, HintSender sender) {
        this.settings = settings;
        this.sender = sender;
        this.first = layout.get(0);
        this.fileBytes = layout.getFileLength();
        this.isOneBlock = FileWindows.isOneBlock(layout);
        this.window = new MovingWindow(settings.windows(), fileBytes);
        this.patience = new WindowMovePolicy(settings.get(ClientKeys.WINDOW_PATIENCE));
        this.sequence = new PositionedSequence(settings.get(ClientKeys.HINT_EVIDENCE));
        this.fileId = ThreadLocalRandom.current().nextLong();
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
            Map<String, DatanodeInfo> holders = Arrays.stream(block.getLocations())
                    .collect(Collectors.toMap(
                            DatanodeInfo::getDatanodeUuid,
                            UnaryOperator.identity(),
                            (one, same) -> one,
                            LinkedHashMap::new));
            if (blocks.isEmpty()) {
                candidates = holders;
            } else {
                candidates.keySet().retainAll(holders.keySet());
            }
            if (holders.size() < 2) {
                // There is no original to read from meanwhile: the one disk has enough to do.
                candidates.clear();
            }
            blocks.put(block.getStartOffset(), block);
        }
        while (blocks.size() > MAX_BLOCKS) {
            blocks.pollFirstEntry();
        }
        choose();
    }

    @GuardedBy("this")
    private void choose() {
        String before = replicaNode;
        String now = WholeFileNode.of(candidates.keySet(), first.getBlock().getBlockId(), UnaryOperator.identity())
                .orElse(null);
        if (before != null && !before.equals(now)) {
            startOver();
        }
        replicaNode = now;
    }

    /** As if nothing had been read; the node releases the extents of the old number by itself. */
    @GuardedBy("this")
    private void startOver() {
        window = new MovingWindow(settings.windows(), fileBytes);
        fileId = ThreadLocalRandom.current().nextLong();
        taken = false;
    }

    /** The UUID of the DataNode that holds all of the file, or null. */
    @Nullable
    String replicaNode() {
        return replicaNode;
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
        return read(offset);
    }

    /**
     * The disks of all replicas serve a sequence in a file of one block: hints name parts of the block. A sequence is that of a thread, or of
     * several threads that take the next piece in turn.
     */
    private boolean isLeftAlone(Reader reader) {
        if (reader.lengths.areExpected()) {
            return true;
        }
        return isOneBlock && reader.isHintedLength && (reader.sequence.isSequential() || isReadInSequence());
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

    private synchronized WindowedBlock.Order read(long offset) {
        boolean paused = pauseMillis > 0 && System.nanoTime() - pausedUntilNanos < 0;
        if (offset >= fileBytes || paused) {
            return WindowedBlock.Order.STOCK;
        }
        if (!patience.decideMove(window.placeOf(offset) != Place.OUTSIDE)) {
            metrics.windowRests.incr();
            return WindowedBlock.Order.STOCK;
        }
        Move move = window.accessed(offset);
        if (!move.added().isEmpty()) {
            metrics.windowObjects.incr(move.addedObjects());
            moved();
        }
        if (move.place() == Place.OUTSIDE) {
            metrics.windowMisses.incr();
            return WindowedBlock.Order.REPLICA_NODE_LAST;
        }
        if (!taken) {
            metrics.windowEarly.incr();
            return WindowedBlock.Order.REPLICA_NODE_LAST;
        }
        (move.place() == Place.INSIDE ? metrics.windowHits : metrics.windowTrailHits).incr();
        return WindowedBlock.Order.REPLICA_NODE_FIRST;
    }

    @GuardedBy("this")
    private void moved() {
        if (underWay) {
            movedMeanwhile = true;
            return;
        }
        movedMeanwhile = false;
        List<HintSender.WindowPart> parts = parts(window.extent());
        DatanodeInfo node = candidates.get(replicaNode);
        if (!parts.isEmpty() && node != null) {
            long asked = fileId;
            HintTarget target = new HintTarget(node, parts.get(0).block().getBlockToken());
            underWay = sender.window(fileId, target, parts, new HintSender.WindowListener() {
                @Override
                public void taken() {
                    FileWindow.this.answered(asked, true);
                }

                @Override
                public void notTaken() {
                    FileWindow.this.answered(asked, false);
                }
            });
        }
    }

    @GuardedBy("this")
    private List<HintSender.WindowPart> parts(Extent extent) {
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

    private synchronized void answered(long asked, boolean nodeTookIt) {
        underWay = false;
        if (asked != fileId) {
            return;
        }
        if (nodeTookIt) {
            taken = true;
            pauseMillis = 0;
            if (movedMeanwhile) {
                moved();
            }
        } else {
            long longest = settings.get(ClientKeys.HINT_BACKOFF).toMillis();
            pauseMillis = Math.min(longest, pauseMillis == 0 ? FIRST_PAUSE_MILLIS : 2 * pauseMillis);
            pausedUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
            startOver();
        }
    }

    /** Has the replica node give the window up. */
    synchronized void release() {
        DatanodeInfo node = replicaNode == null ? null : candidates.get(replicaNode);
        if (taken && node != null) {
            sender.release(fileId, new HintTarget(node, first.getBlockToken()));
        }
    }
}

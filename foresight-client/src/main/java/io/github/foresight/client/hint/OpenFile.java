/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.caller.PositionedRead;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.ReadIntent;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.hint.HintTarget;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file whose layout the NameNode has returned in part or whole, and the streams that read it. Its blocks are cut into parts ({@link
 * CutBlock}); a part counts as a block in all that follows. Thread-safe. A stream looks at its file with
 * its own lock held, so the file's lock is never held while a stream is called.
 */
public final class OpenFile {

    private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

    /** The default of {@code foresight.datanode.sessions.idle.time}: a hint is forgotten after it. */
    static final long HINT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Beyond this number, further threads on one file share the hints of the first threads. */
    private static final int MAX_STREAMS = 64;

    private final String path;
    private final ClientSettings settings;
    private final HintSender sender;
    private final OpenFiles.LayoutSource source;

    @GuardedBy("this")
    private final List<Placed<HintTarget>> layout = new ArrayList<>();

    /** The place of each block's first part in the layout. */
    @GuardedBy("this")
    private final Map<Long, Integer> indexes = new HashMap<>();

    /** The most parts of a block. */
    @GuardedBy("this")
    private int partsMax = 1;

    private final Cache<StreamName, StreamHints> streams = Caffeine.newBuilder()
            .maximumSize(MAX_STREAMS)
            .executor(Runnable::run)
            .build();

    /** The application's open streams. A stream that is not closed is not kept from the collector. */
    @GuardedBy("this")
    private final List<WeakReference<OpenStream>> opened = new ArrayList<>();

    /** The intent of the application that opened the file last. */
    private volatile ReadIntent intent = ReadIntent.NONE;

    @GuardedBy("this")
    private long fileLength;

    @GuardedBy("this")
    private boolean extending;

    @GuardedBy("this")
    private boolean hinted;

    /** The time of the last hint, or of the last block that a hinted stream turned to. */
    @GuardedBy("this")
    private long hintedAtNanos;

    private static final class StreamName {
        final String clientName;
        final long threadId;

        StreamName(String clientName, long threadId) {
            this.clientName = clientName;
            this.threadId = threadId;
        }

        /** The reads by position of a stream with a number from 1 on. No thread's number is negative. */
        static StreamName ofSequence(String clientName, long number) {
            return new StreamName(clientName, -number);
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof StreamName
                    && ((StreamName) o).threadId == threadId
                    && ((StreamName) o).clientName.equals(clientName);
        }

        @Override
        public int hashCode() {
            return Objects.hash(clientName, threadId);
        }
    }

    OpenFile(
            String path,
            LocatedBlocks known,
            ClientSettings settings,
            HintSender sender,
            OpenFiles.LayoutSource source) {
        this.path = path;
        this.settings = settings;
        this.sender = sender;
        this.source = source;
        synchronized (this) {
            append(known);
        }
    }

    /** A file of one block that is read before a hint could help is not worth one. */
    static boolean isWorthHinting(LocatedBlocks layout, ClientSettings settings) {
        LocatedBlock first = layout.get(0);
        boolean single = layout.locatedBlockCount() == 1 && layout.getFileLength() <= first.getBlockSize();
        return !single || layout.getFileLength() >= settings.hintedFileMinBytes();
    }

    /** Whether this client opened the file; another may be of another user. */
    boolean belongsTo(HintSender client) {
        return sender == client;
    }

    /**
     * Takes over another answer of the NameNode about this file. An answer that does not begin in or right after the known part changes
     * nothing. A look at the end of a long file brings such an answer.
     *
     * @return false if it is not about the content that is known, so that this must be forgotten
     */
    synchronized boolean merge(LocatedBlocks more) {
        for (LocatedBlock block : more.getLocatedBlocks()) {
            Integer index = indexes.get(block.getBlock().getBlockId());
            if (index == null) {
                break;
            }
            HintedBlock known = layout.get(index).block();
            if (known.generationStamp() != block.getBlock().getGenerationStamp()
                    || known.lengthBytes() != block.getBlockSize()) {
                return false;
            }
        }
        long start = more.get(0).getStartOffset();
        if (start > knownEnd()) {
            return more.getFileLength() == fileLength;
        }
        boolean overlaps = indexes.containsKey(more.get(0).getBlock().getBlockId());
        if (!overlaps && start != knownEnd()) {
            return false;
        }
        append(more);
        return true;
    }

    /** The file is opened once more. Streams that are read with another intent are judged anew. */
    void applyIntent(ReadIntent latest) {
        if (!latest.equals(intent)) {
            intent = latest;
            streams.invalidateAll();
        }
    }

    /** A positioned read does not show which block will be read next; nearly all of them end before their block does. */
    void recordBlockRead(long blockId, long endInBlock, String clientName, long threadId) {
        int index;
        synchronized (this) {
            index = indexOfPart(blockId, endInBlock);
        }
        if (index < 0 || PositionedRead.isOnStack()) {
            return;
        }
        ReadIntent now = intent;
        streams.get(
                        new StreamName(clientName, threadId),
                        unused -> new StreamHints(clientName, settings, sender, this, now))
                .recordBlockRead(index);
    }

    /**
     * The reads by position of a stream go on from front to back, and have come to the byte at {@code offset}. The block there and the
     * next are hinted, and what else begins before {@code reach}.
     *
     * @return the end of the block there; {@link Long#MAX_VALUE} if the application reads at random by its own word
     */
    long sequenceRead(String clientName, long number, long offset, long reach) {
        ReadIntent now = intent;
        if (now.order() == ReadIntent.Order.RANDOM) {
            return Long.MAX_VALUE;
        }
        int index;
        long end;
        synchronized (this) {
            index = indexAt(offset);
            if (index < 0) {
                // Not known yet: to be asked again with the next read.
                return offset;
            }
            end = layout.get(index).block().endInFile();
        }
        streams.get(
                        StreamName.ofSequence(clientName, number),
                        unused -> new StreamHints(clientName, settings, sender, this, now))
                .recordSequence(index, Math.max(end + 1, reach));
        return end;
    }

    /** The stream's reads by position go on no longer. */
    void sequenceEnded(String clientName, long number) {
        StreamHints ended = streams.asMap().remove(StreamName.ofSequence(clientName, number));
        if (ended != null) {
            ended.end();
        }
    }

    /** The index of the part of a block that ends at a position, and of the last part for positions behind it; -1 if there is none. */
    @GuardedBy("this")
    private int indexOfPart(long blockId, long endInBlock) {
        Integer first = indexes.get(blockId);
        if (first == null) {
            return -1;
        }
        for (int index = first; index < layout.size() && isOf(index, blockId); index++) {
            HintedBlock part = layout.get(index).block();
            if (endInBlock == part.endBytes()
                    || (endInBlock > part.endBytes() && part.endBytes() == part.lengthBytes())) {
                return index;
            }
        }
        return -1;
    }

    @GuardedBy("this")
    private boolean isOf(int index, long blockId) {
        return layout.get(index).block().key().blockId() == blockId;
    }

    /** Whether a block of the file is cut into several parts. */
    synchronized boolean isCut() {
        return partsMax > 1;
    }

    /** The parts of a block, from front to back; empty if the block is not known. */
    synchronized List<Placed<HintTarget>> partsOf(long blockId) {
        Integer first = indexes.get(blockId);
        List<Placed<HintTarget>> parts = new ArrayList<>();
        for (int index = first == null ? layout.size() : first;
                index < layout.size() && isOf(index, blockId);
                index++) {
            parts.add(layout.get(index));
        }
        return parts;
    }

    /** The most parts of blocks that one hint names. */
    synchronized int windowParts() {
        return partsMax * settings.get(ClientKeys.HINT_WINDOW_BLOCKS);
    }

    /** The index of the known part with the byte at an offset; -1 if it is not known. */
    @GuardedBy("this")
    private int indexAt(long offset) {
        int low = 0;
        int high = layout.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            HintedBlock block = layout.get(middle).block();
            if (offset < block.beginInFile()) {
                high = middle - 1;
            } else if (offset >= block.endInFile()) {
                low = middle + 1;
            } else {
                return middle;
            }
        }
        return -1;
    }

    synchronized void streamOpened(OpenStream stream) {
        opened.removeIf(one -> one.get() == null);
        if (opened.size() < MAX_STREAMS) {
            opened.add(new WeakReference<>(stream));
        }
    }

    /** With the last of the application's streams end the hints, so that DataNodes stop what nobody will read. */
    void streamClosed(OpenStream stream) {
        boolean isLast;
        synchronized (this) {
            isLast = opened.removeIf(one -> one.get() == null || one.get() == stream) && opened.isEmpty();
        }
        if (isLast) {
            streams.asMap().values().forEach(StreamHints::end);
        }
    }

    /** The application's only open stream of this file; null if there are more, or none that is known. */
    synchronized @Nullable OpenStream onlyStream() {
        return opened.size() == 1 ? opened.get(0).get() : null;
    }

    /** DataNodes have hints of this file, and a stream reads it. */
    synchronized void hinted(long nowNanos) {
        hinted = true;
        hintedAtNanos = nowNanos;
    }

    /** The hints were released. */
    synchronized void released() {
        hinted = false;
    }

    @GuardedBy("this")
    private boolean isHinted(long nowNanos) {
        return hinted && nowNanos - hintedAtNanos < HINT_NANOS;
    }

    /** The blocks that are known, in file order; the list is a copy. */
    synchronized List<Placed<HintTarget>> layout() {
        return new ArrayList<>(layout);
    }

    /** Whether this is the file's last block. */
    synchronized boolean isLast(int index) {
        return index == layout.size() - 1 && knownEnd() >= fileLength;
    }

    /** Asks for more of the layout if the reader is close to the end of the known part. */
    synchronized void extendFrom(int index) {
        int ahead = layout.size() - index;
        if (extending || knownEnd() >= fileLength || ahead > windowParts() / 2) {
            return;
        }
        long from = knownEnd();
        extending = sender.enqueue(() -> fetchFrom(from));
    }

    private void fetchFrom(long offset) {
        try {
            LocatedBlocks more = source.layoutFrom(path, offset);
            if (more != null && !more.getLocatedBlocks().isEmpty()) {
                merge(more);
            }
        } catch (IOException e) {
            LOG.debug("More of the layout of {} could not be had", path, e);
        } finally {
            synchronized (this) {
                extending = false;
            }
        }
    }

    @GuardedBy("this")
    private long knownEnd() {
        if (layout.isEmpty()) {
            return 0;
        }
        return layout.get(layout.size() - 1).block().endInFile();
    }

    @GuardedBy("this")
    private void append(LocatedBlocks more) {
        fileLength = more.getFileLength();
        for (LocatedBlock located : more.getLocatedBlocks()) {
            boolean next = located.getStartOffset() == knownEnd();
            if (next && !located.isCorrupt() && located.getBlockSize() > 0 && located.getLocations().length > 0) {
                List<Placed<HintTarget>> parts = CutBlock.of(located, settings);
                partsMax = Math.max(partsMax, parts.size());
                indexes.put(located.getBlock().getBlockId(), layout.size());
                layout.addAll(parts);
            } else {
                refresh(located, System.nanoTime());
            }
        }
    }

    /**
     * Takes over the token and the first location of a known block. Block tokens expire.
     *
     * <p>The NameNode orders the replicas of each answer by the loads at that moment. A block that is prefetched on one DataNode and read from
     * another is read from disk twice. So while the file is hinted, the hinted replica is put first. It was as near as any when it was
     * hinted. Afterwards the NameNode's order holds, because it knows which DataNodes are stale or overloaded by now. The parts of a block
     * stay where they are, as long as the replica is there.
     */
    @GuardedBy("this")
    private void refresh(LocatedBlock located, long nowNanos) {
        long blockId = located.getBlock().getBlockId();
        Integer first = indexes.get(blockId);
        DatanodeInfo[] locations = located.getLocations();
        if (first == null || locations.length == 0) {
            return;
        }
        if (layout.get(first).block().isWhole() && isHinted(nowNanos)) {
            putFirst(located, PartedLayout.placeOf(layout.get(first).node(), locations));
        }
        for (int index = first; index < layout.size() && isOf(index, blockId); index++) {
            HintedBlock part = layout.get(index).block();
            int place =
                    part.isWhole() ? 0 : PartedLayout.placeOf(layout.get(index).node(), locations);
            HintTarget target = new HintTarget(locations[Math.max(0, place)], located.getBlockToken());
            layout.set(index, new Placed<>(part, target));
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
}

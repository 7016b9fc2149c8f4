/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.caller.PositionedRead;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.DiskReaders;
import io.github.foresight.core.hint.ReadIntent;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.hint.HintTarget;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file whose layout is known, and the streams that read it. Its blocks are cut into parts, and a part counts as a block in all that follows.
 * Thread-safe. A stream looks at its file with its own lock held, so the file's lock is never held while a stream is called.
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
    private final DiskReaders readers;

    @GuardedBy("this")
    private KnownLayout known;

    private final AtomicInteger cuts = new AtomicInteger();

    /** The answer by which the blocks were cut, until it is decided whether they stay so; null afterwards. */
    @GuardedBy("this")
    private @Nullable LocatedBlocks undecided;

    /** See {@link #undecidedBytes}. */
    private volatile long undecidedBytes;

    /** See {@link #undecidedBytes}. */
    private final long beginBytes;

    private final Cache<StreamName, StreamHints> streams = Caffeine.newBuilder()
            .maximumSize(MAX_STREAMS)
            .executor(Runnable::run)
            .build();

    /** The application's open streams. A stream that is not closed is not kept from the collector. */
    @GuardedBy("this")
    private final List<WeakReference<OpenStream>> openStreams = new ArrayList<>();

    /** The intent of the application that opened the file last. */
    private volatile ReadIntent intent = ReadIntent.NONE;

    @GuardedBy("this")
    private boolean extending;

    /** The end of the known part when the NameNode was asked for more of it and returned nothing that can be hinted; or -1. */
    @GuardedBy("this")
    private long endsAt = -1;

    @GuardedBy("this")
    private boolean hinted;

    /** Counts this file at the disks of its blocks; null once the application has closed its streams. */
    @GuardedBy("this")
    private DiskReaders.@Nullable Reading reading;

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
            LocatedBlocks layout,
            ClientSettings settings,
            HintSender sender,
            OpenFiles.LayoutSource source,
            DiskReaders readers) {
        this.path = path;
        this.settings = settings;
        this.sender = sender;
        this.source = source;
        this.readers = readers;
        long now = System.nanoTime();
        DiskReaders.Reading opening = readers.begin(disks(layout), now);
        this.known = new KnownLayout(layout, settings, readers);
        this.beginBytes = settings.beginBytes();
        becomeUndecided(layout);
        this.reading = readers.begin(known.disks(), now);
        opening.end();
    }

    /** The disks of all replicas. Of many files that are opened in the same moment, each counts there before it is cut. */
    private static Set<String> disks(LocatedBlocks layout) {
        Set<String> disks = new HashSet<>();
        for (LocatedBlock block : layout.getLocatedBlocks()) {
            for (DatanodeInfo node : block.getLocations()) {
                disks.add(BlockCutter.disk(node));
            }
        }
        return disks;
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
     * Takes over another answer of the NameNode about this file. If no DataNode has hints of the file and the answer begins with the file, its
     * blocks are cut anew, by the replicas and loads of now.
     *
     * @return false if it is not about the content that is known, so that this must be forgotten
     */
    boolean merge(LocatedBlocks answer) {
        synchronized (this) {
            if (!known.isOfSameContent(answer)) {
                return false;
            }
            long now = System.nanoTime();
            boolean isHinted = isHinted(now);
            boolean mayDiffer = !isHinted && answer.get(0).getStartOffset() == 0 && known.mayBeCut(answer);
            if (mayDiffer) {
                beginReading(now);
            }
            KnownLayout anew = mayDiffer ? new KnownLayout(answer, settings, readers) : known;
            if (anew.isCutAs(known)) {
                return known.merge(answer, isHinted);
            }
            known = anew;
            cuts.incrementAndGet();
            becomeUndecided(answer);
        }
        // Their indexes are those of other parts. A stream's hints may outlast the end of another's.
        streams.asMap().values().forEach(StreamHints::end);
        streams.invalidateAll();
        return true;
    }

    /** The stream may change its layout meanwhile, so the blocks are copied. */
    @GuardedBy("this")
    private void becomeUndecided(LocatedBlocks answer) {
        undecided = known.isCut() ? copy(answer) : null;
        undecidedBytes = known.isCut() ? beginBytes : 0;
    }

    private static LocatedBlocks copy(LocatedBlocks answer) {
        return new LocatedBlocks(
                answer.getFileLength(),
                answer.isUnderConstruction(),
                new ArrayList<>(answer.getLocatedBlocks()),
                answer.getLastLocatedBlock(),
                answer.isLastBlockComplete(),
                answer.getFileEncryptionInfo(),
                answer.getErasureCodingPolicy());
    }

    /** How often the blocks have been cut anew. Parts that were asked for before are stale if it has changed. */
    int cuts() {
        return cuts.get();
    }

    /**
     * The number of bytes at the file's begin that are read before it is decided whether the blocks stay cut; 0 once it is. Many files may be
     * opened in the same moment. When a reader has come as far as counts as sequential, it is known how many.
     */
    long undecidedBytes() {
        return undecidedBytes;
    }

    /** Cuts the blocks anew, by the files that are read now. A second call has no effect. */
    void decide() {
        if (undecidedBytes > 0) {
            decide(System.nanoTime());
        }
    }

    private synchronized void decide(long now) {
        if (undecided == null) {
            return;
        }
        KnownLayout anew = new KnownLayout(undecided, settings, readers);
        if (!anew.isCutAs(known)) {
            known = anew;
            cuts.incrementAndGet();
            if (reading != null) {
                reading.end();
                reading = readers.begin(known.disks(), now);
                reading.used(now);
            }
        }
        undecided = null;
        undecidedBytes = 0;
    }

    /** The file is opened, once more perhaps. Streams that are read with another intent are judged anew. */
    void opened(ReadIntent latest) {
        synchronized (this) {
            beginReading(System.nanoTime());
        }
        if (!latest.equals(intent)) {
            intent = latest;
            streams.invalidateAll();
        }
    }

    /** A positioned read does not show which block will be read next; nearly all of them end before their block does. */
    void recordBlockRead(long blockId, long endInBlock, String clientName, long threadId) {
        int index;
        boolean isBegin;
        synchronized (this) {
            index = known.indexOfPart(blockId, endInBlock);
            isBegin = index < 0 && endInBlock == beginBytes && known.isFirst(blockId);
        }
        if ((index < 0 && !isBegin) || PositionedRead.isOnStack()) {
            return;
        }
        ReadIntent now = intent;
        StreamHints hints = streams.get(
                new StreamName(clientName, threadId),
                unused -> new StreamHints(clientName, settings, sender, this, now));
        if (isBegin) {
            hints.recordBegin();
        } else {
            hints.recordBlockRead(index);
        }
    }

    /**
     * The reads by position of a stream go on from front to back, and have come to the byte at {@code offset}. The block there and the
     * next are hinted, and what else begins before {@code reach}.
     *
     * @return the end of the block there; {@link Long#MAX_VALUE} if the application reads at random by its own word, or the file is
     *     erasure-coded: a read by position comes from several of its blocks
     */
    long sequenceRead(String clientName, long number, long offset, long reach) {
        ReadIntent now = intent;
        if (now.order() == ReadIntent.Order.RANDOM) {
            return Long.MAX_VALUE;
        }
        int index;
        long end;
        decide();
        synchronized (this) {
            if (known.isStriped()) {
                return Long.MAX_VALUE;
            }
            index = known.indexAt(offset);
            if (index < 0) {
                // Not known yet: to be asked again with the next read.
                return offset;
            }
            end = known.endOf(index);
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

    /** Whether a block of the file is cut into several parts, each to be read from another replica. */
    synchronized boolean isCut() {
        return known.isCut();
    }

    /** The parts of a block, from front to back; empty if the block is not known. */
    synchronized List<Placed<HintTarget>> partsOf(long blockId) {
        return known.partsOf(blockId);
    }

    /** The most parts of blocks that one hint names. */
    synchronized int windowParts() {
        return known.partsMax() * settings.get(ClientKeys.HINT_WINDOW_BLOCKS);
    }

    synchronized void streamOpened(OpenStream stream) {
        openStreams.removeIf(one -> one.get() == null);
        if (openStreams.size() < MAX_STREAMS) {
            openStreams.add(new WeakReference<>(stream));
        }
        long now = System.nanoTime();
        beginReading(now).used(now);
    }

    @GuardedBy("this")
    private DiskReaders.Reading beginReading(long nowNanos) {
        DiskReaders.Reading now = reading == null ? readers.begin(known.disks(), nowNanos) : reading;
        reading = now;
        return now;
    }

    /** With the last of the application's streams end the hints, so that DataNodes stop what nobody will read. */
    void streamClosed(OpenStream stream) {
        boolean isLast;
        synchronized (this) {
            isLast = openStreams.removeIf(one -> one.get() == null || one.get() == stream) && openStreams.isEmpty();
            if (isLast && reading != null) {
                reading.end();
                reading = null;
            }
        }
        if (isLast) {
            streams.asMap().values().forEach(StreamHints::end);
        }
    }

    /** The application's only open stream of this file; null if there are more, or none that is known. */
    synchronized @Nullable OpenStream onlyStream() {
        return openStreams.size() == 1 ? openStreams.get(0).get() : null;
    }

    /** DataNodes have hints of this file, and a stream reads it. */
    synchronized void hinted(long nowNanos) {
        hinted = true;
        hintedAtNanos = nowNanos;
        if (reading != null) {
            reading.used(nowNanos);
        }
    }

    /** The hints were released. */
    synchronized void released() {
        hinted = false;
    }

    @GuardedBy("this")
    private boolean isHinted(long nowNanos) {
        return hinted && nowNanos - hintedAtNanos < HINT_NANOS;
    }

    /** The parts of blocks that are known, in file order; the list is a copy. */
    synchronized List<Placed<HintTarget>> layout() {
        return known.parts();
    }

    /** Whether this is the last part of the file's last block. */
    synchronized boolean isLast(int index) {
        return index == known.size() - 1 && known.isComplete();
    }

    /** Asks for more of the layout if the reader is close to the end of the known part. */
    synchronized void extendFrom(int index) {
        int ahead = known.size() - index;
        long from = known.end();
        if (extending || from == endsAt || known.isComplete() || ahead > windowParts() / 2) {
            return;
        }
        extending = sender.enqueue(() -> fetchFrom(from));
    }

    private void fetchFrom(long offset) {
        try {
            LocatedBlocks more = source.layoutFrom(path, offset);
            if (more != null && !more.getLocatedBlocks().isEmpty()) {
                merge(more);
            }
            synchronized (this) {
                endsAt = known.end() == offset ? offset : -1;
            }
        } catch (IOException e) {
            LOG.debug("More of the layout of {} could not be had", path, e);
        } finally {
            synchronized (this) {
                extending = false;
            }
        }
    }
}

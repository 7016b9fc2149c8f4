/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.graph.Attention;
import io.github.foresight.core.graph.Lookahead;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.note.MessageBytes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.OutcomeProto;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * What the NameNode has lately said of files, for one file system object and so for one user (Nexus, section 4.4). Bounded by bytes
 * and by age; an entry's age counts from the moment at which the NameNode was asked.
 *
 * <p>Layouts are kept as the messages that they came in, so that nothing is done for those that nobody comes back to and each open
 * still has a layout of its own. Thread-safe.
 */
final class MetadataCache {

    /** An entry's share of the maps that it stands in, bytes. */
    private static final int ENTRY_OVERHEAD = 300;

    private static final int HITS_MAX = 1000;
    private static final int NO_PREDICTION = -1;

    /** A prediction that was not used while the client opened so many files was none of what comes next. */
    private static final int HORIZON_OPENS = 100;

    private static final int AWAITED_MAX = 4096;

    /** What a layout's message takes of the heap for each block that it tells of, and each replica, bytes; as measured. */
    private static final int BLOCK_BYTES = 800;

    private static final int REPLICA_BYTES = 600;

    /** What is known of a file. Immutable but for what becomes of it. */
    private static final class Entry {
        final LocatedBlocksProto layout;
        final @Nullable ByteString status;
        final int confidenceClass;
        final AtomicBoolean used = new AtomicBoolean();

        /** Whether it has been counted as used in time, or as wasted. */
        final AtomicBoolean settled = new AtomicBoolean();

        /** How many files the client had opened when it came. */
        long opensBefore;

        /** The group that it was told of with, or 0. */
        int group;

        /** Of a layout with at least one block. */
        Entry(LocatedBlocksProto layout, @Nullable ByteString status, int confidenceClass) {
            this.layout = layout;
            this.status = status;
            this.confidenceClass = confidenceClass;
        }

        long firstBlock() {
            return layout.getBlocks(0).getB().getBlockId();
        }

        boolean isPrediction() {
            return confidenceClass != NO_PREDICTION;
        }

        int bytes() {
            int bytes = ENTRY_OVERHEAD + (status == null ? 0 : status.size()) + bytes(layout.getLastBlock());
            for (LocatedBlockProto block : layout.getBlocksList()) {
                bytes += bytes(block);
            }
            return bytes;
        }

        /** What the message itself says of its size is not asked for, as that would slow HDFS's own: see {@link MessageBytes}. */
        private static int bytes(LocatedBlockProto block) {
            return BLOCK_BYTES + REPLICA_BYTES * block.getLocsCount();
        }
    }

    private final ClientSettings settings;
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final long cacheId = new SecureRandom().nextLong();
    private final Cache<String, Entry> entries;
    private final NavigableSet<String> paths = new ConcurrentSkipListSet<>();

    /** Counts changes by this client, so that an answer that was under way meanwhile is not kept. */
    private final AtomicLong changes = new AtomicLong();

    private final AtomicIntegerArray used = new AtomicIntegerArray(Usefulness.CLASSES);
    private final AtomicIntegerArray wasted = new AtomicIntegerArray(Usefulness.CLASSES);

    private final AtomicLong opens = new AtomicLong();
    private final Attention attention = new Attention();
    private final Lookahead lookahead = new Lookahead();
    private final UnprovenGroup unproven = new UnprovenGroup();

    /** Predictions in the order in which they came, until their end is known or their time is over. */
    private final Queue<Entry> awaited = new ArrayDeque<>();

    @GuardedBy("hits")
    private final Deque<Long> hits = new ArrayDeque<>();

    MetadataCache(ClientSettings settings, Ticker ticker) {
        this.settings = settings;
        this.entries = Caffeine.newBuilder()
                .maximumWeight(settings.get(ClientKeys.METADATA_CAPACITY))
                .weigher((String path, Entry entry) -> 2 * path.length() + entry.bytes())
                .expireAfterWrite(settings.get(ClientKeys.METADATA_AGE))
                .ticker(ticker)
                .executor(Runnable::run)
                .removalListener(this::removed)
                .build();
    }

    private void removed(@Nullable String path, @Nullable Entry entry, RemovalCause cause) {
        if (path == null || entry == null) {
            return;
        }
        if (cause != RemovalCause.REPLACED) {
            paths.remove(path);
            if (entries.asMap().containsKey(path)) {
                paths.add(path);
            }
        }
        if (entry.isPrediction() && !entry.used.get() && cause.wasEvicted()) {
            metrics.metadataWasted.incr();
            judge(entry);
        }
    }

    boolean has(String path) {
        return entries.asMap().containsKey(path);
    }

    /** A file is opened that is not here. Whether the NameNode should be asked for predictions when it is asked for that one. */
    boolean missed() {
        judgeOverdue();
        metrics.metadataMisses.incr();
        return attention.askAlong();
    }

    /** What to open a file with. Immutable. */
    static final class Kept {
        private final LocatedBlocksProto layout;
        private final boolean lookingAhead;
        private final List<LocatedBlocksProto> others;

        private Kept(LocatedBlocksProto layout, boolean lookingAhead, List<LocatedBlocksProto> others) {
            this.layout = layout;
            this.lookingAhead = lookingAhead;
            this.others = others;
        }

        LocatedBlocksProto layout() {
            return layout;
        }

        /** Whether the NameNode should be asked now what comes after this file. */
        boolean isLookingAhead() {
            return lookingAhead;
        }

        /** The layouts of other files whose data is to be made resident now that this one was foreseen. */
        List<LocatedBlocksProto> others() {
            return others;
        }
    }

    /** The layout to open a file with, or null if the NameNode must be asked. */
    @Nullable
    Kept layoutToOpen(String path) {
        Entry entry = entries.getIfPresent(path);
        if (entry == null) {
            return null;
        }
        judgeOverdue();
        metrics.metadataHits.incr();
        attention.served();
        boolean lookingAhead = used(entry);
        return new Kept(
                entry.layout, lookingAhead, entry.isPrediction() ? unproven.cameTrue(entry.firstBlock()) : List.of());
    }

    /** Whether to look ahead now. */
    private boolean used(Entry entry) {
        boolean lookingAhead = false;
        if (entry.isPrediction() && entry.used.compareAndSet(false, true)) {
            metrics.metadataUsed.incr();
            lookingAhead = settings.get(ClientKeys.METADATA_AHEAD_ENABLED) && lookahead.used(entry.group);
            if (entry.settled.compareAndSet(false, true)) {
                used.incrementAndGet(entry.confidenceClass);
            }
        }
        synchronized (hits) {
            hits.add(entry.firstBlock());
            if (hits.size() > HITS_MAX) {
                hits.remove();
            }
        }
        return lookingAhead;
    }

    /** A file's status, or null if the NameNode must be asked. */
    @Nullable
    HdfsFileStatusProto status(String path) {
        Entry entry = entries.getIfPresent(path);
        if (entry == null || entry.status == null) {
            return null;
        }
        HdfsFileStatusProto status = MessageBytes.parse(entry.status, HdfsFileStatusProto.parser());
        if (status == null) {
            entries.invalidate(path);
            metrics.internalErrors.incr();
        }
        return status;
    }

    /** What is to be said with a request: what was served without asking, and what became of predictions. */
    ClientNoteProto.Builder note() {
        ClientNoteProto.Builder note = ClientNoteProto.newBuilder()
                .setCacheId(cacheId)
                .setFilesWanted(settings.get(ClientKeys.METADATA_FILES_MAX))
                .setStatusWanted(settings.get(ClientKeys.METADATA_STATUS_ENABLED))
                .setMaxAgeMillis(
                        Math.toIntExact(settings.get(ClientKeys.METADATA_AGE).toMillis()));
        synchronized (hits) {
            note.addAllHits(hits);
            hits.clear();
        }
        if (isAwaiting()) {
            // Without this Caffeine tells of what has expired only when it is used.
            entries.cleanUp();
        }
        for (int i = 0; i < Usefulness.CLASSES; i++) {
            int usedNow = used.getAndSet(i, 0);
            int wastedNow = wasted.getAndSet(i, 0);
            if (usedNow + wastedNow > 0) {
                note.addOutcomes(OutcomeProto.newBuilder()
                        .setConfidenceClass(i)
                        .setUsed(usedNow)
                        .setWasted(wastedNow));
            }
        }
        return note;
    }

    /** Where this client's own changes stand; to be asked before the NameNode is. */
    long position() {
        return changes.get();
    }

    /**
     * The NameNode has opened a file for this client; kept only if it says more than HDFS would, for only then does it tell of
     * changes.
     *
     * @param askedAt the position before it was asked
     */
    void answered(String path, LocatedBlocksProto layout, long askedAt) {
        if (layout.getBlocksCount() > 0 && !layout.getUnderConstruction()) {
            put(path, new Entry(layout, null, NO_PREDICTION), askedAt);
        }
    }

    /**
     * Takes over what the NameNode says beside its answer.
     *
     * @param askedAt the position before it was asked
     * @return the layouts of files that are new here and whose data is to be made resident now
     */
    List<LocatedBlocksProto> take(NameNodeNoteProto note, long askedAt) {
        List<LocatedBlocksProto> layouts = new ArrayList<>(note.getFilesCount());
        Map<String, Entry> taken = new LinkedHashMap<>();
        int expected = 0;
        for (PredictedFileProto file : note.getFilesList()) {
            if (file.hasPath() && !taken.containsKey(file.getPath())) {
                Entry entry = entry(file, layouts);
                if (entry != null) {
                    taken.put(file.getPath(), entry);
                    expected += entry.confidenceClass == Usefulness.LISTED ? 0 : 1;
                }
            }
        }
        int group = lookahead.told(expected);
        taken.forEach((path, entry) -> {
            metrics.metadataPredicted.incr();
            entry.group = entry.confidenceClass == Usefulness.LISTED ? 0 : group;
            put(path, entry, askedAt);
            await(entry);
        });
        if (note.getAllInvalidated()) {
            clear();
        }
        for (String path : note.getInvalidatedList()) {
            metrics.metadataInvalidated.incr();
            forgetAtAndBelow(path);
        }
        return unproven.told(layouts);
    }

    /** The entry of a file that is not here yet, or null; its layout is added to the others. */
    private @Nullable Entry entry(PredictedFileProto file, List<LocatedBlocksProto> layouts) {
        int confidenceClass = file.getConfidenceClass();
        if (confidenceClass < 0 || confidenceClass >= Usefulness.CLASSES || has(file.getPath())) {
            return null;
        }
        LocatedBlocksProto layout = MessageBytes.parse(file.getLocations(), LocatedBlocksProto.parser());
        if (layout == null) {
            metrics.internalErrors.incr();
            return null;
        }
        if (layout.getBlocksCount() == 0 || layout.getUnderConstruction()) {
            return null;
        }
        layouts.add(layout);
        return new Entry(layout, file.hasStatus() ? file.getStatus() : null, confidenceClass);
    }

    /** From now on the file should be opened soon. */
    private void await(Entry entry) {
        synchronized (awaited) {
            entry.opensBefore = opens.get();
            awaited.add(entry);
            if (awaited.size() > AWAITED_MAX) {
                judge(awaited.remove());
            }
        }
    }

    private boolean isAwaiting() {
        synchronized (awaited) {
            return !awaited.isEmpty();
        }
    }

    /** Gives up predictions that were not used in so many opens; if one is used later after all, so much the better. */
    private void judgeOverdue() {
        long now = opens.incrementAndGet();
        synchronized (awaited) {
            for (Entry oldest = awaited.peek();
                    oldest != null && now - oldest.opensBefore > HORIZON_OPENS;
                    oldest = awaited.peek()) {
                judge(awaited.remove());
            }
        }
    }

    private void judge(Entry entry) {
        if (entry.settled.compareAndSet(false, true)) {
            wasted.incrementAndGet(entry.confidenceClass);
        }
    }

    private void put(String path, Entry entry, long askedAt) {
        if (changes.get() == askedAt) {
            paths.add(path);
            entries.put(path, entry);
            if (changes.get() != askedAt) {
                entries.invalidate(path);
            }
        }
    }

    /** This client has changed a file, or a directory and so what is below it. */
    void changed(String path) {
        changes.incrementAndGet();
        forgetAtAndBelow(path);
    }

    /** Forgets a file of which the NameNode could not be asked again. */
    void drop(String path) {
        entries.invalidate(path);
    }

    /** An entry turned out not to be true any more. */
    void stale(String path) {
        if (entries.asMap().remove(path) != null) {
            metrics.metadataStale.incr();
        }
    }

    private void forgetAtAndBelow(String path) {
        String root = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        entries.invalidate(root);
        for (String below : paths.subSet(root + '/', root + (char) ('/' + 1))) {
            entries.invalidate(below);
        }
    }

    /** Forgets everything. */
    void clear() {
        changes.incrementAndGet();
        entries.invalidateAll();
    }
}

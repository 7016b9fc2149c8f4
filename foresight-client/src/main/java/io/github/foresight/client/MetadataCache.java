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
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.jspecify.annotations.Nullable;

/**
 * What the NameNode has lately said of files, for one file system object and so for one user (Nexus, section 4.4). Bounded by bytes
 * and by age; an entry's age counts from the moment at which the NameNode was asked. Thread-safe.
 */
final class MetadataCache {

    private static final int HITS_MAX = 1000;

    /** A prediction that was not used while the client opened so many files was none of what comes next. */
    private static final int HORIZON_OPENS = 100;

    private static final int AWAITED_MAX = 4096;

    private final ClientSettings settings;
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final long cacheId = new SecureRandom().nextLong();
    private final Cache<String, KeptFile> entries;
    private final NavigableSet<String> paths = new ConcurrentSkipListSet<>();

    /** Counts changes by this client, so that an answer that was under way meanwhile is not kept. */
    private final AtomicLong changes = new AtomicLong();

    /** Names the NameNode's record of what is here: it tells of changes of what came with that record, and of nothing else. */
    private volatile long grantRecord;

    private final AtomicIntegerArray used = new AtomicIntegerArray(Usefulness.CLASSES);
    private final AtomicIntegerArray wasted = new AtomicIntegerArray(Usefulness.CLASSES);

    private final AtomicLong opens = new AtomicLong();
    private final Attention attention = new Attention();
    private final Lookahead lookahead = new Lookahead();
    private final UnprovenGroup unproven = new UnprovenGroup();

    /** Predictions in the order in which they came, until their end is known or their time is over. */
    private final Queue<KeptFile> awaited = new ArrayDeque<>();

    @GuardedBy("hits")
    private final Deque<Long> hits = new ArrayDeque<>();

    MetadataCache(ClientSettings settings, Ticker ticker) {
        this.settings = settings;
        this.entries = Caffeine.newBuilder()
                .maximumWeight(settings.get(ClientKeys.METADATA_CAPACITY))
                .weigher((String path, KeptFile entry) -> 2 * path.length() + entry.bytes())
                .expireAfterWrite(settings.get(ClientKeys.METADATA_AGE))
                .ticker(ticker)
                .executor(Runnable::run)
                .removalListener(this::removed)
                .build();
    }

    private void removed(@Nullable String path, @Nullable KeptFile entry, RemovalCause cause) {
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
        KeptFile entry = entries.getIfPresent(path);
        if (entry == null) {
            return null;
        }
        judgeOverdue();
        LocatedBlocksProto layout = entry.layout();
        if (layout == null) {
            entries.invalidate(path);
            metrics.internalErrors.incr();
            return null;
        }
        metrics.metadataHits.incr();
        attention.served();
        boolean lookingAhead = used(entry);
        return new Kept(layout, lookingAhead, entry.isPrediction() ? unproven.cameTrue(entry.firstBlock) : List.of());
    }

    /** Whether to look ahead now. */
    private boolean used(KeptFile entry) {
        boolean lookingAhead = false;
        if (entry.isPrediction() && entry.used.compareAndSet(false, true)) {
            metrics.metadataUsed.incr();
            lookingAhead = settings.get(ClientKeys.METADATA_AHEAD_ENABLED) && lookahead.used(entry.group);
            if (entry.settled.compareAndSet(false, true)) {
                used.incrementAndGet(entry.confidenceClass);
            }
        }
        synchronized (hits) {
            hits.add(entry.firstBlock);
            if (hits.size() > HITS_MAX) {
                hits.remove();
            }
        }
        return lookingAhead;
    }

    /** A file's status, or null if the NameNode must be asked. */
    @Nullable
    HdfsFileStatusProto status(String path) {
        KeptFile entry = entries.getIfPresent(path);
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
     * @param note what the NameNode says beside; to be {@linkplain #take taken} next
     * @param askedAt the position before it was asked
     */
    void answered(String path, LocatedBlocksProto layout, NameNodeNoteProto note, long askedAt) {
        follow(note.getGrantRecord());
        if (layout.getBlocksCount() > 0 && !layout.getUnderConstruction()) {
            put(path, KeptFile.opened(layout), askedAt, note.getGrantRecord());
        }
    }

    /**
     * Forgets what came with another record: after a failover, from another observer, or as the NameNode had no room, nobody tells of
     * its changes any longer.
     */
    private void follow(long record) {
        if (record != grantRecord) {
            grantRecord = record;
            entries.invalidateAll();
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
        follow(note.getGrantRecord());
        Map<String, KeptFile> taken = new LinkedHashMap<>();
        int expected = 0;
        for (PredictedFileProto file : note.getFilesList()) {
            if (file.hasPath() && !taken.containsKey(file.getPath())) {
                KeptFile entry = entry(file, layouts);
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
            put(path, entry, askedAt, note.getGrantRecord());
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
    private @Nullable KeptFile entry(PredictedFileProto file, List<LocatedBlocksProto> layouts) {
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
        return KeptFile.predicted(file, layout);
    }

    /** From now on the file should be opened soon. */
    private void await(KeptFile entry) {
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
            for (KeptFile oldest = awaited.peek();
                    oldest != null && now - oldest.opensBefore > HORIZON_OPENS;
                    oldest = awaited.peek()) {
                judge(awaited.remove());
            }
        }
    }

    private void judge(KeptFile entry) {
        if (entry.settled.compareAndSet(false, true)) {
            wasted.incrementAndGet(entry.confidenceClass);
        }
    }

    private void put(String path, KeptFile entry, long askedAt, long record) {
        if (changes.get() == askedAt) {
            paths.add(path);
            entries.put(path, entry);
            if (changes.get() != askedAt || grantRecord != record) {
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

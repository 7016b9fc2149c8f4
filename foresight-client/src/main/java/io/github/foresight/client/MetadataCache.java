/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.lease.LayoutGrant;
import io.github.foresight.client.lease.LeaseHub;
import io.github.foresight.client.lease.LeasedCache;
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
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the NameNode has lately said of files, for one file system object and so for one user (Nexus, section 4.4). Bounded by bytes
 * and by age.
 *
 * <p>Under strict consistency an entry stands under a lease, unless its file is below an immutable path, and is used only while that
 * lasts. Under bounded consistency the NameNode tells of changes with its replies, and an entry is used until its age is over.
 * Thread-safe.
 */
final class MetadataCache implements LeasedCache {

    private static final Logger LOG = LoggerFactory.getLogger(MetadataCache.class);

    private static final int HITS_MAX = 1000;

    /** A prediction that was not used while the client opened so many files was none of what comes next. */
    private static final int HORIZON_OPENS = 100;

    private static final int AWAITED_MAX = 4096;

    private final ClientSettings settings;
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final long cacheId = new SecureRandom().nextLong();
    private final Cache<String, KeptFile> entries;

    /**
     * The paths of the entries, in order. A path comes and goes with its entry under the map's lock of that path, so that no entry is ever
     * missed when what is below a directory is forgotten.
     */
    private final NavigableSet<String> paths = new ConcurrentSkipListSet<>();

    private final AtomicBoolean toldOfLeases = new AtomicBoolean();

    /** Counts changes, this client's and those that it is told of, so that an answer that was under way meanwhile is not kept. */
    private final AtomicLong changes = new AtomicLong();

    /** Names the NameNode's record of what is here: it tells of changes of what came with that record, and of nothing else. */
    private volatile long grantRecord;

    /** The record of the last reply that was taken over as a whole. */
    private volatile long settledRecord;

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
                .evictionListener(this::evicted)
                .build();
    }

    /** Called within the removal of the entry. */
    private void evicted(@Nullable String path, @Nullable KeptFile entry, RemovalCause cause) {
        if (path == null || entry == null) {
            return;
        }
        paths.remove(path);
        if (entry.isPrediction() && !entry.used.get()) {
            metrics.metadataWasted.incr();
            judge(entry);
        }
    }

    private void insert(String path, KeptFile entry) {
        entries.asMap().compute(path, (known, before) -> {
            paths.add(path);
            return entry;
        });
    }

    /** Forgets one file; returns whether it was here. */
    private boolean remove(String path) {
        boolean[] removed = {false};
        entries.asMap().computeIfPresent(path, (known, entry) -> {
            paths.remove(path);
            removed[0] = true;
            return null;
        });
        return removed[0];
    }

    private void removeAll() {
        for (String path : entries.asMap().keySet()) {
            remove(path);
        }
    }

    boolean has(String path) {
        return entries.asMap().containsKey(path);
    }

    /** Whether a file would be opened from here. */
    private boolean hasLive(String path) {
        KeptFile entry = entries.getIfPresent(path);
        return entry != null && (entry.grant == null || entry.grant.isLive());
    }

    /**
     * The entry that stands for what the NameNode would answer now, or null.
     *
     * <p>The entry is looked up twice, around the question for the lease. A recall makes the entry forgotten before the recall is
     * acknowledged. So an entry that is still here afterwards was not recalled when the lease was seen to last, and the NameNode had carried
     * out no change of the file by that moment, which lies within this open.
     */
    private @Nullable KeptFile usable(String path) {
        KeptFile entry = entries.getIfPresent(path);
        if (entry == null || entry.grant == null) {
            return entry;
        }
        return entry.grant.use() && entries.getIfPresent(path) == entry ? entry : null;
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
        KeptFile entry = usable(path);
        if (entry == null) {
            return null;
        }
        judgeOverdue();
        LocatedBlocksProto layout = entry.layout();
        if (layout == null) {
            remove(path);
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
        if (!has(path)) {
            return null;
        }
        KeptFile entry = usable(path);
        if (entry == null || entry.status == null) {
            return null;
        }
        HdfsFileStatusProto status = MessageBytes.parse(entry.status, HdfsFileStatusProto.parser());
        if (status == null) {
            remove(path);
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

    /**
     * A request with a note was sent, and nobody knows whether the NameNode has answered it. If it has, the lost reply has told of changes
     * that no other reply will tell of.
     */
    void unanswered(ClientNoteProto said) {
        clear();
        synchronized (hits) {
            for (int i = said.getHitsCount() - 1; i >= 0 && hits.size() < HITS_MAX; i--) {
                hits.addFirst(said.getHits(i));
            }
        }
    }

    /** Where the changes stand that this client knows of; to be asked before the NameNode is. */
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
        if (!isForbidden(note) && layout.getBlocksCount() > 0 && !layout.getUnderConstruction()) {
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
            removeAll();
        }
    }

    /** Whether the NameNode's operator forbids what this cache does under bounded consistency. */
    private boolean isForbidden(NameNodeNoteProto note) {
        if (note.getLeaseRequired() && toldOfLeases.compareAndSet(false, true)) {
            LOG.warn(
                    "The NameNode forbids {}=bounded; no layouts are kept. With strict they would be.",
                    ClientKeys.CONSISTENCY.name());
        }
        return note.getLeaseRequired();
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
        Map<String, KeptFile> taken = isForbidden(note) ? Map.of() : predicted(note, layouts);
        int group = lookahead.told(expected(taken));
        taken.forEach((path, entry) -> {
            begin(entry, group);
            put(path, entry, askedAt, note.getGrantRecord());
        });
        if (note.getAllInvalidated()) {
            clear();
        }
        settle(note);
        for (String path : note.getInvalidatedList()) {
            metrics.metadataInvalidated.incr();
            forgetAtAndBelow(path);
        }
        return unproven.told(layouts);
    }

    /** The layouts in one reply, before it is known which may be kept. Confined to the thread that got the reply. */
    static final class Layouts {
        private final Map<String, KeptFile> predicted;
        private final List<LocatedBlocksProto> warmed;
        private final @Nullable String opened;
        private final @Nullable KeptFile openedFile;

        private Layouts(
                Map<String, KeptFile> predicted,
                List<LocatedBlocksProto> warmed,
                @Nullable String opened,
                @Nullable KeptFile openedFile) {
            this.predicted = predicted;
            this.warmed = warmed;
            this.opened = opened;
            this.openedFile = openedFile;
        }
    }

    /**
     * Reads the layouts in a reply.
     *
     * @param path of the file that was asked for, or null
     * @param layout its layout, if that is granted
     */
    Layouts layouts(@Nullable String path, @Nullable LocatedBlocksProto layout, NameNodeNoteProto note) {
        List<LocatedBlocksProto> warmed = new ArrayList<>(note.getFilesCount());
        Map<String, KeptFile> predicted = predicted(note, warmed);
        boolean isKept = path != null && layout != null && isWorthKeeping(layout);
        return new Layouts(predicted, warmed, path, isKept && layout != null ? KeptFile.opened(layout) : null);
    }

    /** Keeps layouts under a lease; called with the lock of the lease's hub held. */
    void keep(Layouts layouts, Predicate<String> mayKeep, LayoutGrant grant) {
        int group = lookahead.told(expected(layouts.predicted));
        layouts.predicted.forEach((path, entry) -> {
            if (mayKeep.test(path)) {
                begin(entry, group);
                entry.grant = grant;
                insert(path, entry);
            }
        });
        String path = layouts.opened;
        KeptFile opened = layouts.openedFile;
        if (path != null && opened != null && mayKeep.test(path)) {
            opened.grant = grant;
            insert(path, opened);
        }
    }

    /** The layouts of files whose data is to be made resident now that they are kept. */
    List<LocatedBlocksProto> kept(Layouts layouts) {
        return unproven.told(layouts.warmed);
    }

    /** Keeps the layout of a file that never changes. */
    void keepImmutable(String path, LocatedBlocksProto layout, long askedAt) {
        if (isWorthKeeping(layout)) {
            put(path, KeptFile.opened(layout), askedAt, grantRecord);
        }
    }

    private static boolean isWorthKeeping(LocatedBlocksProto layout) {
        return layout.getBlocksCount() > 0 && !layout.getUnderConstruction();
    }

    private Map<String, KeptFile> predicted(NameNodeNoteProto note, List<LocatedBlocksProto> layouts) {
        Map<String, KeptFile> predicted = new LinkedHashMap<>();
        for (PredictedFileProto file : note.getFilesList()) {
            if (file.hasPath() && !predicted.containsKey(file.getPath())) {
                KeptFile entry = entry(file, layouts);
                if (entry != null) {
                    predicted.put(file.getPath(), entry);
                }
            }
        }
        return predicted;
    }

    private static int expected(Map<String, KeptFile> predicted) {
        int expected = 0;
        for (KeptFile entry : predicted.values()) {
            expected += entry.confidenceClass == Usefulness.LISTED ? 0 : 1;
        }
        return expected;
    }

    /** A predicted file comes to be kept. */
    private void begin(KeptFile entry, int group) {
        metrics.metadataPredicted.incr();
        entry.group = entry.confidenceClass == Usefulness.LISTED ? 0 : group;
        await(entry);
    }

    /** A reply that was sent before this one and comes after it may bring what has changed meanwhile: none under way is kept. */
    private void settle(NameNodeNoteProto note) {
        if (note.getInvalidatedCount() > 0 || note.getGrantRecord() != settledRecord) {
            settledRecord = note.getGrantRecord();
            changes.incrementAndGet();
        }
    }

    /** The entry of a file that is not here yet, or null; its layout is added to the others. */
    private @Nullable KeptFile entry(PredictedFileProto file, List<LocatedBlocksProto> layouts) {
        int confidenceClass = file.getConfidenceClass();
        if (confidenceClass < 0 || confidenceClass >= Usefulness.CLASSES || hasLive(file.getPath())) {
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
            insert(path, entry);
            if (changes.get() != askedAt || grantRecord != record) {
                remove(path);
            }
        }
    }

    /** This client has changed a file, or a directory and so what is below it. */
    void changed(String path) {
        changes.incrementAndGet();
        forgetAtAndBelow(path);
    }

    @Override
    public int forget(String path) {
        changes.incrementAndGet();
        return forgetAtAndBelow(path);
    }

    @Override
    public int forgetGrantedBy(LeaseHub hub) {
        int forgotten = 0;
        for (Map.Entry<String, KeptFile> known : entries.asMap().entrySet()) {
            LayoutGrant grant = known.getValue().grant;
            if (grant != null && grant.isOf(hub) && remove(known.getKey())) {
                forgotten++;
            }
        }
        return forgotten;
    }

    /** Forgets a file of which the NameNode could not be asked again. */
    void drop(String path) {
        remove(path);
    }

    /** An entry turned out not to be true any more. */
    void stale(String path) {
        if (remove(path)) {
            metrics.metadataStale.incr();
        }
    }

    private int forgetAtAndBelow(String path) {
        String root = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        int forgotten = remove(root) ? 1 : 0;
        for (String below : paths.subSet(root + '/', root + (char) ('/' + 1))) {
            forgotten += remove(below) ? 1 : 0;
        }
        return forgotten;
    }

    /** Forgets everything. */
    void clear() {
        changes.incrementAndGet();
        removeAll();
    }
}

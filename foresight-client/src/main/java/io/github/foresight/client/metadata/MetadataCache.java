/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.github.benmanes.caffeine.cache.Ticker;
import io.github.foresight.client.lease.LayoutGrant;
import io.github.foresight.client.lease.LeaseHub;
import io.github.foresight.client.lease.LeasedCache;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.graph.NextGroupTrigger;
import io.github.foresight.core.graph.PredictionRequestPolicy;
import io.github.foresight.core.graph.StatusRequestPolicy;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.note.MessageBytes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cached layouts of one file system object, and so of one user (Nexus, section 4.4): what opens are answered from, what replies
 * bring, and what changes take away.
 *
 * <pre>
 *   open, status ── CachedFiles: is it here, and does its lease last? ── CachedOpen
 *   reply ───────── ReplyLayouts: what is worth caching ─┬─ strict: what the lease's hub allows ─┬─ CachedFiles
 *                                                        └─ bounded: what KnownChanges allows ───┘
 *   request ─────── note: ServedOpens and PredictionOutcomes, which the NameNode cannot see
 *   change, recall ─ CachedFiles and KnownChanges: forget a path and all below it
 * </pre>
 *
 * <p>Under strict consistency a layout stands under a lease, unless its file is below an immutable path, and is used only while that
 * lasts. Under bounded consistency the NameNode names changes in its replies, and a layout is used until its age is over. Bounded
 * as its parts are. Thread-safe.
 */
public final class MetadataCache implements LeasedCache {

    private static final Logger LOG = LoggerFactory.getLogger(MetadataCache.class);

    private final ClientSettings settings;
    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final long cacheId = new SecureRandom().nextLong();
    private final PredictionOutcomes outcomes = new PredictionOutcomes();
    private final CachedFiles files;
    private final KnownChanges changes = new KnownChanges();
    private final ServedOpens served = new ServedOpens();
    private final PredictionRequestPolicy attention = new PredictionRequestPolicy();
    private final StatusRequestPolicy statuses = new StatusRequestPolicy();
    private final NextGroupTrigger lookahead = new NextGroupTrigger();
    private final HeldPrefetchGroup heldGroup;
    private final AtomicInteger opensLeft = new AtomicInteger();
    private final AtomicBoolean leaseRequirementLogged = new AtomicBoolean();

    /**
     * An empty cache.
     *
     * @param isWaiting whether this process waits for the data of files, so that predicted files' data is worth a hint
     */
    public MetadataCache(ClientSettings settings, Ticker ticker, BooleanSupplier isWaiting) {
        this(settings, ticker, isWaiting, ProcessBytes.INSTANCE);
    }

    /** One of several caches that share a limit. */
    MetadataCache(ClientSettings settings, Ticker ticker, BooleanSupplier isWaiting, ProcessBytes process) {
        this.settings = settings;
        this.heldGroup = new HeldPrefetchGroup(isWaiting);
        this.files = new CachedFiles(settings, ticker, outcomes, process);
    }

    // Opens and statuses

    /** Whether a file is here, whether or not it may still be used. */
    public boolean has(String path) {
        return files.has(path);
    }

    /** The answer to an open, or null if the NameNode must be asked. */
    @Nullable
    public CachedOpen layoutToOpen(String path) {
        CachedFile file = files.usable(path);
        if (file == null) {
            return null;
        }
        outcomes.opening();
        LocatedBlocksProto layout = file.layout();
        if (layout == null) {
            unreadable(path);
            return null;
        }
        metrics.metadataHits.incr();
        files.opened(path);
        boolean isLearned = file.openLearned();
        if (!isLearned) {
            attention.served();
        }
        boolean lookingAhead =
                outcomes.opened(file) && settings.get(ClientKeys.METADATA_AHEAD_ENABLED) && lookahead.used(file.group);
        served.add(file.firstBlock, isLearned);
        return new CachedOpen(
                layout,
                lookingAhead,
                file.isPrediction() ? heldGroup.releaseOnHit(file.firstBlock) : Collections.emptyList());
    }

    /** A file is opened that is not here. Whether the NameNode should be asked for predictions when it is asked for that one. */
    public boolean missed() {
        outcomes.opening();
        metrics.metadataMisses.incr();
        return attention.recordMiss();
    }

    /** A file is opened at the NameNode. Whether this open is one of the first, which carry no note and are not cached; counts them. */
    public boolean isLeftToHdfs() {
        int after = settings.get(ClientKeys.METADATA_AFTER);
        return opensLeft.get() < after && opensLeft.getAndIncrement() < after;
    }

    /** A file is opened, wherever its layout comes from. */
    public void opening(String path) {
        statuses.opened(path.hashCode());
    }

    /** A file's status is asked for. Whether its layout is to be asked for as well if the NameNode is asked, as opens follow statuses. */
    public boolean statusAsked(String path) {
        return statuses.statusAsked(path.hashCode());
    }

    /** A file's status, or null if the NameNode must be asked. */
    @Nullable
    public HdfsFileStatusProto status(String path) {
        if (!has(path)) {
            return null;
        }
        CachedFile file = files.usable(path);
        if (file == null || file.status == null) {
            return null;
        }
        HdfsFileStatusProto status = MessageBytes.parse(file.status, HdfsFileStatusProto.parser());
        if (status == null) {
            unreadable(path);
        }
        return status;
    }

    private void unreadable(String path) {
        files.remove(path);
        metrics.internalErrors.incr();
    }

    // Requests

    /** The note of a request for a file's status and layout, with predictions only where they have been of use. */
    public ClientNoteProto.Builder noteOfStatus() {
        ClientNoteProto.Builder note = note();
        return attention.recordMiss() ? note : note.setFilesWanted(0);
    }

    /** The note of the next request: the opens from memory, and the outcomes of predictions. */
    public ClientNoteProto.Builder note() {
        ClientNoteProto.Builder note = ClientNoteProto.newBuilder()
                .setCacheId(cacheId)
                .setFilesWanted(settings.get(ClientKeys.METADATA_FILES_MAX))
                .setStatusWanted(settings.servesStatuses())
                .setMaxAgeMillis(
                        Math.toIntExact(settings.get(ClientKeys.METADATA_AGE).toMillis()));
        served.moveTo(note);
        if (outcomes.isAwaiting()) {
            files.expire();
        }
        outcomes.moveTo(note);
        return note;
    }

    /**
     * A request with a note was sent, and nobody knows whether the NameNode has answered it. If it has, the lost reply named changes that
     * no other reply will name.
     */
    public void restoreNote(ClientNoteProto note) {
        clear();
        served.takeBack(note);
    }

    // Replies under strict consistency

    /**
     * Reads the layouts in a reply.
     *
     * @param path of the file that was opened, or null
     * @param layout its layout, if that is granted
     */
    public ReplyLayouts layouts(@Nullable String path, @Nullable LocatedBlocksProto layout, NameNodeNoteProto note) {
        ReplyLayouts layouts = ReplyLayouts.predictedIn(note, files::renewIfLive);
        if (path != null && layout != null) {
            layouts.addOpened(path, layout);
        }
        return layouts;
    }

    /** Caches layouts under a lease; called with the lock of the lease's hub held. */
    public void keep(ReplyLayouts layouts, Predicate<String> mayKeep, LayoutGrant grant) {
        int group = lookahead.granted(layouts.expected());
        layouts.predicted().forEach((path, file) -> {
            if (mayKeep.test(path)) {
                begin(file, group);
                file.grant = grant;
                files.put(path, file);
            }
        });
        String path = layouts.askedPath();
        CachedFile asked = layouts.asked();
        if (path != null && asked != null && mayKeep.test(path)) {
            asked.grant = grant;
            files.put(path, asked);
        }
    }

    /** The layouts of files whose data is to be made resident now that they are cached. */
    public List<PredictedLayout> kept(ReplyLayouts layouts) {
        return heldGroup.admit(layouts.predictedLayouts());
    }

    /** Caches the layout of a file that never changes. */
    public void keepImmutable(String path, LocatedBlocksProto layout, long askedAt) {
        if (ReplyLayouts.isWorthCaching(layout)) {
            putUnlessChanged(path, CachedFile.opened(layout), askedAt, changes.record());
        }
    }

    /** A predicted file comes to be cached. */
    private void begin(CachedFile file, int group) {
        metrics.metadataPredicted.incr();
        file.group = file.isListed() ? 0 : group;
        outcomes.await(file);
    }

    // Replies under bounded consistency

    /** Where the changes stand that this client knows of; to be asked before the NameNode is. */
    public long position() {
        return changes.position();
    }

    /**
     * The NameNode has opened a file for this client; cached only if the reply has a note, for only then does the NameNode name changes.
     *
     * @param note the NameNode's note in the reply; to be {@linkplain #take taken} next
     * @param askedAt the position before it was asked
     */
    public void answered(String path, LocatedBlocksProto layout, NameNodeNoteProto note, long askedAt) {
        follow(note);
        if (!isForbidden(note) && ReplyLayouts.isWorthCaching(layout)) {
            putUnlessChanged(path, CachedFile.opened(layout), askedAt, note.getGrantRecord());
        }
    }

    /**
     * Applies the NameNode's note in a reply.
     *
     * @param askedAt the position before it was asked
     * @return the layouts of files that are new here and whose data is to be made resident now
     */
    public List<PredictedLayout> take(NameNodeNoteProto note, long askedAt) {
        follow(note);
        ReplyLayouts layouts =
                isForbidden(note) ? ReplyLayouts.none() : ReplyLayouts.predictedIn(note, files::renewIfLive);
        int group = lookahead.granted(layouts.expected());
        layouts.predicted().forEach((path, file) -> {
            begin(file, group);
            putUnlessChanged(path, file, askedAt, note.getGrantRecord());
        });
        forgetChanged(note);
        return heldGroup.admit(layouts.predictedLayouts());
    }

    private void follow(NameNodeNoteProto note) {
        if (changes.follow(note.getGrantRecord())) {
            files.removeAll();
        }
    }

    /** Whether the NameNode's operator forbids what this cache does under bounded consistency. */
    private boolean isForbidden(NameNodeNoteProto note) {
        if (note.getLeaseRequired() && leaseRequirementLogged.compareAndSet(false, true)) {
            LOG.warn(
                    "The NameNode forbids {}=bounded, so this client caches no layouts; use strict",
                    ClientKeys.CONSISTENCY.name());
        }
        return note.getLeaseRequired();
    }

    private void putUnlessChanged(String path, CachedFile file, long askedAt, long record) {
        if (changes.isNoneSince(askedAt)) {
            files.put(path, file);
            if (!changes.isNoneSince(askedAt, record)) {
                files.remove(path);
            }
        }
    }

    private void forgetChanged(NameNodeNoteProto note) {
        if (note.getAllInvalidated()) {
            clear();
        }
        changes.settle(note);
        for (String path : note.getInvalidatedList()) {
            metrics.metadataInvalidated.incr();
            files.removeAtAndBelow(path);
        }
    }

    // Changes and recalls

    @Override
    public int forget(String path) {
        changes.add();
        return files.removeAtAndBelow(path);
    }

    @Override
    public int forgetGrantedBy(LeaseHub hub) {
        return files.removeGrantedBy(hub);
    }

    /** Forgets a file of which the NameNode could not be asked again. */
    public void drop(String path) {
        files.remove(path);
    }

    /** A layout turned out not to be true any more. */
    public void stale(String path) {
        if (files.remove(path)) {
            metrics.metadataStale.incr();
        }
    }

    /** Forgets everything. */
    public void clear() {
        changes.add();
        files.removeAll();
    }
}

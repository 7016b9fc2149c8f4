/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.prefetch;

import static java.util.Collections.singletonList;

import io.github.foresight.core.graph.NumberedSibling;
import io.github.foresight.core.graph.PrefetchGroup;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.namenode.audit.GrantLog;
import io.github.foresight.namenode.audit.OpenTrail;
import io.github.foresight.namenode.balance.ReplicaBalancer;
import io.github.foresight.namenode.change.Invalidations;
import io.github.foresight.namenode.change.Invalidations.CacheQueue;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.client.ClientSession;
import io.github.foresight.namenode.client.UsefulnessByUser;
import io.github.foresight.namenode.guard.Feature;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.layout.LayoutMessages;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.lease.LeasedRequest;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.path.NamespacePath;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.ReadableFile;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Refusal;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Wanted;
import org.jspecify.annotations.Nullable;

/**
 * Builds the note beside HDFS's answer: the prefetch group, and the invalidations of entries that were granted before. Thread-safe;
 * nothing here waits for a disk or another process.
 */
public final class PrefetchReplies {

    private static final int SIBLINGS_AT_ONCE = 4;

    /** Bytes of a path's field number and length in a note. */
    private static final int FRAME_BYTES = Invalidations.FRAME_BYTES;

    private final NameNodeSettings settings;
    private final Features features;
    private final AccessLearner learner;
    private final Invalidations invalidations;
    private final NamespaceReader namespace;
    private final ReplicaBalancer balancer;
    private final LayoutMessages messages;
    private final GrantLog grantLog;
    private final OpenTrail trail;
    private final NameNodeMetrics metrics;

    private final ClientReports reports;
    private final UsefulnessByUser usefulness;
    private final StockClientHints stockHints;

    public PrefetchReplies(
            NameNodeSettings settings,
            Features features,
            AccessLearner learner,
            Invalidations invalidations,
            NamespaceReader namespace,
            ReplicaBalancer balancer,
            LayoutMessages messages,
            GrantLog grantLog,
            OpenTrail trail,
            StockClientHints stockHints,
            NameNodeMetrics metrics) {
        this.settings = settings;
        this.features = features;
        this.learner = learner;
        this.invalidations = invalidations;
        this.namespace = namespace;
        this.balancer = balancer;
        this.messages = messages;
        this.grantLog = grantLog;
        this.trail = trail;
        this.stockHints = stockHints;
        this.reports = new ClientReports(learner, trail, metrics);
        this.usefulness = new UsefulnessByUser(settings);
        this.metrics = metrics;
    }

    /** A request with a client's note, and the note of its reply. */
    private final class Conversation {
        final Caller caller;
        final ClientNoteProto note;
        final NameNodeNoteProto.Builder reply = NameNodeNoteProto.newBuilder();
        final long nowNanos;
        final Usefulness useful;

        /** The position before any entry of the reply was read. */
        final long readAt;

        /** Null for a client with a lease: its layouts are recalled instead. */
        final @Nullable CacheQueue changes;

        final @Nullable LeasedRequest leased;

        Conversation(Caller caller, ClientNoteProto note, @Nullable LeasedRequest leased, long readAt, long nowNanos) {
            this.caller = caller;
            this.note = note;
            this.readAt = readAt;
            this.nowNanos = nowNanos;
            this.useful = usefulness.of(caller);
            this.leased = leased;
            this.changes = !note.hasLease() && features.isOn(Feature.INVALIDATE)
                    ? invalidations.queue(note.getCacheId(), caller.user())
                    : null;
            if (!note.hasLease() && settings.get(NameNodeKeys.LEASE_REQUIRED)) {
                reply.setLeaseRequired(true);
            }
        }

        /** Whether the client may cache granted layouts: under its lease, or for a limited time if no lease is required. */
        boolean isKeeping() {
            return note.hasLease() ? leased != null : !settings.get(NameNodeKeys.LEASE_REQUIRED);
        }

        /** Grants the layout of a file of this reply under the client's lease. Returns whether the client may keep it. */
        boolean grantUnderLease(String path) {
            return leased == null || leased.grantRead(path);
        }

        long keptNanos() {
            return TimeUnit.MILLISECONDS.toNanos(note.getMaxAgeMillis());
        }

        /**
         * Registers an entry of this reply for invalidations. Returns false if that fails; the client must not keep the entry
         * then.
         */
        boolean registerGrant(String path) {
            return changes == null || invalidations.grant(changes, path, keptNanos(), readAt, nowNanos);
        }

        /** Registers the opened file. If that fails, the reply invalidates the file at once. */
        void opened(String path) {
            if (!registerGrant(path)) {
                reply.addInvalidated(path);
            }
        }

        /** How many bytes of the reply its invalidations and the asked file's layout leave. */
        private long bytesBeside() {
            long stated = reply.hasStated() ? reply.getStated().getSerializedSize() : 0;
            return settings.get(NameNodeKeys.GROUP_BYTES_MAX) - invalidatedBytes(reply) - stated;
        }

        /** How many bytes of the reply are left for predictions. */
        long bytesLeft() {
            long most = bytesBeside();
            return changes == null ? most : most - Math.min(most, changes.pendingBytes());
        }

        /**
         * Adds the invalidations. Called once, as the last step, because changes that are taken and not sent are lost. If the reply
         * exceeds the size limit of a note, it invalidates all entries instead, the files of this reply included.
         */
        NameNodeNoteProto.Builder end() {
            if (changes != null) {
                changes.moveTo(reply);
            }
            long left = bytesBeside();
            for (PredictedFileProto file : reply.getFilesList()) {
                left -= file.getSerializedSize();
            }
            if (left < 0) {
                reply.setAllInvalidated(true);
                metrics.invalidationsOverflowed.incr();
            }
            if (reply.getAllInvalidated()) {
                reply.clearInvalidated().clearFiles().clearStated();
            }
            return reply;
        }
    }

    private static long invalidatedBytes(NameNodeNoteProto.Builder reply) {
        long bytes = 0;
        for (int i = 0; i < reply.getInvalidatedCount(); i++) {
            bytes += FRAME_BYTES + reply.getInvalidatedBytes(i).size();
        }
        return bytes;
    }

    /**
     * A client has opened a file.
     *
     * @param caller the client
     * @param path as it asked for it
     * @param blocks HDFS's answer, with at least one block, of a file that is complete
     * @param note the client's note, or null if it is stock
     * @param leased the client's lease, or null
     * @param readAt the {@linkplain Invalidations#position() position} before HDFS's answer was read
     * @return the note to reply with, or null for none
     */
    public NameNodeNoteProto.@Nullable Builder opened(
            Caller caller,
            String path,
            LocatedBlocks blocks,
            @Nullable ClientNoteProto note,
            @Nullable LeasedRequest leased,
            long readAt)
            throws IOException {
        long now = System.nanoTime();
        ClientSession session = learner.session(caller, now);
        long file = firstBlock(blocks);
        if (note == null) {
            if (features.isOn(Feature.HINT)) {
                features.run(Feature.HINT, () -> stockHints.opened(caller, session, file, blocks, now));
            } else {
                learner.recordLater(session, file, now);
            }
            return null;
        }
        Conversation conversation = new Conversation(caller, note, leased, readAt, now);
        conversation.opened(path);
        session.used(reports.learnOutcomes(conversation.useful, session, note));
        reports.recordHits(caller, session, note, now);
        session.openedForItself(file);
        learn(conversation, session, file, path);
        learner.weigh(caller, session);
        return conversation.end();
    }

    private void learn(Conversation conversation, ClientSession session, long file, String path) {
        // Twice the size of a group: the client already has, or may not read, some of the files.
        PrefetchGroup group = new PrefetchGroup(Math.max(1, 2 * settings.get(NameNodeKeys.GROUP_SIZE)));
        learner.record(session, file, conversation.nowNanos, conversation.useful, group);
        features.run(Feature.PREFETCH, () -> {
            namespace.opened(conversation.caller.user(), path);
            predict(conversation, session, group, path);
        });
    }

    /**
     * A client has asked for the status of a file that it is about to open. If its layout is granted, the open is learned now, and
     * predictions come with it; the client reports the open itself for the trail.
     *
     * @param path of a file with content
     */
    public NameNodeNoteProto.Builder stated(
            Caller caller, String path, ClientNoteProto note, @Nullable LeasedRequest leased, long readAt)
            throws IOException {
        Conversation conversation = new Conversation(caller, note, leased, readAt, System.nanoTime());
        ClientSession session = learner.session(caller, conversation.nowNanos);
        session.used(reports.learnOutcomes(conversation.useful, session, note));
        reports.recordHits(caller, session, note, conversation.nowNanos);
        // A path in another form would tell the caller the plain one, which the caller need not know.
        if (conversation.isKeeping()
                && path.equals(NamespacePath.of(path))
                && namespace.isServing()
                && namespace.filesAtPriority(1) > 0) {
            Granted granted =
                    grant(conversation, Feature.BUNDLE, path, singletonList(Wanted.asked(path)), 1, file -> file.path()
                            .equals(path));
            if (!granted.files.isEmpty()) {
                conversation.reply.setStated(granted.files.get(0));
                metrics.stated.incr();
                long file = granted.firstBlocks.get(0);
                session.openedForItself(file);
                learn(conversation, session, file, path);
            }
        }
        learner.weigh(caller, session);
        return conversation.end();
    }

    /**
     * A client has sent reports with a request whose reply has no note.
     */
    public void reported(Caller caller, ClientNoteProto note) throws IOException {
        long now = System.nanoTime();
        reports.recordHits(caller, learner.session(caller, now), note, now);
    }

    /** A file that is known by its first block. */
    private static long firstBlock(LocatedBlocks blocks) {
        return blocks.get(0).getBlock().getBlockId();
    }

    private void predict(Conversation conversation, ClientSession session, PrefetchGroup group, String path)
            throws IOException {
        int allowance = session.allowance();
        if (allowance == 0) {
            metrics.heldBack.incr();
        }
        int wished = Math.min(
                allowance, Math.min(settings.get(NameNodeKeys.GROUP_SIZE), conversation.note.getFilesWanted()));
        if (wished <= 0 || !conversation.isKeeping() || !namespace.isServing()) {
            return;
        }
        int most = namespace.filesAtPriority(wished);
        if (most == 0) {
            return;
        }
        List<Wanted> wanted = chosen(conversation, session, group, 2 * most);
        if (wanted.isEmpty() && group.size() == 0 && features.isOn(Feature.SIBLINGS)) {
            wanted = siblings(conversation, path);
        }
        add(conversation, session, grant(conversation, Feature.PREFETCH, path, wanted, most, file -> {
            long firstBlock = firstBlock(file.blocks());
            if (session.mayHold(firstBlock, conversation.nowNanos)) {
                metrics.repeated.incr();
                return false;
            }
            session.noteHeld(firstBlock, conversation.nowNanos + conversation.keptNanos());
            return true;
        }));
    }

    private List<Wanted> chosen(Conversation conversation, ClientSession session, PrefetchGroup group, int most) {
        List<Wanted> wanted = new ArrayList<>(most);
        metrics.predicted.incr(group.size());
        for (int rank = 0; rank < group.size() && wanted.size() < most; rank++) {
            long file = session.file(group.file(rank));
            int confidenceClass = Usefulness.classOf(group.confidence(rank));
            if (session.mayHold(file, conversation.nowNanos)) {
                metrics.repeated.incr();
            } else if (conversation.useful.admit(confidenceClass)) {
                wanted.add(Wanted.byFirstBlock(file, confidenceClass));
            } else {
                metrics.heldBack.incr();
            }
        }
        return wanted;
    }

    private List<Wanted> siblings(Conversation conversation, String path) {
        List<Wanted> siblings = new ArrayList<>();
        String next = NumberedSibling.after(path);
        while (next != null && siblings.size() < SIBLINGS_AT_ONCE) {
            if (!conversation.useful.admit(Usefulness.SIBLING)) {
                metrics.heldBack.incr();
                return siblings;
            }
            siblings.add(Wanted.byPath(next, Usefulness.SIBLING));
            next = NumberedSibling.after(next);
        }
        return siblings;
    }

    /** Takes a file into the reply, or leaves it out. */
    @FunctionalInterface
    private interface Choice {
        boolean take(ReadableFile file);
    }

    /** Files that the client is granted, for the reply, and their first blocks' ids in the same order. */
    private static final class Granted {
        final List<PredictedFileProto> files = new ArrayList<>();
        final List<Long> firstBlocks = new ArrayList<>();
    }

    /** Grants files; they are in the log of grants then. */
    private Granted grant(
            Conversation conversation, Feature feature, String source, List<Wanted> wanted, int most, Choice choice)
            throws IOException {
        if (wanted.isEmpty()) {
            return new Granted();
        }
        List<ReadableFile> files = new ArrayList<>(wanted.size());
        namespace.read(
                wanted,
                settings.get(NameNodeKeys.GROUP_BLOCKS_MAX),
                conversation.note.getStatusWanted(),
                new FoundFiles(feature, files::add, features, metrics));
        Granted granted = new Granted();
        List<String> paths = new ArrayList<>(most);
        long bytesLeft = conversation.bytesLeft();
        for (ReadableFile file : files) {
            if (granted.files.size() == most || bytesLeft <= 0) {
                break;
            }
            if (conversation.grantUnderLease(file.path()) && choice.take(file)) {
                PredictedFileProto proto = describedOrLeftOut(feature, file, conversation.caller.address());
                bytesLeft -= proto == null ? 0 : proto.getSerializedSize();
                if (proto != null && bytesLeft >= 0 && conversation.registerGrant(file.path())) {
                    granted.files.add(proto);
                    granted.firstBlocks.add(firstBlock(file.blocks()));
                    paths.add(file.path());
                }
            }
        }
        if (granted.files.isEmpty()) {
            return granted;
        }
        if (!trail.hasRoom(conversation.caller.user())
                || !grantLog.log(conversation.caller, feature.label(), source, paths)) {
            metrics.refusedUnaudited.incr();
            return new Granted();
        }
        return granted;
    }

    private void add(Conversation conversation, ClientSession session, Granted granted) {
        granted.firstBlocks.forEach(session::granted);
        conversation.reply.addAllFiles(granted.files);
        for (PredictedFileProto file : granted.files) {
            if (file.getConfidenceClass() == Usefulness.LISTED) {
                metrics.bundled.incr();
            } else {
                metrics.returned.incr();
            }
            if (file.getConfidenceClass() == Usefulness.SIBLING) {
                metrics.siblings.incr();
            }
        }
    }

    /** A file's failure costs the reply that file alone, and counts as one of the feature's. */
    private @Nullable PredictedFileProto describedOrLeftOut(Feature feature, ReadableFile file, String address) {
        try {
            return proto(file, address);
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // HDFS reports what it does not expect by AssertionError, too
            features.failed(feature, e);
            metrics.refused(Refusal.FAILED);
            return null;
        }
    }

    private PredictedFileProto proto(ReadableFile file, String address) {
        LocatedBlocks blocks = file.blocks();
        namespace.sort(address, blocks);
        features.run(Feature.BALANCE, () -> balancer.order(blocks, address, ReplicaBalancer.Use.LATER));
        PredictedFileProto.Builder proto = PredictedFileProto.newBuilder()
                .setPath(file.path())
                .setConfidenceClass(file.wanted().confidenceClass())
                .setLocations(messages.of(blocks).toByteString());
        if (file.status() != null) {
            proto.setStatus(PBHelperClient.convert(file.status()).toByteString());
        }
        return proto.build();
    }

    /**
     * A client has listed a directory and wants the layouts of the files in it.
     *
     * @param children paths of files in the listing, in its order
     */
    public NameNodeNoteProto.Builder listed(
            Caller caller,
            String directory,
            List<String> children,
            ClientNoteProto note,
            @Nullable LeasedRequest leased,
            long readAt)
            throws IOException {
        long now = System.nanoTime();
        Conversation conversation = new Conversation(caller, note, leased, readAt, now);
        ClientSession session = learner.session(caller, now);
        reports.learnOutcomes(conversation.useful, session, note);
        reports.recordHits(caller, session, note, now);
        int wished = Math.min(settings.get(NameNodeKeys.BUNDLE_FILES_MAX), note.getFilesWanted());
        boolean due = wished > 0
                && conversation.isKeeping()
                && namespace.isServing()
                && conversation.useful.admit(Usefulness.LISTED);
        int most = due ? namespace.filesAtPriority(wished) : 0;
        if (most > 0) {
            List<Wanted> wanted = new ArrayList<>(most);
            for (String child : children.subList(0, Math.min(most, children.size()))) {
                wanted.add(Wanted.byPath(child, Usefulness.LISTED));
            }
            add(conversation, session, grant(conversation, Feature.BUNDLE, directory, wanted, most, file -> true));
        }
        learner.weigh(caller, session);
        return conversation.end();
    }
}

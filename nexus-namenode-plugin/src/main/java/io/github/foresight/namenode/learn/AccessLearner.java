/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.learn;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.hash.Hashing;
import com.google.common.primitives.Ints;
import io.github.foresight.core.graph.ClientHistory;
import io.github.foresight.core.graph.PackedGraph;
import io.github.foresight.core.graph.Predictor;
import io.github.foresight.core.graph.PrefetchGroup;
import io.github.foresight.core.graph.RecentFiles;
import io.github.foresight.core.graph.SuccessorGraph;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.client.ClientSession;
import io.github.foresight.namenode.scratch.ScratchPool;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * Learns from the opens of all clients and predicts from them. The id of a file's first block identifies the file. The answer to an
 * open contains this id, so that learning needs no lookup. Thread-safe: only opens of one client wait for one another.
 */
public final class AccessLearner {

    private static final double FILES_SHARE = 1.0 / 3;
    private static final int REMEMBERED_SHARE = 8;

    /**
     * A client may pause for longer than its window and report its earlier opens afterwards. The session must exist then, because
     * it proves which files the client may report.
     */
    private static final Duration SESSION_IDLE = Duration.ofHours(1);

    private final NameNodeSettings settings;
    private final PackedGraph files;
    private final PackedGraph pairs;
    private final Cache<Object, ClientSession> sessions;
    private final ScratchPool<Predictor> predictors;
    private final PendingOpens pending = new PendingOpens(this::recordNow, this::recorded);
    private final LongConsumer opens;
    private final LongAdder changes = new LongAdder();

    /** How long a session is used without a lookup. This is a small part of the idle time, so that a session in use never expires. */
    private final long rememberedNanos;

    /** Secret: a client that knew the seed could report a file that collides with a granted file in {@link RecentFiles}. */
    private final long seed = new SecureRandom().nextLong();

    private volatile int clears;

    /**
     * Makes a learner with empty graphs.
     *
     * @param opens counts opens that reached the NameNode, when they are learned from
     */
    public AccessLearner(NameNodeSettings settings, LongConsumer opens) {
        this.settings = settings;
        this.opens = opens;
        long capacity = settings.get(NameNodeKeys.GRAPH_CAPACITY);
        long ofFiles = Math.round(capacity * FILES_SHARE);
        this.files = new PackedGraph(ofFiles, settings.ofFiles());
        this.pairs = new PackedGraph(capacity - ofFiles, settings.ofPairs());
        long sessionsBytes = settings.get(NameNodeKeys.CLIENTS_CAPACITY);
        // The least weight of a session limits the number of sessions to CLIENTS_MAX.
        int lightest = Ints.saturatedCast(sessionsBytes / settings.get(NameNodeKeys.CLIENTS_MAX) + 1);
        this.sessions = Caffeine.newBuilder()
                .maximumWeight(sessionsBytes)
                .weigher((Object identity, ClientSession session) -> Math.max(lightest, session.bytes()))
                .expireAfterAccess(longer(settings.get(NameNodeKeys.WINDOW_IDLE_TIME), SESSION_IDLE))
                .executor(Runnable::run)
                .build();
        this.rememberedNanos = settings.get(NameNodeKeys.WINDOW_IDLE_TIME).toNanos() / REMEMBERED_SHARE;
        this.predictors = new ScratchPool<>(this::predictor);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private Predictor predictor() {
        return new Predictor(
                files,
                pairs,
                settings.weights(),
                settings.get(NameNodeKeys.GROUP_THRESHOLD),
                true,
                settings.get(NameNodeKeys.GROUP_CHAINS));
    }

    /**
     * The session of a client that makes an RPC. It is remembered with the caller, and looked up only from time to time, so that it is
     * known to be in use.
     */
    public ClientSession session(Caller caller, long nowNanos) {
        Caller.Remembered known = caller.remembered();
        if (known != null && known.isOf(clears) && nowNanos - known.sinceNanos() < rememberedNanos) {
            return known.session();
        }
        int clearsBefore = clears;
        ClientSession session = lookedUp(caller);
        weigh(caller, session);
        caller.remember(new Caller.Remembered(session, clearsBefore, nowNanos));
        return session;
    }

    private ClientSession lookedUp(Caller caller) {
        return sessions.get(
                caller.identity(),
                unused -> new ClientSession(
                        scope(caller),
                        new ClientHistory(
                                settings.get(NameNodeKeys.WINDOW),
                                settings.get(NameNodeKeys.WINDOW_IDLE_TIME).toNanos(),
                                owner(caller)),
                        settings.get(NameNodeKeys.GROUP_USEFUL),
                        new RecentFiles(settings.get(NameNodeKeys.CLIENT_FILES_MAX), seed)));
    }

    /** Updates the weight of a session in the table if the session has grown. This happens a few times in the life of a session. */
    public void weigh(Caller caller, ClientSession session) {
        if (session.noteGrowth()) {
            sessions.asMap().replace(caller.identity(), session, session);
        }
    }

    /** How much heap the sessions take, bytes. */
    public long sessionBytes() {
        return sessions.policy()
                .eviction()
                .map(eviction -> eviction.weightedSize().orElse(0))
                .orElse(0L);
    }

    /** The account that pays for the graph entries of the caller's opens. */
    private static int owner(Caller caller) {
        return 1 + Math.floorMod(caller.user().hashCode(), SuccessorGraph.OWNERS_MAX);
    }

    /** The graph scope of a caller: a number that is the same after a restart. */
    private long scope(Caller caller) {
        switch (settings.get(NameNodeKeys.GRAPH_SCOPE)) {
            case USER:
                return Hashing.farmHashFingerprint64()
                        .hashString(caller.user(), StandardCharsets.UTF_8)
                        .asLong();
            case ADDRESS:
                return Hashing.farmHashFingerprint64()
                        .hashString(caller.address(), StandardCharsets.UTF_8)
                        .asLong();
            default:
                return 0;
        }
    }

    /**
     * Records the open of a client that wants no predictions, soon.
     *
     * @param file by its first block's id
     */
    public void recordLater(ClientSession session, long file, long nowNanos) {
        pending.add(session, file, nowNanos);
    }

    private void recorded(long count) {
        opens.accept(count);
        changes.add(count);
    }

    private void recordNow(ClientSession session, long[] opened, long[] nanos, int count) {
        Predictor predictor = predictors.borrow();
        try {
            session.opened(predictor, opened, nanos, count);
        } finally {
            predictors.giveBack(predictor);
        }
    }

    /**
     * Records opens that the client served from a cached layout, without a NameNode request.
     *
     * @param opened by their first blocks' ids, oldest first; overwritten
     */
    public void record(ClientSession session, long[] opened, long nowNanos) {
        pending.settle();
        changes.add(opened.length);
        long[] nanos = new long[opened.length];
        Arrays.fill(nanos, nowNanos);
        recordNow(session, opened, nanos, opened.length);
    }

    /**
     * Records an open and predicts what comes after it.
     *
     * @param file by its first block's id
     * @param usefulness how its user's predictions have ended so far
     */
    public void record(ClientSession session, long file, long nowNanos, Usefulness usefulness, PrefetchGroup group) {
        pending.settle();
        recorded(1);
        Predictor predictor = predictors.borrow();
        try {
            session.opened(predictor, file, nowNanos, usefulness, group);
        } finally {
            predictors.giveBack(predictor);
        }
    }

    /** The number of changes of the graphs so far. */
    public long changes() {
        pending.settle();
        return changes.sum();
    }

    /** Forgets everything. */
    public synchronized void clear() {
        changes.increment();
        clears++;
        pending.clear();
        sessions.invalidateAll();
        files.clear();
        pairs.clear();
    }

    public PackedGraph files() {
        pending.settle();
        return files;
    }

    public PackedGraph pairs() {
        pending.settle();
        return pairs;
    }

    public long sessionCount() {
        return sessions.estimatedSize();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.checkpoint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.core.graph.GraphSnapshot;
import io.github.foresight.namenode.guard.PluginThreads;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the graphs over restarts and failovers, and shares them among the NameNodes of a nameservice.
 *
 * <p>Each NameNode that has learned something, whether active or observer, writes a local file and a file of its own in HDFS. Each
 * merges the files of the others in HDFS into its own graphs: at start, when it becomes active, and once in an interval. A merge that fails is
 * tried again after {@value #RETRY_SECONDS} s. A newer file counts more than an older one, by a factor of 2 for each interval between
 * them, at most {@value #TRUST_MAX}.
 *
 * <p>A file is replaced only by the NameNode that wrote it, after that NameNode has merged its earlier content. Two NameNodes that
 * are active at once therefore lose nothing. A file that is damaged, or of another block pool, is put aside under another name.
 *
 * <p>One thread of its own does all of this, so that no handler waits for a disk and no failover waits for a load. The caller of
 * {@link #close} writes the last local file, because that thread may be waiting for HDFS. Thread-safe.
 */
public final class Checkpoints implements Closeable {

    /** Checkpoints that a nameservice's NameNodes share. */
    interface Shared {
        /** The name of this NameNode's own; empty if none are shared. */
        String ownName();

        /** All checkpoints by their names, and when each was written, in milliseconds. */
        Map<String, Long> list() throws IOException;

        InputStream open(String name) throws IOException;

        /** Replaces this NameNode's own, at once. */
        void replaceOwn(Content content) throws IOException;

        /** Puts this NameNode's own aside, where it is not listed. */
        void putOwnAside() throws IOException;
    }

    /** Writes the content of a checkpoint. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final long LOOK_SECONDS = 2;
    private static final long RETRY_SECONDS = 10;
    private static final long CLOSE_SECONDS = 10;
    private static final int GRAPHS = 2;
    private static final int SHUTDOWN_PRIORITY = 20;

    /** A side that is older by four intervals or more is still worth something: 1/16. Chosen, not measured. */
    private static final int TRUST_MAX = 16;

    private final AccessLearner learner;
    private final String owner;
    private final BooleanSupplier active;
    private final Shared shared;
    private final String localFile;
    private final long intervalMillis;
    private final NameNodeMetrics metrics;
    private final PluginThreads threads;
    private final ScheduledThreadPoolExecutor thread;

    /** Saves at JVM exit: a NameNode that receives a signal does not stop its plugins. */
    private final Runnable atExit = this::saveLast;

    /** Held while the local file is written, and over no access to HDFS. */
    private final ReentrantLock localLock = new ReentrantLock();

    @GuardedBy("localLock")
    private long changesInFile;

    /** Set by the thread alone. */
    private volatile boolean localMerged;

    // State of the thread alone.
    private final Map<String, Long> merged = new HashMap<>();
    private boolean sharedMerged;
    private boolean wasActive;
    private long nextTryMillis = Long.MIN_VALUE;
    private long writtenMillis = System.currentTimeMillis();
    private long changesInShared;
    private long changesSeen;

    /** The time of the newest change in the graphs, in milliseconds. */
    private long knownMillis = Long.MIN_VALUE;

    /**
     * Makes checkpoints that are shared in HDFS. Nothing runs before {@link #start}.
     *
     * @param owner whose files are accepted; the block pool
     * @param active whether this NameNode is the active one now
     */
    public Checkpoints(
            NameNodeSettings settings,
            AccessLearner learner,
            String owner,
            BooleanSupplier active,
            Configuration conf,
            NameNodeMetrics metrics) {
        this(
                settings,
                learner,
                owner,
                active,
                new HdfsCheckpoints(conf, settings.get(NameNodeKeys.CHECKPOINT_HDFS_PATH)),
                metrics);
    }

    /** Makes checkpoints with any shared storage. */
    public Checkpoints(
            NameNodeSettings settings,
            AccessLearner learner,
            String owner,
            BooleanSupplier active,
            Shared shared,
            NameNodeMetrics metrics) {
        this.learner = learner;
        this.owner = owner;
        this.active = active;
        this.shared = shared;
        this.metrics = metrics;
        this.threads = new PluginThreads("foresight-checkpoint", metrics);
        this.thread = new ScheduledThreadPoolExecutor(1, threads);
        this.localFile = settings.get(NameNodeKeys.CHECKPOINT_FILE);
        this.intervalMillis = settings.get(NameNodeKeys.CHECKPOINT_INTERVAL).toMillis();
        this.localMerged = localFile.isEmpty();
        this.sharedMerged = shared.ownName().isEmpty();
    }

    /** Begins with loading the local file, if there is one. */
    public void start() {
        if (localFile.isEmpty() && shared.ownName().isEmpty()) {
            return;
        }
        ShutdownHookManager.get().addShutdownHook(atExit, SHUTDOWN_PRIORITY, CLOSE_SECONDS, TimeUnit.SECONDS);
        ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(
                () -> threads.survives(() -> look(System.currentTimeMillis())), 0, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    /** Merges and saves if the time has come. */
    void look(long nowMillis) {
        boolean isActive = active.getAsBoolean();
        boolean due = nowMillis - writtenMillis >= intervalMillis;
        if ((isActive && !wasActive) || due) {
            sharedMerged = shared.ownName().isEmpty();
            nextTryMillis = isActive && !wasActive ? Long.MIN_VALUE : nextTryMillis;
        }
        wasActive = isActive;
        merge(nowMillis);
        if (due) {
            save();
            writtenMillis = nowMillis;
        }
    }

    private void merge(long nowMillis) {
        if ((localMerged && sharedMerged) || nowMillis < nextTryMillis) {
            return;
        }
        if (!localMerged) {
            localMerged = attempt("read " + localFile, () -> mergeLocal(nowMillis));
        }
        if (!sharedMerged) {
            sharedMerged = attempt("read " + shared.ownName() + " and its like", () -> mergeShared(nowMillis));
        }
        if (!localMerged || !sharedMerged) {
            nextTryMillis = nowMillis + TimeUnit.SECONDS.toMillis(RETRY_SECONDS);
        }
    }

    private void save() {
        long changes = learner.changes();
        boolean toShared = sharedMerged && changes != changesInShared;
        Written local;
        localLock.lock();
        try {
            local = saveLocalIfDue();
        } finally {
            localLock.unlock();
        }
        if (toShared && attempt("write " + shared.ownName(), this::saveShared)) {
            changesInShared = changes;
        }
        boolean sharedFailed = toShared && changes != changesInShared;
        if (local != Written.FAILED && !sharedFailed && (local == Written.YES || toShared)) {
            metrics.checkpoints.incr();
        }
    }

    /** The outcome of an attempt to write the local file. */
    private enum Written {
        YES,
        /** It holds all that is known here, or must not be replaced yet. */
        NOT_DUE,
        FAILED
    }

    @GuardedBy("localLock")
    private Written saveLocalIfDue() {
        long changes = learner.changes();
        if (!localMerged || changes == changesInFile) {
            return Written.NOT_DUE;
        }
        if (!attempt("write " + localFile, this::saveLocal)) {
            return Written.FAILED;
        }
        changesInFile = changes;
        return Written.YES;
    }

    /** Runs an action and returns whether it succeeded. A failure is logged and counted, and the next look tries again. */
    private boolean attempt(String what, Callable<Void> action) {
        try {
            action.call();
            return true;
        } catch (Throwable e) { // a file that is too large for the heap is no reason to write none
            metrics.checkpointErrors.incr();
            LOG.warn("Foresight could not {}: {}", what, e.toString());
            LOG.debug("Foresight could not {}", what, e);
            return false;
        }
    }

    private void write(OutputStream out) throws IOException {
        GraphSnapshot.write(out, owner, learner.files(), learner.pairs());
    }

    /** Opens a checkpoint for reading, from its beginning each time. */
    @FunctionalInterface
    private interface Source {
        InputStream open() throws IOException;
    }

    /** Whether a file can be read but is not a valid checkpoint of this block pool. */
    private boolean isRefused(String name, Source source) throws IOException {
        try (InputStream in = source.open()) {
            GraphSnapshot.check(in, owner, GRAPHS);
            return false;
        } catch (GraphSnapshot.RefusedException e) {
            metrics.checkpointErrors.incr();
            LOG.warn("Foresight's checkpoint {} is refused: {}", name, e.getMessage());
            return true;
        }
    }

    private void load(String name, long writtenAtMillis, long nowMillis, Source source) throws IOException {
        double trust = trust(writtenAtMillis, nowMillis);
        try (InputStream in = source.open()) {
            GraphSnapshot.read(in, owner, trust, learner.files(), learner.pairs());
        }
        LOG.info(
                "Foresight has learned from {}: {} files, {} pairs known",
                name,
                learner.files().vertices(),
                learner.pairs().vertices());
    }

    /** The weight of a file relative to the graphs of this NameNode. */
    private double trust(long writtenAtMillis, long nowMillis) {
        long changes = learner.changes();
        if (changes != changesSeen) {
            changesSeen = changes;
            knownMillis = nowMillis;
        }
        double newerBy = knownMillis == Long.MIN_VALUE ? 0 : (double) (writtenAtMillis - knownMillis) / intervalMillis;
        knownMillis = Math.max(knownMillis, writtenAtMillis);
        return Math.max(1.0 / TRUST_MAX, Math.min(TRUST_MAX, Math.pow(2, newerBy)));
    }

    private Void mergeLocal(long nowMillis) throws IOException {
        Path file = Paths.get(localFile);
        if (!Files.exists(file)) {
            return null;
        }
        if (isRefused(localFile, () -> Files.newInputStream(file))) {
            Files.move(file, Paths.get(localFile + ".refused"), StandardCopyOption.REPLACE_EXISTING);
            return null;
        }
        load(localFile, Files.getLastModifiedTime(file).toMillis(), nowMillis, () -> Files.newInputStream(file));
        return null;
    }

    private Void saveLocal() throws IOException {
        if (localFile.isEmpty()) {
            return null;
        }
        Path target = Paths.get(localFile).toAbsolutePath();
        Path folder = target.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path written = target.resolveSibling(target.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            write(Channels.newOutputStream(channel));
            channel.force(true);
        }
        Files.move(written, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return null;
    }

    private Void mergeShared(long nowMillis) throws IOException {
        Map<String, Long> found = shared.list();
        merged.keySet().retainAll(found.keySet());
        for (Map.Entry<String, Long> file : found.entrySet()) {
            if (!file.getValue().equals(merged.get(file.getKey()))) {
                mergeShared(file.getKey(), file.getValue(), nowMillis);
                merged.put(file.getKey(), file.getValue());
            }
        }
        return null;
    }

    private void mergeShared(String name, long writtenAtMillis, long nowMillis) throws IOException {
        try {
            if (!isRefused(name, () -> shared.open(name))) {
                load(name, writtenAtMillis, nowMillis, () -> shared.open(name));
            } else if (name.equals(shared.ownName())) {
                shared.putOwnAside();
            }
        } catch (FileNotFoundException e) {
            LOG.debug("{} was put aside or replaced meanwhile", name, e);
        }
    }

    private Void saveShared() throws IOException {
        if (!shared.ownName().isEmpty()) {
            shared.replaceOwn(this::write);
            Long written = shared.list().get(shared.ownName());
            if (written != null) {
                merged.put(shared.ownName(), written);
            }
        }
        return null;
    }

    /** Writes the local file a last time, for at most {@value #CLOSE_SECONDS} s. HDFS no longer answers at this point. */
    @Override
    public void close() {
        if (!ShutdownHookManager.get().isShutdownInProgress()) {
            ShutdownHookManager.get().removeShutdownHook(atExit);
        }
        saveLast();
    }

    private synchronized void saveLast() {
        if (thread.isShutdown()) {
            return;
        }
        thread.shutdown();
        try {
            if (localLock.tryLock(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                try {
                    saveLocalIfDue();
                } finally {
                    localLock.unlock();
                }
            } else {
                LOG.warn("Foresight's last checkpoint was not finished; the checkpoint before stays");
            }
            thread.shutdownNow();
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}

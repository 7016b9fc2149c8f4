/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.github.foresight.core.graph.GraphSnapshot;
import io.github.foresight.protocol.conf.NameNodeKeys;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what was learned over restarts and failovers: writes it to a local file now and then and, where this NameNode is the active
 * one, to a file in HDFS, from which a NameNode that is not learns, and learns once more when it becomes active.
 *
 * <p>One thread of its own does all of it, so nothing waits for a disk, nor a failover for a load. A file that cannot be read, is
 * damaged, or is of another block pool is refused and left as it is until the next one is written. Thread-safe.
 */
final class Checkpoints implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final FsPermission PRIVATE = new FsPermission((short) 0600);
    private static final long LOOK_SECONDS = 2;
    private static final long CLOSE_SECONDS = 10;
    private static final int GRAPHS = 2;
    private static final int SHUTDOWN_PRIORITY = 20;

    private final AccessLearner learner;
    private final String owner;
    private final BooleanSupplier active;
    private final Configuration conf;
    private final URI nameservice;
    private final String localFile;
    private final String hdfsPath;
    private final long intervalNanos;
    private final NameNodeMetrics metrics;
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
            1,
            new ThreadFactoryBuilder()
                    .setDaemon(true)
                    .setNameFormat("foresight-checkpoint")
                    .build());

    /** A NameNode that is told to end does not stop its plugins. */
    private final Runnable atExit = this::saveLast;

    // What only the thread knows.
    private boolean wasActive;
    private long writtenNanos = System.nanoTime();
    private long changesInFile;
    private long changesInHdfs;
    private long loadedModification;

    /**
     * Makes one that does nothing until it is started.
     *
     * @param owner whose files are accepted; the block pool
     * @param active whether this NameNode is the active one now
     */
    Checkpoints(
            NameNodeSettings settings,
            AccessLearner learner,
            String owner,
            BooleanSupplier active,
            Configuration conf,
            NameNodeMetrics metrics) {
        this.learner = learner;
        this.owner = owner;
        this.active = active;
        this.conf = conf;
        this.nameservice = nameservice(conf);
        this.metrics = metrics;
        this.localFile = settings.get(NameNodeKeys.CHECKPOINT_FILE);
        this.hdfsPath = settings.get(NameNodeKeys.CHECKPOINT_HDFS_PATH);
        this.intervalNanos = settings.get(NameNodeKeys.CHECKPOINT_INTERVAL).toNanos();
    }

    /** A NameNode's own default file system is itself, active or not. */
    private static URI nameservice(Configuration conf) {
        String id = DFSUtil.getNamenodeNameServiceId(conf);
        return id != null && HAUtil.isHAEnabled(conf, id)
                ? URI.create(HdfsConstants.HDFS_URI_SCHEME + "://" + id)
                : FileSystem.getDefaultUri(conf);
    }

    /** Begins with loading the local file, if there is one. */
    void start() {
        if (localFile.isEmpty() && hdfsPath.isEmpty()) {
            return;
        }
        thread.execute(() -> attempt("read " + localFile, this::loadLocal));
        ShutdownHookManager.get().addShutdownHook(atExit, SHUTDOWN_PRIORITY, CLOSE_SECONDS, TimeUnit.SECONDS);
        var unused = thread.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        boolean isActive = active.getAsBoolean();
        boolean due = System.nanoTime() - writtenNanos >= intervalNanos;
        if ((isActive && !wasActive) || (!isActive && due)) {
            attempt("read " + hdfsPath, this::loadFromHdfs);
        }
        wasActive = isActive;
        if (due) {
            save(isActive);
            writtenNanos = System.nanoTime();
        }
    }

    /** What a NameNode has learned as standby goes to HDFS too, once it is active and has read what the other has left there. */
    private void save(boolean isActive) {
        long changes = learner.changes();
        boolean toFile = changes != changesInFile;
        boolean toHdfs = isActive && changes != changesInHdfs;
        if (toFile && attempt("write " + localFile, this::saveLocal)) {
            changesInFile = changes;
        }
        if (toHdfs && attempt("write " + hdfsPath, this::saveToHdfs)) {
            changesInHdfs = changes;
        }
        boolean isKept = changes == changesInFile && (!isActive || changes == changesInHdfs);
        if (isKept && (toFile || toHdfs)) {
            metrics.checkpoints.incr();
        }
    }

    /** Whether it went well, or there was nothing to do; what goes wrong is logged and counted, and tried again next time. */
    private boolean attempt(String what, Callable<Void> action) {
        try {
            action.call();
            return true;
        } catch (Exception | LinkageError e) {
            metrics.checkpointErrors.incr();
            LOG.warn("Foresight could not {}: {}", what, e.toString());
            LOG.debug("Foresight could not {}", what, e);
            return false;
        }
    }

    private void write(OutputStream out) throws IOException {
        GraphSnapshot.write(out, owner, learner.files(), learner.pairs());
    }

    /** Opens what is to be read, from its beginning each time. */
    @FunctionalInterface
    private interface Source {
        InputStream open() throws IOException;
    }

    private void load(String name, Source source) throws IOException {
        try (InputStream in = source.open()) {
            GraphSnapshot.check(in, owner, GRAPHS);
        } catch (IOException e) {
            throw new IOException(name + " is refused: " + e.getMessage(), e);
        }
        try (InputStream in = source.open()) {
            GraphSnapshot.read(in, owner, learner.files(), learner.pairs());
        }
        LOG.info(
                "Foresight has learned from {}: {} files, {} pairs known",
                name,
                learner.files().vertices(),
                learner.pairs().vertices());
    }

    private Void loadLocal() throws IOException {
        if (!localFile.isEmpty() && Files.exists(Path.of(localFile))) {
            load(localFile, () -> Files.newInputStream(Path.of(localFile)));
        }
        return null;
    }

    private Void saveLocal() throws IOException {
        if (localFile.isEmpty()) {
            return null;
        }
        Path target = Path.of(localFile).toAbsolutePath();
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

    private Void loadFromHdfs() throws IOException {
        if (hdfsPath.isEmpty()) {
            return null;
        }
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(hdfsPath);
        try (FileSystem fs = FileSystem.newInstance(nameservice, conf)) {
            FileStatus[] found = fs.globStatus(path);
            if (found == null || found.length == 0 || found[0].getModificationTime() == loadedModification) {
                return null;
            }
            load(hdfsPath, () -> fs.open(path));
            loadedModification = found[0].getModificationTime();
        }
        return null;
    }

    private Void saveToHdfs() throws IOException {
        if (hdfsPath.isEmpty()) {
            return null;
        }
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(hdfsPath);
        org.apache.hadoop.fs.Path written = path.suffix(".new");
        try (FileSystem fs = FileSystem.newInstance(nameservice, conf)) {
            try (OutputStream out = fs.create(written, true)) {
                write(out);
            }
            fs.setPermission(written, PRIVATE);
            ((DistributedFileSystem) fs).rename(written, path, Options.Rename.OVERWRITE);
            loadedModification = fs.getFileStatus(path).getModificationTime();
        }
        return null;
    }

    /** Writes the local file once more, for a few seconds at most; HDFS is gone by now. */
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
        thread.execute(() -> save(false));
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
                LOG.warn("Foresight's last checkpoint was not finished; the one before is kept");
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}

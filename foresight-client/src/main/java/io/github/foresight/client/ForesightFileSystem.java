/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import com.google.common.primitives.Longs;
import io.github.foresight.client.hint.OpenFiles;
import io.github.foresight.client.hint.PositionedReads;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.client.stream.CurrentOpen;
import io.github.foresight.client.stream.ForesightInputStream;
import io.github.foresight.client.stream.ReadTotals;
import io.github.foresight.client.stream.ReplicaStreams;
import io.github.foresight.client.stream.ServedLayout;
import io.github.foresight.client.vectored.StreamRanges;
import io.github.foresight.client.vectored.VectoredReads;
import io.github.foresight.core.hint.ReadIntent;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.conf.InvalidValueException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsLogging;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's file system with Foresight's client installed; named in {@code fs.hdfs.impl}.
 *
 * <p>This file system calls NameNodes through a {@link ForesightProxyProvider} around the provider that is configured for its nameservice.
 * Only its own copy of the configuration says so. Programs that read the same {@code hdfs-site.xml} without this class, a Balancer for
 * example, are not concerned. {@link #getConf} returns the configuration that the application gave.
 *
 * <p>The read policy and the end of the split that an application gives to {@code openFile()} decide on hints: see {@link ReadIntent}.
 * Streams are {@link ForesightInputStream}s. {@link IOStatistics} show the opens and reads; {@code fs.iostatistics.logging.level}, Hadoop's own
 * key, sets the level at which {@link #close} logs them. All else is HDFS's own. Thread-safe as HDFS's is. Not final, for test frameworks spy on
 * file systems.
 */
public class ForesightFileSystem extends DistributedFileSystem implements IOStatisticsSource {

    private static final Logger LOG = LoggerFactory.getLogger(ForesightFileSystem.class);

    /** The most bytes of a small file, of which the time of its read tells whether it waited for a disk. */
    private static final long SMALL_BYTES = 1 << 20;

    /** Null where ranges are read as HDFS reads them. */
    private @Nullable VectoredReads vectoredReads;

    private int replicasMax = 1;

    /** A small file that takes longer is slow; 0 where this does not matter. */
    private long waitNanos;

    /** Null where nothing is hinted. */
    private @Nullable ClientSettings hintSettings;

    private volatile boolean verifiesChecksums = true;

    private final ReadTotals totals = new ReadTotals();

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        ClassesAhead.begin();
        super.initialize(uri, ClientInstallation.in(conf, uri));
        setConf(conf);
        try {
            ClientSettings settings = ClientSettings.read(conf);
            vectoredReads = settings.vectoredReads();
            replicasMax = settings.get(ClientKeys.VECTORED_REPLICAS);
            waitNanos = settings.get(ClientKeys.DATA_WAIT).toNanos();
            hintSettings = settings.hints() ? settings : null;
        } catch (InvalidValueException e) {
            LOG.error("Ranges, and reads by position, are read as HDFS reads them: {}", e.getMessage());
        }
    }

    @Override
    public FSDataInputStream open(Path file, int bufferSize) throws IOException {
        CurrentOpen open = CurrentOpen.begin();
        try {
            FSDataInputStream stream = super.open(file, bufferSize);
            return known(stream, open, file);
        } finally {
            open.end();
        }
    }

    @Override
    public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
        return known(super.open(handle, bufferSize), null, null);
    }

    /** HDFS opens the file within this call. So the application's options hold for this open. */
    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(Path file, OpenFileParameters parameters)
            throws IOException {
        String path = pathOf(file);
        OpenFiles.Opening opening = OpenFiles.INSTANCE.opening(path, intent(parameters.getOptions()));
        try {
            return super.openFileWithOptions(file, parameters);
        } finally {
            opening.end();
        }
    }

    /** An end that is no number says nothing. */
    private static ReadIntent intent(Configuration options) {
        String text = options.getTrimmed(OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_END, "");
        Long end = text.isEmpty() ? null : Longs.tryParse(text);
        return ReadIntent.of(options.get(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, ""), end == null ? 0 : end);
    }

    @Override
    public void setVerifyChecksum(boolean verify) {
        verifiesChecksums = verify;
        super.setVerifyChecksum(verify);
    }

    /**
     * A stream of ours. An encrypted file's stream, and a stream of another file system that a link leads to, stay as they are.
     *
     * @param open the open, null if it is not known
     * @param file null if the open is not known
     */
    private FSDataInputStream known(FSDataInputStream stream, @Nullable CurrentOpen open, @Nullable Path file) {
        if (!(stream instanceof HdfsDataInputStream)) {
            return stream;
        }
        HdfsDataInputStream hdfs = (HdfsDataInputStream) stream;
        ServedLayout served = open == null ? null : open.layout();
        totals.opened(served != null);
        VectoredReads shared = vectoredReads;
        if (shared == null || !(hdfs.getWrappedStream() instanceof DFSInputStream)) {
            if (served != null) {
                served.readBy(() -> hdfs.getReadStatistics().getTotalBytesRead());
            }
            return hdfs;
        }
        OpenedFile opened = new OpenedFile(open, file);
        ForesightInputStream ours = new ForesightInputStream((DFSInputStream) hdfs.getWrappedStream(), shared, opened);
        if (served != null) {
            ours.readWith(served);
        }
        opened.begin(ours);
        return ours;
    }

    private String pathOf(Path file) {
        return makeQualified(file).toUri().getPath();
    }

    /** One open of this file system. Where the layout that HDFS opened the file with is not known, nothing of it is hinted. */
    private final class OpenedFile implements ForesightInputStream.Opened {
        private final @Nullable LocatedBlocks located;
        private final @Nullable ServedLayout served;
        private final String path;

        /** Null where nothing is hinted. */
        private final @Nullable String blockPool;

        private final boolean isWindowed;
        private final long openedAtNanos = System.nanoTime();

        OpenedFile(@Nullable CurrentOpen open, @Nullable Path file) {
            LocatedBlocks layout = open == null ? null : open.located();
            this.located = file == null ? null : layout;
            this.served = open == null ? null : open.layout();
            this.path = layout == null || file == null ? "" : pathOf(file);
            this.blockPool = layout == null || file == null || layout.locatedBlockCount() == 0
                    ? null
                    : layout.get(0).getBlock().getBlockPoolId();
            this.isWindowed = open != null && open.isWindowed();
        }

        void begin(ForesightInputStream stream) {
            if (blockPool != null) {
                OpenFiles.INSTANCE.streamOpened(path, blockPool, stream);
            }
        }

        @Override
        public @Nullable ReplicaStreams replicas(StreamRanges.Source own) {
            return located == null ? null : replicaStreams(own, located, served, path);
        }

        @Override
        public @Nullable PositionedReads positionedReads() {
            ClientSettings settings = hintSettings;
            return settings == null || blockPool == null
                    ? null
                    : new PositionedReads(path, blockPool, getClient().getClientName(), settings, isWindowed);
        }

        @Override
        public void closed(ForesightInputStream stream) {
            totals.closed(stream);
            long bytes = stream.deliveredBytes();
            if (waitNanos > 0 && bytes > 0 && bytes <= SMALL_BYTES) {
                long now = System.nanoTime();
                OpenFiles.INSTANCE.waits().read(now - openedAtNanos >= waitNanos, now);
            }
            if (blockPool != null) {
                OpenFiles.INSTANCE.streamClosed(path, blockPool, stream);
            }
        }
    }

    /** HDFS's stream without the DataNode's read-ahead: the reader knows exactly which bytes it wants. */
    private static final class ReplicaStream implements ReplicaStreams.Stream {
        private final DFSInputStream stream;

        ReplicaStream(DFSInputStream stream) throws IOException {
            this.stream = stream;
            stream.setReadahead(0L);
        }

        @Override
        public void readFully(long position, ByteBuffer into) throws IOException {
            stream.readFully(position, into);
        }

        @Override
        public ReadStatistics statistics() {
            return stream.getReadStatistics();
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }

    private ReplicaStreams replicaStreams(
            StreamRanges.Source own, LocatedBlocks located, @Nullable ServedLayout served, String path) {
        boolean verifies = verifiesChecksums;
        return new ReplicaStreams(own, located, served == null ? null : served::isReplaced, replicasMax, layout -> {
            CurrentOpen open = CurrentOpen.begin(layout);
            try {
                return new ReplicaStream(getClient().open(path, 0, verifies));
            } finally {
                open.end();
            }
        });
    }

    /** The opens and reads of this file system. */
    @Override
    public IOStatistics getIOStatistics() {
        return totals.getIOStatistics();
    }

    @Override
    public void close() throws IOException {
        logStatistics();
        try {
            super.close();
        } finally {
            if (vectoredReads != null) {
                vectoredReads.close();
            }
        }
    }

    /** Hadoop's default file of properties asks for the level debug. */
    private void logStatistics() {
        Configuration conf = getConf();
        String asked = conf == null ? null : conf.getTrimmed(CommonConfigurationKeys.IOSTATISTICS_LOGGING_LEVEL);
        String level = asked == null ? CommonConfigurationKeys.IOSTATISTICS_LOGGING_LEVEL_DEFAULT : asked;
        if (!level.equals(CommonConfigurationKeys.IOSTATISTICS_LOGGING_LEVEL_DEBUG) || LOG.isDebugEnabled()) {
            IOStatisticsLogging.logIOStatisticsAtLevel(LOG, level, this);
        }
    }
}

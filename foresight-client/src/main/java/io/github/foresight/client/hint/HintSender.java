/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.hint;

import com.google.common.base.MoreObjects;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multimaps;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.hint.BlockSequences.Placed;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.window.Extent;
import io.github.foresight.protocol.conf.ClientKeys;
import io.github.foresight.protocol.hint.HintConnections;
import io.github.foresight.protocol.hint.HintRequests;
import io.github.foresight.protocol.hint.HintTarget;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintResponseProto;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import io.github.foresight.protocol.proto.HintProtos.RefusalProto;
import java.io.Closeable;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends hints to DataNodes, off the reader's path: by {@link HintThreads}, and with a pause for each DataNode that does not answer. Nothing
 * here can fail or delay a read. Thread-safe.
 */
public final class HintSender implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(HintSender.class);
    private static final long CLIENT_ID = new SecureRandom().nextLong();

    /** Takes a DataNode's answer about a hint session. */
    @FunctionalInterface
    interface ProgressListener {
        ProgressListener NOBODY = (bytesRead, openStreams) -> {};

        void progressed(long bytesRead, int openStreams);
    }

    /** Learns what became of a window; called once. */
    public interface WindowListener {
        /** The DataNode reads ahead at least a part of it. */
        void taken();

        /** The DataNode has refused all of it or does not answer. */
        void notTaken();
    }

    /** The part of a block that a window covers; immutable. */
    public static final class WindowPart {
        private final LocatedBlock block;
        private final Extent extent;

        /** The part of a block. */
        public WindowPart(LocatedBlock block, Extent extent) {
            this.block = block;
            this.extent = extent;
        }

        /** The block, with its token. */
        public LocatedBlock block() {
            return block;
        }

        HintedBlockProto record() {
            return HintRequests.block(
                            block.getBlock().getBlockId(),
                            block.getBlock().getGenerationStamp(),
                            block.getStartOffset(),
                            block.getBlockSize(),
                            block.getBlockToken())
                    .setRangeOffset(extent.begin())
                    .setRangeLength(extent.lengthBytes())
                    .build();
        }
    }

    /** The bytes of a file that its reader is expected to read first; immutable. */
    public static final class FirstReads {
        private final LocatedBlocks layout;
        private final long footerBytes;

        /**
         * The begin of the file, and its footer.
         *
         * @param layout with at least one block
         * @param footerBytes the number of last bytes; 0 for none
         */
        public FirstReads(LocatedBlocks layout, long footerBytes) {
            this.layout = layout;
            this.footerBytes = footerBytes;
        }

        /**
         * The parts of blocks, each at a DataNode. Of a long first block only {@link ClientSettings#beginBytes} are warmed. If such a block has
         * the footer, too, only the footer is warmed: a DataNode knows one part of a block. Erasure-coded files are left alone.
         */
        private List<Placed<HintTarget>> parts(ClientSettings settings) {
            LocatedBlock first = layout.get(0);
            LocatedBlock last = MoreObjects.firstNonNull(layout.getLastLocatedBlock(), first);
            List<Placed<HintTarget>> parts = new ArrayList<>();
            if (layout.getErasureCodingPolicy() == null && isReadable(first)) {
                BlockCutter cutter = new BlockCutter(settings, OpenFiles.INSTANCE.readers());
                boolean isShort = first.getBlockSize() <= settings.hintedFileMinBytes();
                boolean isAlone = last.getBlock().equals(first.getBlock());
                boolean hasFooter = footerBytes > 0 && isReadable(last) && !(isAlone && isShort);
                if (!(isAlone && hasFooter)) {
                    parts.add(cutter.begin(first, isShort ? first.getBlockSize() : settings.beginBytes()));
                }
                if (hasFooter) {
                    parts.add(cutter.end(last, footerBytes));
                }
            }
            return parts;
        }

        private static boolean isReadable(LocatedBlock block) {
            return block.getLocations().length > 0 && block.getBlockSize() > 0;
        }
    }

    /** Handles a DataNode's answer, or its absence. */
    private interface Answer {
        void answered(HintResponseProto response);

        default void unanswered() {}
    }

    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final ClientSettings settings;
    private final Configuration conf;
    private final UserGroupInformation ugi;

    /** Made by the first hint, as the connections are, because most processes with a short life send none. */
    private volatile @Nullable HintThreads threads;

    @GuardedBy("this")
    private @Nullable HintConnections connections;

    private volatile boolean closed;

    /** Sends hints as a user. Opens no connection before the first hint. */
    public HintSender(ClientSettings settings, Configuration conf, UserGroupInformation ugi) {
        this.settings = settings;
        this.conf = conf;
        this.ugi = ugi;
    }

    ClientMetrics metrics() {
        return metrics;
    }

    /**
     * Sends a DataNode its sequence of a file.
     *
     * @param target one of the sequence's equal targets
     * @param answered called once the DataNode has taken the hint
     */
    void hint(
            long fileId,
            String clientName,
            HintTarget target,
            List<Placed<HintTarget>> sequence,
            boolean sequential,
            ProgressListener answered) {
        HintRequestProto.Builder request = request(OpType.HINT, fileId)
                .setBlockPoolId(sequence.get(0).block().key().blockPool())
                .setBlockNum(sequence.size())
                .setClientName(clientName)
                .setSequential(sequential);
        for (Placed<HintTarget> placed : sequence) {
            request.addBlocks(record(placed));
        }
        enqueueInOrder(fileId, target, () -> send(target, request.build(), answered));
    }

    private static HintedBlockProto.Builder record(Placed<HintTarget> placed) {
        HintedBlock block = placed.block();
        HintedBlockProto.Builder record = HintRequests.block(
                block.key().blockId(),
                block.generationStamp(),
                block.fileOffset(),
                block.lengthBytes(),
                placed.node().token());
        return block.isWhole()
                ? record
                : record.setRangeOffset(block.beginBytes()).setRangeLength(block.partBytes());
    }

    /** Has the first reads of files made resident, for any reader on this host. Each part is read by a DataNode that has a replica of it. */
    public void warm(List<FirstReads> files) {
        ListMultimap<HintTarget, Placed<HintTarget>> parts =
                MultimapBuilder.linkedHashKeys().arrayListValues().build();
        for (FirstReads file : files) {
            file.parts(settings).forEach(part -> parts.put(part.node(), part));
        }
        Multimaps.asMap(parts).forEach(this::warm);
    }

    private void warm(HintTarget target, List<Placed<HintTarget>> parts) {
        HintRequestProto.Builder request = request(
                        OpType.WARM, ThreadLocalRandom.current().nextLong())
                .setBlockPoolId(parts.get(0).block().key().blockPool())
                .setBlockNum(parts.size());
        parts.forEach(part -> request.addBlocks(record(part)));
        String dataNode = target.node().getDatanodeUuid();
        Answer answer = response -> OpenFiles.INSTANCE
                .waits()
                .answered(dataNode, response.getResidentBytes(), response.getPrefetchedBytes(), System.nanoTime());
        if (enqueue(() -> send(target, request.build(), answer))) {
            metrics.filesWarmed.incr(parts.stream()
                    .filter(part -> part.block().fileOffset() == 0)
                    .count());
        }
    }

    /**
     * Tells a file's replica node where the window of it now is.
     *
     * @param parts at least one
     * @return false if too much waits to be sent already; then the listener is not called
     */
    public boolean window(long fileId, HintTarget target, List<WindowPart> parts, WindowListener listener) {
        HintRequestProto.Builder request = request(OpType.WINDOW, fileId)
                .setBlockPoolId(parts.get(0).block().getBlock().getBlockPoolId())
                .setBlockNum(parts.size());
        parts.forEach(part -> request.addBlocks(part.record()));
        HintRequestProto whole = request.build();
        Answer answer = new Answer() {
            @Override
            public void answered(HintResponseProto response) {
                if (response.getAccepted() > 0) {
                    listener.taken();
                } else {
                    metrics.windowRefusals.incr();
                    listener.notTaken();
                }
            }

            @Override
            public void unanswered() {
                metrics.windowRefusals.incr();
                listener.notTaken();
            }
        };
        boolean queued = enqueueInOrder(fileId, target, () -> send(target, whole, answer));
        if (queued) {
            metrics.windowRequests.incr();
        }
        return queued;
    }

    /** Ends a hint session or a window on a DataNode. Never waits. */
    public void release(long fileId, HintTarget target) {
        HintRequestProto request = request(OpType.RELEASE, fileId).build();
        enqueueInOrder(fileId, target, () -> send(target, request, ProgressListener.NOBODY));
    }

    /** Asks, after a while, how far a session has come; silence if the DataNode does not answer. */
    void askProgress(long fileId, HintTarget target, long delayMillis, ProgressListener listener) {
        HintRequestProto request = request(OpType.PROGRESS, fileId).build();
        later(delayMillis, () -> enqueueInOrder(fileId, target, () -> send(target, request, listener)));
    }

    /** Runs something short after a while, if this is not closed before. Its failure is counted. */
    void later(long delayMillis, Runnable task) {
        HintThreads made = threads();
        if (made == null || !made.later(delayMillis, () -> guarded(task))) {
            metrics.hintsDropped.incr();
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("A look for progress failed", e);
        }
    }

    /** Runs something on a sender thread; false if too much waits already. */
    boolean enqueue(Runnable task) {
        HintThreads made = threads();
        return isQueued(made != null
                && made.enqueue(() -> {
                    if (!closed) {
                        task.run();
                    }
                }));
    }

    /** Runs a task on a sender thread, after all earlier tasks of the file's session at the DataNode; false if too much waits already. */
    private boolean enqueueInOrder(long fileId, HintTarget target, Runnable task) {
        HintThreads made = threads();
        return isQueued(made != null && made.enqueueInOrder(Objects.hash(fileId, target), task));
    }

    /** Counts a task that was not queued. */
    private boolean isQueued(boolean queued) {
        if (!queued) {
            metrics.hintsDropped.incr();
        }
        return queued;
    }

    /** The threads; null if there are none at the end. A reader never waits here for another's connections. */
    private @Nullable HintThreads threads() {
        HintThreads made = threads;
        return made == null ? begun() : made;
    }

    private synchronized @Nullable HintThreads begun() {
        if (threads == null && !closed) {
            threads = new HintThreads(settings.get(ClientKeys.HINT_THREADS), settings.get(ClientKeys.HINT_QUEUE_MAX));
        }
        return threads;
    }

    private static HintRequestProto.Builder request(OpType type, long fileId) {
        return HintRequestProto.newBuilder()
                .setOpType(type)
                .setClientId(CLIENT_ID)
                .setFileId(fileId);
    }

    private void send(HintTarget target, HintRequestProto request, ProgressListener listener) {
        send(target, request, (Answer)
                response -> listener.progressed(response.getBytesRead(), response.getOpenStreams()));
    }

    private void send(HintTarget target, HintRequestProto request, Answer answer) {
        if (closed && request.getOpType() != OpType.RELEASE) {
            return;
        }
        long begin = System.nanoTime();
        try {
            HintConnections open = connections();
            HintResponseProto response = open == null ? null : open.send(target, request);
            if (response == null) {
                answer.unanswered();
                return;
            }
            metrics.hintMillis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            metrics.hintsSent.incr();
            metrics.blocksAccepted.incr(response.getAccepted());
            for (RefusalProto refusal : response.getRefusalsList()) {
                metrics.blocksRefused.incr(refusal.getCount());
                LOG.debug("{} refused {} of a hint: {}", target, refusal.getCount(), refusal.getReason());
            }
            LOG.debug(
                    "{} to {}: {} accepted, {} bytes read, {} streams open",
                    request.getOpType(),
                    target,
                    response.getAccepted(),
                    response.getBytesRead(),
                    response.getOpenStreams());
            answer.answered(response);
        } catch (HintConnections.NotTakenException e) {
            if (closed) {
                // This side has cut off the requests on their way.
                return;
            }
            metrics.hintErrors.incr();
            if (e.knowsNoHints()) {
                metrics.nodesWithoutHints.incr();
            }
            LOG.debug("{}", e.getMessage(), e);
            answer.unanswered();
        } catch (RuntimeException | LinkageError e) {
            metrics.internalErrors.incr();
            LOG.debug("A hint to {} failed", target, e);
            answer.unanswered();
        }
    }

    /** The connections to DataNodes, or null after the end. */
    private synchronized @Nullable HintConnections connections() {
        if (connections == null && !closed) {
            connections = new HintConnections(
                    conf, ugi, settings.get(ClientKeys.HINT_TIMEOUT), settings.get(ClientKeys.HINT_BACKOFF));
        }
        return connections;
    }

    /**
     * Sends the ends of sessions that wait to be sent, so that DataNodes free the memory of these sessions. All other hints that wait are
     * dropped. The time for this is bounded by {@link HintThreads#close}.
     */
    @Override
    public void close() {
        HintThreads made;
        synchronized (this) {
            closed = true;
            made = threads;
        }
        if (made != null) {
            made.close();
        }
        HintConnections open;
        synchronized (this) {
            open = connections;
            connections = null;
        }
        if (open != null) {
            open.close();
        }
    }
}

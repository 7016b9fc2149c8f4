/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import io.github.foresight.client.lease.LayoutGrant;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.protocol.note.MessageBytes;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A file's layout, and its status where it came, as {@link CachedFiles} holds them. Only the file's outcome changes, which {@link
 * PredictionOutcomes} counts.
 *
 * <p>The layout of a predicted file is held as the bytes of the reply. They take a third of the message's memory. The layout of an opened
 * file is held as the message that came, so that nothing is done for a file that nobody opens again.
 */
final class CachedFile {

    /** Its share of the maps that it stands in, bytes. */
    private static final int OVERHEAD = 300;

    /** The heap that a layout's message takes for each of its blocks, and for each replica, bytes; as measured. */
    private static final int BLOCK_BYTES = 800;

    private static final int REPLICA_BYTES = 600;
    private static final int NO_PREDICTION = -1;

    /** Null where it cannot be read. */
    private final Supplier<@Nullable LocatedBlocksProto> layout;

    private final int bytes;
    final @Nullable ByteString status;
    final long firstBlock;
    final int confidenceClass;

    /** Whether it came with its status, which the client had asked for; the NameNode has learned its first open. */
    private final boolean stated;

    final AtomicBoolean used = new AtomicBoolean();

    /** Whether it has been counted as used in time, or as wasted. */
    final AtomicBoolean settled = new AtomicBoolean();

    /** How many files the client had opened when it came. */
    long opensBefore;

    /** The number of the prefetch group in which the file was predicted, or 0. */
    int group;

    /** The lease that it came under; null where it is kept without one. Set before others see the file. */
    @Nullable
    LayoutGrant grant;

    private CachedFile(
            Supplier<@Nullable LocatedBlocksProto> layout,
            @Nullable ByteString status,
            long firstBlock,
            int confidenceClass,
            boolean stated,
            int bytes) {
        this.layout = layout;
        this.status = status;
        this.firstBlock = firstBlock;
        this.confidenceClass = confidenceClass;
        this.stated = stated;
        this.bytes = OVERHEAD + bytes;
    }

    /** A file that this client has opened, with at least one block. */
    static CachedFile opened(LocatedBlocksProto layout) {
        int bytes = heapBytes(layout.getLastBlock());
        for (LocatedBlockProto block : layout.getBlocksList()) {
            bytes += heapBytes(block);
        }
        return new CachedFile(() -> layout, null, firstBlock(layout), NO_PREDICTION, false, bytes);
    }

    /**
     * A predicted file.
     *
     * @param layout the message in its layout's bytes, with at least one block
     */
    static CachedFile predicted(PredictedFileProto file, LocatedBlocksProto layout) {
        return of(file, layout, file.getConfidenceClass(), false);
    }

    /**
     * A file that came with its status, which the client had asked for.
     *
     * @param layout the message in its layout's bytes, with at least one block
     */
    static CachedFile stated(PredictedFileProto file, LocatedBlocksProto layout) {
        return of(file, layout, NO_PREDICTION, true);
    }

    private static CachedFile of(
            PredictedFileProto file, LocatedBlocksProto layout, int confidenceClass, boolean stated) {
        ByteString layoutBytes = file.getLocations();
        ByteString status = file.hasStatus() ? file.getStatus() : null;
        return new CachedFile(
                () -> MessageBytes.parse(layoutBytes, LocatedBlocksProto.parser()),
                status,
                firstBlock(layout),
                confidenceClass,
                stated,
                layoutBytes.size() + (status == null ? 0 : status.size()));
    }

    private static long firstBlock(LocatedBlocksProto layout) {
        return layout.getBlocks(0).getB().getBlockId();
    }

    /** The message is not asked for its size, as that would slow HDFS's own: see {@link MessageBytes}. */
    private static int heapBytes(LocatedBlockProto block) {
        return BLOCK_BYTES + REPLICA_BYTES * block.getLocsCount();
    }

    /** Its layout, or null if that cannot be read. */
    @Nullable
    LocatedBlocksProto layout() {
        return layout.get();
    }

    boolean isPrediction() {
        return confidenceClass != NO_PREDICTION;
    }

    /** Opens it; returns whether the NameNode has learned this open with the file's status. */
    boolean openLearned() {
        return stated && used.compareAndSet(false, true);
    }

    /** Whether it came with the listing of its directory. */
    boolean isListed() {
        return confidenceClass == Usefulness.LISTED;
    }

    /** Heap that it takes, bytes. */
    int bytes() {
        return bytes;
    }
}

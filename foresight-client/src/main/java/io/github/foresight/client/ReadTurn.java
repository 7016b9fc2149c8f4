/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import com.google.common.collect.ImmutableSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One turn of the calling thread to a place in a file: what it looks for, and for which of the place's replicas it was decided.
 *
 * <p>A stream asks its layout for the block at exactly the offset it is going to read, and then that block for its locations,
 * on one thread, whether the read is hedged or not. In between lies nothing but this. A read over a block's end looks for all its blocks
 * first, so only the last of them is known to be turned to. Confined to its thread.
 */
final class ReadTurn {

    /** What a thread reads in, as its stack tells. */
    enum Kind {
        POSITIONED,
        STREAM,
        /** Nothing is read: the locations are listed. */
        NONE
    }

    private static final ThreadLocal<@Nullable ReadTurn> CURRENT = new ThreadLocal<>();
    private static final String STREAM_CLASS = "org.apache.hadoop.hdfs.DFSInputStream";

    /** In Hadoop 3.3 to 3.5; were they renamed, files would be read without windows. */
    private static final Set<String> POSITIONED_METHODS =
            ImmutableSet.of("fetchBlockByteRange", "hedgedFetchBlockByteRange");

    private static final String STREAM_METHOD = "blockSeekTo";
    private static final int FRAMES = 12;

    private final long offset;
    private @Nullable WindowedBlock decidedFor;
    private WindowedBlock.Order order = WindowedBlock.Order.STOCK;
    private Kind kind = Kind.NONE;

    private ReadTurn(long offset) {
        this.offset = offset;
    }

    /** A stream looks for the block at an offset of its file. */
    static void at(long offset) {
        CURRENT.set(new ReadTurn(offset));
    }

    /** The calling thread's last turn, or null. */
    static @Nullable ReadTurn current() {
        return CURRENT.get();
    }

    long offset() {
        return offset;
    }

    /** Keeps what was decided, for a block's locations are asked for again where one of them fails. */
    void decide(WindowedBlock block, Kind read, WindowedBlock.Order decided) {
        decidedFor = block;
        kind = read;
        order = decided;
    }

    /**
     * The calling thread opens a block that it has been told the DataNode of, to read up to some place in it. A hedged read opens it on
     * another thread, and how long it is remains unknown.
     */
    static void opened(long blockId, long endInBlock) {
        ReadTurn turn = CURRENT.get();
        WindowedBlock block = turn == null ? null : turn.decidedFor;
        if (turn != null
                && block != null
                && turn.kind == Kind.POSITIONED
                && block.getBlock().getBlockId() == blockId) {
            block.window().readsByPosition(endInBlock - (turn.offset - block.getStartOffset()));
        }
    }

    WindowedBlock.@Nullable Order decidedFor(WindowedBlock block) {
        return decidedFor == block ? order : null;
    }

    /** What the calling thread is in; to be asked below the method that reads. */
    static Kind kind() {
        Kind kind = CallStack.first(FRAMES, ReadTurn::kindOf);
        return kind == null ? Kind.NONE : kind;
    }

    private static @Nullable Kind kindOf(String type, String method) {
        if (!type.equals(STREAM_CLASS)) {
            return null;
        }
        if (POSITIONED_METHODS.contains(method)) {
            return Kind.POSITIONED;
        }
        return method.equals(STREAM_METHOD) ? Kind.STREAM : null;
    }
}

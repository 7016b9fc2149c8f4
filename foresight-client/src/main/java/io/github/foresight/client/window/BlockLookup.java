/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import io.github.foresight.client.caller.CallStack;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One lookup of a block by the calling thread: the offset in the file, and the order of replicas that was decided for the read.
 *
 * <p>A stream asks its layout for the block at the offset that it is going to read. Then the stream asks the block for its locations, on
 * the same thread, also if the read is hedged. In between lies nothing but this. A read over a block's end looks for all its blocks first,
 * so only the last of them is known to be turned to. Confined to its thread.
 */
public final class BlockLookup {

    /** The kind of a thread's read, by the thread's stack. */
    enum Kind {
        POSITIONED,
        STREAM,
        /** Nothing is read: the locations are listed. */
        NONE
    }

    private static final ThreadLocal<@Nullable BlockLookup> CURRENT = new ThreadLocal<>();
    private static final String STREAM_CLASS = "org.apache.hadoop.hdfs.DFSInputStream";

    /** In Hadoop 3.3 to 3.5; were they renamed, files would be read without windows. */
    private static final Set<String> POSITIONED_METHODS =
            new HashSet<>(Arrays.asList("fetchBlockByteRange", "hedgedFetchBlockByteRange"));

    private static final String STREAM_METHOD = "blockSeekTo";
    private static final int FRAMES = 12;

    private final long offset;
    private @Nullable WindowedBlock decidedFor;
    private WindowedBlock.Order order = WindowedBlock.Order.STOCK;
    private Kind kind = Kind.NONE;

    private BlockLookup(long offset) {
        this.offset = offset;
    }

    /** A stream looks for the block at an offset of its file. */
    public static void at(long offset) {
        CURRENT.set(new BlockLookup(offset));
    }

    /** The calling thread's last lookup, or null. */
    static @Nullable BlockLookup current() {
        return CURRENT.get();
    }

    long offset() {
        return offset;
    }

    /** Keeps the decision, for the stream asks for the block's locations again if a location fails. */
    void decide(WindowedBlock block, Kind read, WindowedBlock.Order decided) {
        decidedFor = block;
        kind = read;
        order = decided;
    }

    /**
     * The calling thread opens a block at the DataNode of its last lookup, to read up to a place in the block. A hedged read opens it on
     * another thread, and how long it is remains unknown.
     */
    public static void opened(long blockId, long endInBlock) {
        BlockLookup turn = CURRENT.get();
        WindowedBlock block = turn == null ? null : turn.decidedFor;
        if (turn != null
                && block != null
                && turn.kind == Kind.POSITIONED
                && block.getBlock().getBlockId() == blockId) {
            block.window().readsByPosition(turn.offset, endInBlock - (turn.offset - block.getStartOffset()));
        }
    }

    WindowedBlock.@Nullable Order decidedFor(WindowedBlock block) {
        return decidedFor == block ? order : null;
    }

    /** The kind of the calling thread's read; to be asked below the method that reads. */
    static Kind kind() {
        Kind kind = CallStack.first(FRAMES, BlockLookup::kindOf);
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

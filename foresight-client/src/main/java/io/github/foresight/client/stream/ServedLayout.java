/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.ForesightFileSystem;
import io.github.foresight.client.caller.CallStack;
import io.github.foresight.client.caller.LayoutCaller;
import io.github.foresight.client.caller.PositionedRead;
import io.github.foresight.client.hint.PartedLayout;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.window.BlockLookup;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/**
 * A cached layout that has opened a file without a request to the NameNode. The file may have been replaced since.
 *
 * <p>A stream that cannot read a block from any DataNode asks the NameNode for the layout again. HDFS's stream fails if the new layout has
 * other blocks. But a stream that has delivered no byte cannot mix two versions. For such a stream this layout takes on the new
 * blocks before HDFS compares them, and the stream reads the new file from its start.
 *
 * <p>The stream of a {@link ForesightFileSystem} counts the bytes that it has delivered. For other streams the number of attempts decides: a
 * stream that has read from a replica and failed later has made more attempts than there are replicas, or has tried a block that is not
 * its first. A checksum error or a seek can make this number wrong.
 *
 * <p>The reading thread connects the stream, its layout, the DataNode and the request to the NameNode. Thread-safe.
 */
public final class ServedLayout extends PartedLayout {

    private static final ThreadLocal<@Nullable WeakReference<ServedLayout>> CONSULTED = new ThreadLocal<>();

    private static final ThreadLocal<@Nullable Refetched> REFETCHED = new ThreadLocal<>();

    /** As {@link LocatedBlocks#findBlock} says that a block belongs at the beginning and is not there. */
    private static final int NOT_KNOWN = -1;

    private static final String STREAM_CLASS = "org.apache.hadoop.hdfs.DFSInputStream";

    /** The NameNode's last answer to a stream of this thread. */
    private static final class Refetched {
        final String path;
        final LocatedBlocks layout;
        final boolean positioned;

        Refetched(String path, LocatedBlocks layout, boolean positioned) {
            this.path = path;
            this.layout = layout;
            this.positioned = positioned;
        }

        /** A positioned read has already settled how far it may read. */
        boolean fitsReaderOf(ServedLayout served) {
            return path.equals(served.path) && (!positioned || layout.getFileLength() >= served.getFileLength());
        }
    }

    private final String path;

    /** How many bytes the layout's stream has delivered; null for a stream that no file system of ours has opened. */
    private volatile @Nullable LongSupplier delivered;

    /** Whether its stream lists its blocks by {@link #list}. The stack shows whether another stream does. */
    private volatile boolean listsHere;

    /** The thread that lists the stream's blocks. */
    private volatile @Nullable Thread lister;

    private volatile boolean replaced;

    @GuardedBy("this")
    private @Nullable LocatedBlock tried;

    @GuardedBy("this")
    private int attempts;

    @GuardedBy("this")
    private boolean triedAnother;

    /** Whether the stream has been sent to the NameNode for the locations of its blocks, and has no answer yet. */
    @GuardedBy("this")
    private boolean awaitsListing;

    /** A layout from memory, of which nothing was read yet. */
    public ServedLayout(String path, LocatedBlocks kept) {
        super(kept, kept.getLocatedBlocks());
        this.path = path;
    }

    private static @Nullable ServedLayout consulted() {
        WeakReference<ServedLayout> layout = CONSULTED.get();
        return layout == null ? null : layout.get();
    }

    /** The calling thread reads with another layout next, which is not a served one. */
    static void forgetConsulted() {
        CONSULTED.remove();
    }

    /** Whether the stream has taken on other blocks than those of this layout. */
    public boolean isReplaced() {
        return replaced;
    }

    /** A stream reads with this layout. */
    public void readBy(LongSupplier deliveredBytes) {
        delivered = deliveredBytes;
    }

    /**
     * A stream reads with this layout, and lists its blocks by {@link #list}. A caller that lists the blocks of the HDFS stream within gets this
     * layout's locations, which are as old as the layout.
     */
    void readBy(ForesightInputStream stream) {
        readBy(stream::deliveredBytes);
        listsHere = true;
    }

    /** Lists the stream's blocks. They are the NameNode's, unless the file has other blocks by now. */
    List<LocatedBlock> list(Listing listing) throws IOException {
        lister = Thread.currentThread();
        try {
            return listing.list();
        } finally {
            lister = null;
        }
    }

    /** HDFS's listing of a stream's blocks. */
    @FunctionalInterface
    interface Listing {
        List<LocatedBlock> list() throws IOException;
    }

    private boolean isListing() {
        return listsHere ? lister == Thread.currentThread() : LayoutCaller.isListing();
    }

    /**
     * The layout that the NameNode gives to a caller that asks for so much of it.
     *
     * @param length bytes of file, from its beginning
     */
    public static LocatedBlocks upTo(long length, LocatedBlocks layout) {
        List<LocatedBlock> blocks = layout.getLocatedBlocks();
        int count = blocks.size();
        while (count > 1 && blocks.get(count - 1).getStartOffset() >= length) {
            count--;
        }
        return count == blocks.size()
                ? layout
                : new LocatedBlocks(
                        layout.getFileLength(),
                        layout.isUnderConstruction(),
                        new ArrayList<>(blocks.subList(0, count)),
                        layout.getLastLocatedBlock(),
                        layout.isLastBlockComplete(),
                        layout.getFileEncryptionInfo(),
                        layout.getErasureCodingPolicy());
    }

    /** A stream looks for the block at an offset, to read it; if the stream lists its blocks, none is known, so that it asks. */
    @Override
    public int findBlock(long offset) {
        CONSULTED.set(new WeakReference<>(this));
        BlockLookup.at(offset);
        int index = super.findBlock(offset);
        if (offset == 0 && index == 0 && isListing()) {
            synchronized (this) {
                awaitsListing = true;
            }
            return NOT_KNOWN;
        }
        return index;
    }

    /**
     * The NameNode has answered a stream that lists its blocks.
     *
     * @return the layout that the stream may use from now on: the answer, unless that is about another content
     */
    public static @Nullable LocatedBlocks listed(String path, @Nullable LocatedBlocks answer) {
        ServedLayout layout = consulted();
        return answer == null || layout == null || !layout.path.equals(path) ? answer : layout.listed(answer);
    }

    private synchronized LocatedBlocks listed(LocatedBlocks answer) {
        boolean isMine = awaitsListing;
        awaitsListing = false;
        return isMine && !isSameContent(answer) ? this : answer;
    }

    private boolean isSameContent(LocatedBlocks answer) {
        List<LocatedBlock> known = super.getLocatedBlocks();
        List<LocatedBlock> answered = answer.getLocatedBlocks();
        boolean same = answered.size() >= known.size();
        for (int i = 0; same && i < known.size(); i++) {
            same = known.get(i).getBlock().getBlockId()
                            == answered.get(i).getBlock().getBlockId()
                    && known.get(i).getStartOffset() == answered.get(i).getStartOffset();
        }
        return same;
    }

    /** The calling thread turns to a block on a DataNode. */
    public static void attempted(String path, long blockId) {
        ServedLayout layout = consulted();
        if (layout != null && layout.path.equals(path)) {
            layout.attempted(blockId);
        }
    }

    private synchronized void attempted(long blockId) {
        attempts++;
        if (tried != null && tried.getBlock().getBlockId() != blockId) {
            triedAnother = true;
        } else if (tried == null) {
            for (LocatedBlock block : super.getLocatedBlocks()) {
                if (block.getBlock().getBlockId() == blockId) {
                    tried = block;
                }
            }
        }
    }

    /** Sets the mark before the delivered bytes are looked at, for a vectored read counts its bytes before it looks at the mark. */
    private synchronized boolean replaceIfUnread() {
        boolean before = replaced;
        replaced = true;
        if (isUnread()) {
            return true;
        }
        replaced = before;
        return false;
    }

    @GuardedBy("this")
    private boolean isUnread() {
        LongSupplier bytes = delivered;
        return (bytes == null || bytes.getAsLong() == 0)
                && tried != null
                && !triedAnother
                && attempts <= tried.getLocations().length;
    }

    /** The NameNode has answered a stream that could not read from any DataNode it knew of. */
    public static void refetched(String path, LocatedBlocks layout) {
        REFETCHED.set(new Refetched(path, layout, PositionedRead.isOnStack()));
    }

    /** The blocks; for a stream that has asked again before it has read anything, the blocks of the new answer. */
    @Override
    public List<LocatedBlock> getLocatedBlocks() {
        Refetched now = REFETCHED.get();
        if (now != null) {
            REFETCHED.remove();
            if (now.fitsReaderOf(this) && replaceIfUnread()) {
                ClientMetrics.INSTANCE.staleOpensRepeated.incr();
                return now.layout.getLocatedBlocks();
            }
        }
        return super.getLocatedBlocks();
    }

    /** Whether this thread is in a stream of such a layout that has failed to read from all DataNodes it knew of. */
    public static boolean isRefetching(String path) {
        ServedLayout layout = consulted();
        return layout != null && layout.path.equals(path) && isOnStack(STREAM_CLASS, "refetchLocations");
    }

    private static boolean isOnStack(String className, String method) {
        return CallStack.first(
                        Integer.MAX_VALUE,
                        (type, name) -> (name.equals(method) && type.equals(className)) ? Boolean.TRUE : null)
                != null;
    }
}

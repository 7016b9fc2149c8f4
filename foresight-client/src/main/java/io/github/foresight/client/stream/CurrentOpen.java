/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.stream;

import java.util.ArrayList;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/**
 * The open of a file that the calling thread is in, from the call of the file system to its return.
 *
 * <p>HDFS's client stands between the file system and the NameNode's proxy, and hands nothing through. So the proxy finds the open by its
 * thread. Its first request for a layout is the open's own: no look at the stack is needed. Confined to its thread.
 */
public final class CurrentOpen {

    private static final ThreadLocal<@Nullable CurrentOpen> CURRENT = new ThreadLocal<>();

    private final @Nullable LocatedBlocks preset;
    private boolean requested;
    private @Nullable ServedLayout layout;
    private @Nullable LocatedBlocks located;
    private boolean windowed;

    private CurrentOpen(@Nullable LocatedBlocks preset) {
        this.preset = preset;
    }

    /** The calling thread begins to open a file; it must {@link #end} that. */
    public static CurrentOpen begin() {
        return begin(null);
    }

    /** The calling thread begins to open a file with a layout, so that the NameNode is not asked; the thread must {@link #end} that. */
    public static CurrentOpen begin(@Nullable LocatedBlocks preset) {
        CurrentOpen open = new CurrentOpen(preset);
        CURRENT.set(open);
        return open;
    }

    /** The open has returned or failed. */
    public void end() {
        CURRENT.remove();
    }

    /** Takes note of a request for a layout; true if it is the first of the calling thread's open. */
    public static boolean noteRequest() {
        CurrentOpen open = CURRENT.get();
        if (open == null || open.requested) {
            return false;
        }
        open.requested = true;
        return true;
    }

    /** Answers the calling thread's first request with the layout that it opens the file with; null if it has none. */
    public static @Nullable LocatedBlocks takePreset() {
        CurrentOpen open = CURRENT.get();
        if (open == null || open.preset == null || open.requested) {
            return null;
        }
        open.requested = true;
        return open.preset;
    }

    /** The calling thread's open, if it is in one, has this layout, from memory or from the NameNode. Its blocks are copied. */
    public static void located(LocatedBlocks layout) {
        CurrentOpen open = CURRENT.get();
        if (open != null && ReplicaStreams.isSuitable(layout)) {
            open.located = new LocatedBlocks(
                    layout.getFileLength(),
                    false,
                    new ArrayList<>(layout.getLocatedBlocks()),
                    layout.getLastLocatedBlock(),
                    layout.isLastBlockComplete(),
                    null,
                    null);
        }
    }

    /** The calling thread's open, if it is in one, goes on with a layout from memory. */
    public static void serve(ServedLayout layout) {
        CurrentOpen open = CURRENT.get();
        if (open != null) {
            open.layout = layout;
        }
    }

    /** The calling thread's open, if it is in one, is of a file with a window that serves sequences of reads by position as well. */
    public static void noteWindow() {
        CurrentOpen open = CURRENT.get();
        if (open != null) {
            open.windowed = true;
        }
    }

    /** Whether the file has a window that serves sequences of reads by position as well. */
    public boolean isWindowed() {
        return windowed;
    }

    /** The layout from memory that the file was opened with; null if the NameNode was asked. */
    @Nullable
    public ServedLayout layout() {
        return layout;
    }

    /** The layout that the file was opened with; null if it is not known, or not suitable for {@link ReplicaStreams}. */
    @Nullable
    public LocatedBlocks located() {
        return located;
    }
}

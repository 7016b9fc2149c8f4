/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import org.jspecify.annotations.Nullable;

/**
 * The open of a file that the calling thread is in, from the call of the file system to its return.
 *
 * <p>HDFS's client stands between the file system and the NameNode's proxy, and hands nothing through. So the proxy finds the open by its
 * thread. Its first request for a layout is the open's own: no look at the stack is needed. Confined to its thread.
 */
final class CurrentOpen {

    private static final ThreadLocal<@Nullable CurrentOpen> CURRENT = new ThreadLocal<>();

    private boolean requested;
    private @Nullable ServedLayout layout;

    private CurrentOpen() {}

    /** The calling thread begins to open a file; it must {@link #end} that. */
    static CurrentOpen begin() {
        CurrentOpen open = new CurrentOpen();
        CURRENT.set(open);
        return open;
    }

    void end() {
        CURRENT.remove();
    }

    /** Takes note of a request for a layout; true if it is the first of the calling thread's open. */
    static boolean noteRequest() {
        CurrentOpen open = CURRENT.get();
        if (open == null || open.requested) {
            return false;
        }
        open.requested = true;
        return true;
    }

    /** The calling thread's open, if it is in one, goes on with a layout from memory. */
    static void serve(ServedLayout layout) {
        CurrentOpen open = CURRENT.get();
        if (open != null) {
            open.layout = layout;
        }
    }

    /** The layout from memory that the file was opened with; null if the NameNode was asked. */
    @Nullable
    ServedLayout layout() {
        return layout;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * With which window a stream begins, from how streams before it ended. Thread-safe; constant time; at most {@link
 * PreallocationSettings#writersMax} writers are remembered, the least recently seen is forgotten.
 *
 * <p>In MiF a stream is a client's process and goes on over all regions that it writes. In HDFS it goes on over the blocks of a
 * file, each a replica of its own, and so the window that a writer's last block reached is the first of its next. For a writer that
 * is not known yet a saturating counter over all writers, as in a branch predictor, tells whether streams that begin with a whole
 * packet have of late gone on to fill most of their block: a block that did adds one, one that did not takes {@value
 * #STEP_DOWN}, and from {@value #CONFIDENT} on (of {@value #TOP}) a new stream begins with the largest window. It begins at the top:
 * HDFS is for files that fill blocks, it has the whole block reserved anyway, and a window too large costs one call to free it,
 * while one too small costs the block a piece for good. A few streams that end early are enough to begin small.
 */
public final class WriteHistory {

    static final int TOP = 32;
    static final int CONFIDENT = 16;
    static final int STEP_DOWN = 8;

    private final PreallocationSettings settings;

    @GuardedBy("this")
    private final Map<String, Long> windows;

    @GuardedBy("this")
    private int confidence = TOP;

    /** Makes one that knows no writer and expects streams to fill their blocks. */
    public WriteHistory(PreallocationSettings settings) {
        this.settings = settings;
        int most = settings.writersMax();
        this.windows = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                return size() > most;
            }
        };
    }

    /**
     * Follows a writer's next replica.
     *
     * @param writtenBytes what it holds already, at least 0
     * @param limitBytes what it can hold at most
     */
    public synchronized WriteStream stream(String writer, long writtenBytes, long limitBytes) {
        Long last = windows.get(writer);
        if (last != null) {
            return WriteStream.goingOn(settings, writtenBytes, limitBytes, last);
        }
        return new WriteStream(
                settings, writtenBytes, limitBytes, confidence >= CONFIDENT ? settings.windowMaxBytes() : 0);
    }

    /**
     * A stream has ended.
     *
     * @param limitBytes what it could have written at most
     */
    public synchronized void ended(String writer, WriteStream stream, long limitBytes) {
        if (!stream.isInitiated()) {
            return;
        }
        boolean filled = stream.writtenBytes() >= limitBytes / 2;
        confidence = filled ? Math.min(TOP, confidence + 1) : Math.max(0, confidence - STEP_DOWN);
        if (stream.isFull() && !stream.isOff() && stream.windowBytes() > 0) {
            windows.put(writer, stream.windowBytes());
        } else {
            // Its next block, if there is one, belongs to another file.
            windows.remove(writer);
        }
    }

    /** Writers remembered. */
    public synchronized int writers() {
        return windows.size();
    }
}

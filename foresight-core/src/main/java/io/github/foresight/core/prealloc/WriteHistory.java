/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * With which window a stream begins, from how streams before it ended. Thread-safe; linear in a writer's streams, which are at most {@value
 * #STREAMS_MAX}; at most {@link PreallocationSettings#writersMax} writers are remembered, the least recently seen is forgotten.
 *
 * <p>In MiF a stream is a client's process and goes on over all regions that it writes. In HDFS it goes on over the blocks of a
 * file, each a replica of its own, and so the window that a writer's last block reached is the first of its next. A client writes several files
 * under one name: a block that was filled leaves its window to be taken over by the next stream of that name, and a stream that ends early
 * forgets only the window that it has taken over itself. While the stream that took a window over is open, every new stream of that name begins
 * with that window too, for it may be the one that the window was left for. For a writer that
 * is not known yet a saturating counter over all writers, as in a branch predictor, tells whether streams that begin with a whole
 * packet have of late gone on to fill most of their block: a block that did adds one, one that did not takes {@value
 * #STEP_DOWN}, and from {@value #CONFIDENT} on (of {@value #TOP}) a new stream begins with the largest window. It begins at the top:
 * HDFS is for files that fill blocks, it has the whole block reserved anyway, and a window too large costs one call to free it,
 * while one too small costs the block a piece for good. A few streams that end early are enough to begin small.
 */
public final class WriteHistory {

    /** Of one writer; chosen, not measured. */
    static final int STREAMS_MAX = 64;

    static final int TOP = 32;
    static final int CONFIDENT = 16;
    static final int STEP_DOWN = 8;

    private final PreallocationSettings settings;

    @GuardedBy("this")
    private final Map<String, Writer> writers;

    @GuardedBy("this")
    private int confidence = TOP;

    /** Makes one that knows no writer and expects streams to fill their blocks. */
    public WriteHistory(PreallocationSettings settings) {
        this.settings = settings;
        int most = settings.writersMax();
        this.writers = new LinkedHashMap<String, Writer>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Writer> eldest) {
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
        long expected = confidence >= CONFIDENT ? settings.windowMaxBytes() : 0;
        Writer known = writers.get(writer);
        if (known == null) {
            return new WriteStream(settings, writtenBytes, limitBytes, expected);
        }
        long window = Math.max(expected, known.largest());
        WriteStream next = WriteStream.goingOn(settings, writtenBytes, limitBytes, window);
        known.takeOver(next);
        return next;
    }

    /**
     * A stream has ended.
     *
     * @param limitBytes what it could have written at most
     */
    public synchronized void ended(String writer, WriteStream stream, long limitBytes) {
        Writer known = writers.get(writer);
        Long taken = known == null ? null : known.taken.remove(stream);
        if (!stream.isInitiated()) {
            if (known != null && taken != null) {
                known.leave(taken);
            }
            return;
        }
        boolean filled = stream.writtenBytes() >= limitBytes / 2;
        confidence = filled ? Math.min(TOP, confidence + 1) : Math.max(0, confidence - STEP_DOWN);
        if (stream.isFull() && !stream.isOff() && stream.windowBytes() > 0) {
            writers.computeIfAbsent(writer, unused -> new Writer()).leave(stream.windowBytes());
        } else if (known != null && known.isForgotten()) {
            // The next block, if there is one, belongs to another file.
            writers.remove(writer);
        }
    }

    /** Writers remembered. */
    public synchronized int writers() {
        return writers.size();
    }

    /** The windows of one writer; guarded by the history. */
    private static final class Writer {

        /** Left by blocks that were filled. */
        private final List<Long> left = new ArrayList<>();

        /** Taken over by streams that have not ended, eldest first. */
        private final Map<WriteStream, Long> taken = new LinkedHashMap<>();

        long largest() {
            long largest = 0;
            for (long window : left) {
                largest = Math.max(largest, window);
            }
            for (long window : taken.values()) {
                largest = Math.max(largest, window);
            }
            return largest;
        }

        void leave(long window) {
            if (left.size() >= STREAMS_MAX) {
                left.remove(Collections.min(left));
            }
            left.add(window);
        }

        /** The stream takes the smallest window that was left, if there is one, so that the largest is known longest. */
        void takeOver(WriteStream stream) {
            if (left.isEmpty()) {
                return;
            }
            Long smallest = Collections.min(left);
            left.remove(smallest);
            if (taken.size() >= STREAMS_MAX) {
                Iterator<Long> eldest = taken.values().iterator();
                eldest.next();
                eldest.remove();
            }
            taken.put(stream, smallest);
        }

        boolean isForgotten() {
            return left.isEmpty() && taken.isEmpty();
        }
    }
}

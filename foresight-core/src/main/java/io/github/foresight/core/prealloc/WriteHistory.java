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
 * The first window of a stream, by the ends of earlier streams.
 *
 * <p>In MiF a stream is a client's process, and continues over all regions that it writes. In HDFS a stream continues
 * over the blocks of a file, each of which is a separate replica. For this reason the last window of a writer's block
 * becomes the first window of the writer's next block. A client writes several files under one name:
 *
 * <ul>
 *   <li>A filled block leaves its window, and the next stream of the same writer takes the window over.
 *   <li>A stream that ends early forgets only the window that it has taken over itself.
 *   <li>While the stream that took a window over is open, each new stream of the writer begins with this window, too.
 *       The reason: the window may have been left for the new stream.
 * </ul>
 *
 * <p>For an unknown writer a saturating counter over all writers decides, as in a branch predictor. The counter shows
 * whether recent streams that began with a whole packet filled most of their block. A filled block adds one; another
 * block subtracts {@value #STEP_DOWN}. If the counter is at least {@value #CONFIDENT} (of {@value #TOP}), a new stream
 * begins with the largest window.
 *
 * <p>The counter begins at the top for three reasons. HDFS is made for files that fill blocks. HDFS reserves the whole
 * block anyway. A too large window costs one call to free it, while a too small window splits the block permanently. A
 * few streams that end early are enough to begin small. The numbers are chosen, not measured.
 *
 * <p>An operation takes time linear in a writer's streams, which are at most {@value #STREAMS_MAX}. At most
 * {@link PreallocationSettings#writersMax} writers are remembered; the least recently seen writer is forgotten.
 * Thread-safe.
 */
public final class WriteHistory {

    /** The most remembered windows of one writer; chosen, not measured. */
    static final int STREAMS_MAX = 64;

    static final int TOP = 32;
    static final int CONFIDENT = 16;
    static final int STEP_DOWN = 8;

    private final PreallocationSettings settings;

    @GuardedBy("this")
    private final Map<String, Writer> writers;

    @GuardedBy("this")
    private int confidence = TOP;

    /** Makes a history without writers, which expects that streams fill their blocks. */
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
     * Makes the stream of a writer's next replica.
     *
     * @param writtenBytes the bytes that the replica already holds, at least 0
     * @param limitBytes the most bytes that the replica can hold
     */
    public synchronized WriteStream stream(String writer, long writtenBytes, long limitBytes) {
        long expected = confidence >= CONFIDENT ? settings.windowMaxBytes() : 0;
        Writer known = writers.get(writer);
        if (known == null) {
            return new WriteStream(settings, writtenBytes, limitBytes, expected);
        }
        long window = Math.max(expected, known.largest());
        WriteStream next = WriteStream.continuing(settings, writtenBytes, limitBytes, window);
        known.takeOver(next);
        return next;
    }

    /**
     * Records the end of a stream.
     *
     * @param limitBytes the most bytes that the stream could have written
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
            // The next block, if any, belongs to another file.
            writers.remove(writer);
        }
    }

    /** The number of remembered writers. */
    public synchronized int writers() {
        return writers.size();
    }

    /** The windows of one writer; guarded by the history. */
    private static final class Writer {

        /** The windows of filled blocks that no stream has taken over. */
        private final List<Long> left = new ArrayList<>();

        /** The windows that open streams have taken over, the oldest stream first. */
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

        /** Gives a stream the smallest left window, if any, so that the largest window is kept longest. */
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

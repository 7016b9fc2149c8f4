/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens by clients that want no predictions, put by until there are some to learn from together: one handler in so many does the work for
 * all, with the graph in its processor's cache and no other at the same client's session. At most {@value #SLOTS} wait; they
 * wait until predictions are asked for, for until then nobody misses them. Thread-safe, never waits.
 */
final class PendingOpens {

    private static final int SLOTS = 64;
    private static final int BATCH = 32;

    /** Learns from an open. */
    @FunctionalInterface
    interface Recorder {
        void record(ClientSession session, long file, long nanos);
    }

    private static final class Open {
        final ClientSession session;
        final long file;
        final long nanos;

        Open(ClientSession session, long file, long nanos) {
            this.session = session;
            this.file = file;
            this.nanos = nanos;
        }
    }

    private final Recorder recorder;
    private final LongConsumer recorded;
    private final AtomicReferenceArray<@Nullable Open> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicBoolean settling = new AtomicBoolean();
    private volatile boolean waiting;

    /**
     * Begins with none.
     *
     * @param recorded is told of how many was learned, once for those together
     */
    PendingOpens(Recorder recorder, LongConsumer recorded) {
        this.recorder = recorder;
        this.recorded = recorded;
    }

    /** Puts an open by, and learns from all there are if it is time; from this one at once if too many wait already. */
    void add(ClientSession session, long file, long nanos) {
        int number = next.getAndIncrement();
        if (!slots.compareAndSet(slot(number), null, new Open(session, file, nanos))) {
            recorder.record(session, file, nanos);
            recorded.accept(1);
            return;
        }
        if (!waiting) {
            waiting = true;
        }
        if (number % BATCH == BATCH - 1) {
            settle();
        }
    }

    /** Learns from what waits, oldest first, unless another thread is just doing that. */
    void settle() {
        if (!waiting || !settling.compareAndSet(false, true)) {
            return;
        }
        try {
            waiting = false;
            int oldest = next.get();
            int count = 0;
            for (int number = oldest; number != oldest + SLOTS; number++) {
                Open open = slots.get(slot(number)) == null ? null : slots.getAndSet(slot(number), null);
                if (open != null) {
                    recorder.record(open.session, open.file, open.nanos);
                    count++;
                }
            }
            recorded.accept(count);
        } finally {
            settling.set(false);
        }
    }

    /** Forgets what waits. */
    void clear() {
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.set(slot, null);
        }
    }

    private static int slot(int number) {
        return number & SLOTS - 1;
    }
}

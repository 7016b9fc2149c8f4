/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.learn;

import io.github.foresight.namenode.client.ClientSession;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the opens of clients that want no predictions, so that one handler learns from a batch of them. That handler has the
 * graph in its processor's cache, and no other handler uses the same session. At most {@value #SLOTS} opens wait, at the latest
 * until a prediction is needed. Thread-safe, never waits.
 */
final class PendingOpens {

    private static final int SLOTS = 64;

    /** A power of two, because the number of an open may be negative. */
    private static final int BATCH = 32;

    /** Learns from a client's opens. */
    @FunctionalInterface
    interface Recorder {

        /**
         * Learns from opens in turn.
         *
         * @param files the first blocks' ids of the opened files; may be overwritten
         * @param nanos when each file was opened
         * @param count how many there are
         */
        void record(ClientSession session, long[] files, long[] nanos, int count);
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

    /** The number of the next open. It wraps round after 2^32 opens; the lower bits stay correct then. */
    private final AtomicInteger next;

    private final AtomicBoolean settling = new AtomicBoolean();
    private volatile boolean waiting;

    /** Of the thread that is settling. */
    private final @Nullable Open[] batch = new Open[SLOTS];

    private final long[] files = new long[SLOTS];
    private final long[] nanos = new long[SLOTS];

    /**
     * Begins without opens.
     *
     * @param recorded receives the number of learned opens, once for each batch
     */
    PendingOpens(Recorder recorder, LongConsumer recorded) {
        this(recorder, recorded, 0);
    }

    /**
     * The same in the midst of its work.
     *
     * @param firstNumber of the next open
     */
    PendingOpens(Recorder recorder, LongConsumer recorded, int firstNumber) {
        this.recorder = recorder;
        this.recorded = recorded;
        this.next = new AtomicInteger(firstNumber);
    }

    /** Adds an open. A full batch is learned at once. If the slot of the open is taken, the open alone is learned at once. */
    void add(ClientSession session, long file, long nanos) {
        int number = next.getAndIncrement();
        if (!slots.compareAndSet(slot(number), null, new Open(session, file, nanos))) {
            recorder.record(session, new long[] {file}, new long[] {nanos}, 1);
            recorded.accept(1);
            return;
        }
        if (!waiting) {
            waiting = true;
        }
        if ((number & BATCH - 1) == BATCH - 1) {
            settle();
        }
    }

    /** Learns from all waiting opens, the oldest of each client first. Does nothing while another thread does so. */
    void settle() {
        if (!waiting || !settling.compareAndSet(false, true)) {
            return;
        }
        try {
            waiting = false;
            int count = take();
            for (int i = 0; i < count; i++) {
                Open open = batch[i];
                if (open != null) {
                    recorder.record(open.session, files, nanos, gather(open.session, i, count));
                }
            }
            recorded.accept(count);
        } finally {
            settling.set(false);
        }
    }

    /** Takes the waiting opens, oldest first. */
    private int take() {
        int oldest = next.get();
        int count = 0;
        for (int number = oldest; number != oldest + SLOTS; number++) {
            Open open = slots.get(slot(number)) == null ? null : slots.getAndSet(slot(number), null);
            if (open != null) {
                batch[count] = open;
                count++;
            }
        }
        return count;
    }

    /** Moves one client's opens out of the batch. */
    private int gather(ClientSession session, int begin, int end) {
        int gathered = 0;
        for (int i = begin; i < end; i++) {
            Open open = batch[i];
            if (open != null && open.session == session) {
                files[gathered] = open.file;
                nanos[gathered] = open.nanos;
                gathered++;
                batch[i] = null;
            }
        }
        return gathered;
    }

    /** Drops the waiting opens. */
    void clear() {
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.set(slot, null);
        }
    }

    private static int slot(int number) {
        return number & SLOTS - 1;
    }
}

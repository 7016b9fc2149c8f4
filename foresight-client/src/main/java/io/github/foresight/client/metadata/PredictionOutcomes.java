/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.OutcomeProto;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The outcomes of one client's predicted files, counted by confidence class until the next note to the NameNode.
 *
 * <p>Each predicted file counts once. It is used if it is opened among the next {@value #HORIZON_OPENS} opens; it is wasted if it is not,
 * or if it leaves the cache before. At most {@value #AWAITED_MAX} files are awaited; the oldest is wasted when one more comes. Constant
 * time for each file and open. Thread-safe.
 */
final class PredictionOutcomes {

    /** A prediction that is not used while the client opens so many files was wrong. */
    private static final int HORIZON_OPENS = 100;

    private static final int AWAITED_MAX = 4096;

    private final ClientMetrics metrics = ClientMetrics.INSTANCE;
    private final AtomicIntegerArray used = new AtomicIntegerArray(Usefulness.CLASSES);
    private final AtomicIntegerArray wasted = new AtomicIntegerArray(Usefulness.CLASSES);
    private final AtomicLong opens = new AtomicLong();

    /** Predicted files in the order in which they came, until they are judged. */
    @GuardedBy("awaited")
    private final Queue<CachedFile> awaited = new ArrayDeque<>();

    /** A predicted file has come; it should be opened soon. */
    void await(CachedFile file) {
        synchronized (awaited) {
            file.opensBefore = opens.get();
            awaited.add(file);
            if (awaited.size() > AWAITED_MAX) {
                judgeWasted(awaited.remove());
            }
        }
    }

    boolean isAwaiting() {
        synchronized (awaited) {
            return !awaited.isEmpty();
        }
    }

    /** The client opens a file, from the cache or not. Predictions that are overdue now are wasted, though still good to open. */
    void opening() {
        long now = opens.incrementAndGet();
        synchronized (awaited) {
            for (CachedFile oldest = awaited.peek();
                    oldest != null && now - oldest.opensBefore > HORIZON_OPENS;
                    oldest = awaited.peek()) {
                judgeWasted(awaited.remove());
            }
        }
    }

    /** A cached file is opened; returns whether that is the first open of a predicted file. */
    boolean opened(CachedFile file) {
        if (!file.isPrediction() || !file.used.compareAndSet(false, true)) {
            return false;
        }
        metrics.metadataUsed.incr();
        if (file.settled.compareAndSet(false, true)) {
            used.incrementAndGet(file.confidenceClass);
        }
        return true;
    }

    /** A cached file has left the cache for its age or for want of room. */
    void evicted(CachedFile file) {
        if (file.isPrediction() && !file.used.get()) {
            metrics.metadataWasted.incr();
            judgeWasted(file);
        }
    }

    private void judgeWasted(CachedFile file) {
        if (file.settled.compareAndSet(false, true)) {
            wasted.incrementAndGet(file.confidenceClass);
        }
    }

    /** Moves the counts since the last note into a note. */
    void moveTo(ClientNoteProto.Builder note) {
        for (int i = 0; i < Usefulness.CLASSES; i++) {
            int usedNow = used.getAndSet(i, 0);
            int wastedNow = wasted.getAndSet(i, 0);
            if (usedNow + wastedNow > 0) {
                note.addOutcomes(OutcomeProto.newBuilder()
                        .setConfidenceClass(i)
                        .setUsed(usedNow)
                        .setWasted(wastedNow));
            }
        }
    }
}

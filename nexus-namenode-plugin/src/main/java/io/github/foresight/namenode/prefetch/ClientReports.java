/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.prefetch;

import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.namenode.audit.OpenTrail;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.client.ClientSession;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.OutcomeProto;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Takes in what clients report with their requests: the opens that they served from cached layouts, and the outcomes of predictions.
 * A report counts only up to the files that the NameNode has granted the client. Thread-safe.
 */
final class ClientReports {

    /** More hits than this in one request are not worth the handler's time. */
    private static final int HITS_MAX = Notes.HITS_MAX;

    /** More outcomes of one class than this in one request are not believed. */
    private static final int OUTCOMES_MAX = 1000;

    private final AccessLearner learner;
    private final OpenTrail trail;
    private final NameNodeMetrics metrics;

    ClientReports(AccessLearner learner, OpenTrail trail, NameNodeMetrics metrics) {
        this.learner = learner;
        this.trail = trail;
        this.metrics = metrics;
    }

    /** Writes a client's opens from its cache to the trail of opens. The graph learns them, except stated hits, which it has learned already. */
    void recordHits(Caller caller, ClientSession session, ClientNoteProto note, long nowNanos) throws IOException {
        long[] unlearned = admit(caller, session, note.getHitsList());
        if (unlearned.length > 0) {
            learner.record(session, unlearned, nowNanos);
        }
        admit(caller, session, note.getStatedHitsList());
    }

    /** The newest of the reported opens, as far as the client was granted the files. They are in the trail then. */
    private long[] admit(Caller caller, ClientSession session, List<Long> reported) throws IOException {
        int skipped = Math.max(0, reported.size() - HITS_MAX);
        metrics.hitsDropped.incr(skipped);
        long[] hits = new long[reported.size() - skipped];
        Arrays.setAll(hits, i -> reported.get(skipped + i));
        if (hits.length == 0) {
            return hits;
        }
        int admitted = session.admit(hits);
        metrics.hits.incr(admitted);
        metrics.hitsRefused.incr(hits.length - admitted);
        if (admitted > 0) {
            trail.opened(
                    caller.user(),
                    OpenTrail.Opener.current(),
                    Arrays.copyOf(hits, admitted),
                    System.currentTimeMillis());
        }
        return Arrays.copyOf(hits, admitted);
    }

    /**
     * Learns from the reported outcomes of predicted files. Only one report of each class counts, because a Foresight client sends
     * no more. The number of used files is limited to the granted files. The number of wasted files is accepted as reported,
     * because it only reduces predictions.
     *
     * @param useful the outcomes of the client's user
     * @return how many of those predicted were used
     */
    int learnOutcomes(Usefulness useful, ClientSession session, ClientNoteProto note) {
        int predictedAndUsed = 0;
        long classesSeen = 0;
        for (OutcomeProto outcome : note.getOutcomesList()) {
            int confidenceClass = outcome.getConfidenceClass();
            boolean known = confidenceClass >= 0 && confidenceClass < Usefulness.CLASSES;
            if (!known || (classesSeen & 1L << confidenceClass) != 0) {
                metrics.reportsRefused.incr();
                continue;
            }
            classesSeen |= 1L << confidenceClass;
            int used = session.settle(Math.max(0, Math.min(OUTCOMES_MAX, outcome.getUsed())));
            int wasted = Math.max(0, Math.min(OUTCOMES_MAX, outcome.getWasted()));
            useful.ended(confidenceClass, used, wasted);
            metrics.used.incr(used);
            metrics.wasted.incr(wasted);
            predictedAndUsed += confidenceClass == Usefulness.LISTED ? 0 : used;
        }
        return predictedAndUsed;
    }
}

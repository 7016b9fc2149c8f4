/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The opens of one client that were served from its cache and not yet reported to the NameNode, by the files' first blocks. Opens of
 * stated files are kept apart, because the NameNode has learned them. The last {@value #OPENS_MAX} of each kind at most, in order. Thread-safe.
 */
final class ServedOpens {

    private static final int OPENS_MAX = 1000;

    @GuardedBy("this")
    private final Deque<Long> unlearned = new ArrayDeque<>();

    @GuardedBy("this")
    private final Deque<Long> learned = new ArrayDeque<>();

    /**
     * A file was opened from the cache.
     *
     * @param isLearned whether the NameNode has learned this open, with the file's status
     */
    synchronized void add(long firstBlock, boolean isLearned) {
        Deque<Long> opens = isLearned ? learned : unlearned;
        opens.add(firstBlock);
        if (opens.size() > OPENS_MAX) {
            opens.remove();
        }
    }

    /** Moves all opens into a note. */
    synchronized void moveTo(ClientNoteProto.Builder note) {
        note.addAllHits(unlearned).addAllStatedHits(learned);
        unlearned.clear();
        learned.clear();
    }

    /** Takes back the opens of a note that perhaps did not arrive, as far as there is room. */
    synchronized void takeBack(ClientNoteProto note) {
        takeBack(note.getHitsList(), unlearned);
        takeBack(note.getStatedHitsList(), learned);
    }

    private static void takeBack(List<Long> reported, Deque<Long> opens) {
        for (int i = reported.size() - 1; i >= 0 && opens.size() < OPENS_MAX; i--) {
            opens.addFirst(reported.get(i));
        }
    }
}

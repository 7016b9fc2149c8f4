/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The opens of one client that were served from its cache and not yet reported to the NameNode, by the files' first blocks. The
 * last {@value #OPENS_MAX} at most, in order. Thread-safe.
 */
final class ServedOpens {

    private static final int OPENS_MAX = 1000;

    @GuardedBy("this")
    private final Deque<Long> firstBlocks = new ArrayDeque<>();

    synchronized void add(long firstBlock) {
        firstBlocks.add(firstBlock);
        if (firstBlocks.size() > OPENS_MAX) {
            firstBlocks.remove();
        }
    }

    /** Moves all opens into a note. */
    synchronized void moveTo(ClientNoteProto.Builder note) {
        note.addAllHits(firstBlocks);
        firstBlocks.clear();
    }

    /** Takes back the opens of a note that perhaps did not arrive, as far as there is room. */
    synchronized void takeBack(ClientNoteProto note) {
        for (int i = note.getHitsCount() - 1; i >= 0 && firstBlocks.size() < OPENS_MAX; i--) {
            firstBlocks.addFirst(note.getHits(i));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.namenode.change.Invalidations.CacheQueue;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChangeTailTest {

    private static final long KEPT = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX = 100;

    /** A journal of one path an edit. */
    private static class FakeEdits implements ChangeTail.Edits {
        final TreeMap<Long, String> journal = new TreeMap<>();
        boolean active;
        boolean failing;
        long transition;
        long applied;

        void edit(String path) {
            journal.put(++applied, path);
        }

        @Override
        public boolean isActive() {
            return active;
        }

        @Override
        public long lastTransition() {
            return transition;
        }

        @Override
        public long lastApplied() {
            return applied;
        }

        /** Two edits at most at once. */
        @Override
        public long read(long after, long upTo, NamespaceChanges changes) throws IOException {
            if (failing) {
                throw new IOException("no journal");
            }
            long read = after;
            for (Long txId : journal.subMap(after, false, Math.min(upTo, after + 2), true)
                    .keySet()) {
                changes.changed(journal.get(txId));
                read = txId;
            }
            return read;
        }
    }

    private final NameNodeMetrics metrics = new NameNodeMetrics();
    private final FakeEdits edits = new FakeEdits();
    private final Invalidations invalidations = new Invalidations(100, 1 << 20, 1, () -> 0, metrics);
    private final ChangeTail tail =
            new ChangeTail(edits, new NamespaceChanges(path -> null, invalidations), invalidations, MAX, 1000, metrics);

    @AfterEach
    void close() {
        tail.close();
    }

    private NameNodeNoteProto granted(String... paths) {
        return granted(invalidations.position(), paths);
    }

    private NameNodeNoteProto granted(long readAt, String... paths) {
        CacheQueue queue = invalidations.queue(1, "alice");
        NameNodeNoteProto.Builder note = NameNodeNoteProto.newBuilder();
        for (String path : paths) {
            if (!invalidations.grant(queue, path, KEPT, readAt, 0)) {
                note.addInvalidated(path);
            }
        }
        queue.moveTo(note);
        return note.build();
    }

    @Test
    void observer_editsThatWereApplied_areNoticed() {
        tail.look(0);
        granted("/a/f", "/a/g");
        for (int i = 0; i < 5; i++) {
            edits.edit("/other/" + i);
        }
        edits.edit("/a/f");
        tail.look(0);
        assertThat(granted().getInvalidatedList()).containsExactly("/a/f");
        assertThat(metrics.editsTailed.value()).isEqualTo(6);
    }

    @Test
    void observer_editsNotAppliedYet_areNotNoticedYet() {
        tail.look(0);
        granted("/a/f");
        edits.edit("/a/f");
        edits.applied = 0;
        tail.look(0);
        assertThat(granted().getInvalidatedList()).isEmpty();
        edits.applied = 1;
        tail.look(0);
        assertThat(granted().getInvalidatedList()).containsExactly("/a/f");
    }

    @Test
    void observer_nothingGranted_passesOverAndRefusesWhatWasReadBefore() {
        tail.look(0);
        long readAt = invalidations.position();
        edits.edit("/a/f");
        edits.failing = true;
        tail.look(0);
        assertThat(granted(readAt, "/a/f").getInvalidatedList()).containsExactly("/a/f");
        assertThat(metrics.editsSkipped.value()).isZero();
    }

    @Test
    void observer_editsThatCannotBeRead_makeAllClientsForget() {
        tail.look(0);
        long record = granted("/a/f").getGrantRecord();
        edits.edit("/b");
        edits.failing = true;
        tail.look(0);
        assertThat(granted("/a/g").getGrantRecord()).isNotEqualTo(record);
        edits.failing = false;
        edits.edit("/a/g");
        tail.look(0);
        assertThat(granted().getInvalidatedList()).containsExactly("/a/g");
        assertThat(metrics.editsSkipped.value()).isEqualTo(1);
    }

    @Test
    void observer_editsThatAreGone_makeAllClientsForget() {
        tail.look(0);
        long record = granted("/a/f").getGrantRecord();
        edits.edit("/b");
        edits.journal.clear();
        tail.look(0);
        assertThat(granted().getGrantRecord()).isNotEqualTo(record);
    }

    @Test
    void observer_moreEditsThanAreReadAtOnce_makeAllClientsForget() {
        tail.look(0);
        long record = granted("/a/f").getGrantRecord();
        for (int i = 0; i <= MAX; i++) {
            edits.edit("/b");
        }
        tail.look(0);
        assertThat(granted().getGrantRecord()).isNotEqualTo(record);
    }

    @Test
    void transition_makesAllClientsForget() {
        edits.active = true;
        tail.look(0);
        long record = granted("/a/f").getGrantRecord();
        tail.look(0);
        assertThat(granted().getGrantRecord()).isEqualTo(record);
        edits.active = false;
        edits.transition++;
        tail.look(0);
        long asStandby = granted("/a/f").getGrantRecord();
        assertThat(asStandby).isNotEqualTo(record);
        edits.active = true;
        edits.transition++;
        tail.look(0);
        assertThat(granted().getGrantRecord()).isNotEqualTo(asStandby).isNotEqualTo(record);
    }

    @Test
    void active_readsNoEdits() {
        edits.active = true;
        edits.failing = true;
        tail.look(0);
        long record = granted("/a/f").getGrantRecord();
        edits.edit("/a/f");
        tail.look(0);
        assertThat(granted().getGrantRecord()).isEqualTo(record);
    }

    @Test
    void errorOfALook_endsThatLookAlone_andMakesAllClientsForget() {
        AtomicInteger looks = new AtomicInteger();
        FakeEdits broken = new FakeEdits() {
            @Override
            public long lastTransition() {
                if (looks.incrementAndGet() <= 2) {
                    throw looks.get() == 1 ? new AssertionError("a journal") : new OutOfMemoryError("as if");
                }
                return super.lastTransition();
            }
        };
        long record = granted("/a/f").getGrantRecord();
        try (ChangeTail failing = new ChangeTail(
                broken, new NamespaceChanges(path -> null, invalidations), invalidations, MAX, 10, metrics)) {
            failing.start();
            await().until(() -> looks.get() >= 4);
            assertThat(metrics.liveThreads.get()).isEqualTo(1);
        }
        assertThat(metrics.internalErrors.value()).isEqualTo(2);
        assertThat(granted().getGrantRecord()).isNotEqualTo(record);
    }
}

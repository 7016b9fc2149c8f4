/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.namenode.change.Invalidations.CacheQueue;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InvalidationsTest {

    private static final long KEPT = TimeUnit.SECONDS.toNanos(10);

    private final NameNodeMetrics metrics = new NameNodeMetrics();
    private final Invalidations invalidations = new Invalidations(3, 1 << 20, 1, () -> 0, metrics);

    private NameNodeNoteProto granted(String user, String... paths) {
        CacheQueue queue = invalidations.queue(1, user);
        for (String path : paths) {
            invalidations.grant(queue, path, KEPT, invalidations.position(), 0);
        }
        NameNodeNoteProto.Builder note = NameNodeNoteProto.newBuilder();
        queue.moveTo(note);
        return note.build();
    }

    @Test
    void changed_file_isInvalidatedOnceAtEachHolder() {
        NameNodeNoteProto first = granted("alice", "/a/f");
        granted("bob", "/a/g");
        invalidations.changed("/a/f");
        NameNodeNoteProto second = granted("alice");
        assertThat(second.getInvalidatedList()).containsExactly("/a/f");
        assertThat(second.getGrantRecord()).isEqualTo(first.getGrantRecord()).isNotZero();
        assertThat(granted("alice").getInvalidatedList()).isEmpty();
        assertThat(granted("bob").getInvalidatedList()).isEmpty();
        assertThat(invalidations.grantCount()).isEqualTo(1);
    }

    @Test
    void everythingChanged_nextReplyIsFromAnotherRecord() {
        NameNodeNoteProto first = granted("alice", "/a/f");
        invalidations.everythingChanged();
        assertThat(granted("alice").getGrantRecord()).isNotEqualTo(first.getGrantRecord());
    }

    @Test
    void anotherNameNode_answersFromAnotherRecord() {
        Invalidations other = new Invalidations(3, 1 << 20, 1_000_000, () -> 0, metrics);
        NameNodeNoteProto.Builder note = NameNodeNoteProto.newBuilder();
        other.queue(1, "alice").moveTo(note);
        assertThat(note.getGrantRecord()).isNotEqualTo(granted("alice").getGrantRecord());
    }

    @Test
    void changesMissed_whileTheFeatureWasOff_areMadeUpForByForgettingEverything() {
        NameNodeNoteProto first = granted("alice", "/a/f");
        invalidations.missedChange();
        NameNodeNoteProto second = granted("alice", "/a/g");
        assertThat(second.getGrantRecord()).isNotEqualTo(first.getGrantRecord());
        assertThat(granted("alice").getGrantRecord()).isEqualTo(second.getGrantRecord());
    }

    @Test
    void given_byInode_cannotBeFollowed() {
        CacheQueue queue = invalidations.queue(1, "alice");
        assertThat(invalidations.grant(queue, "/.reserved/.inodes/16387", KEPT, invalidations.position(), 0))
                .isFalse();
        assertThat(invalidations.grant(queue, "/a/f", KEPT, invalidations.position(), 0))
                .isTrue();
    }

    @Test
    void queue_ofAUserWithAVeryLongName_takesLittleRoom() {
        for (int i = 0; i < 10; i++) {
            invalidations.queue(1, "u".repeat(100_000) + i);
        }
        assertThat(invalidations.bytes()).isLessThan(20_000);
    }

    @Test
    void changesMissed_areMadeUpForBeforeAnyRequestIsAnswered() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 3000; i++) {
                long before = granted("alice", "/a/f").getGrantRecord();
                invalidations.missedChange();
                CyclicBarrier begin = new CyclicBarrier(2);
                Callable<Long> request = () -> {
                    begin.await();
                    return granted("alice").getGrantRecord();
                };
                for (Future<Long> record : threads.invokeAll(List.of(request, request))) {
                    assertThat(record.get()).isNotEqualTo(before);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void granted_belowReservedRaw_isInvalidatedByChangesOfTheFile() {
        granted("alice", "/.reserved/raw/a/f");
        invalidations.changed("/a");
        assertThat(granted("alice").getInvalidatedList()).containsExactly("/.reserved/raw/a/f");
    }

    @Test
    void given_whatHasChangedSinceItWasRead_cannotBeFollowed() {
        CacheQueue queue = invalidations.queue(1, "alice");
        long readAt = invalidations.position();
        invalidations.changed("/a");
        assertThat(invalidations.grant(queue, "/a/f", KEPT, readAt, 0)).isFalse();
    }

    @Test
    void changed_moreThanAreQueued_tellsToForgetEverything() {
        granted("alice", "/a/1", "/a/2", "/a/3", "/a/4");
        invalidations.changed("/a");
        NameNodeNoteProto note = granted("alice");
        assertThat(note.getAllInvalidated()).isTrue();
        assertThat(note.getInvalidatedList()).isEmpty();
        assertThat(granted("alice").getAllInvalidated()).as("once").isFalse();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.namenode.Invalidations.CacheQueue;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InvalidationsTest {

    private static final long KEPT = TimeUnit.SECONDS.toNanos(10);

    private final NameNodeMetrics metrics = new NameNodeMetrics();
    private final Invalidations invalidations = new Invalidations(3, 10, 100, metrics);
    private final CacheQueue alice = invalidations.queue(1, "alice");
    private final CacheQueue bob = invalidations.queue(1, "bob");

    private void give(CacheQueue queue, String path) {
        invalidations.given(queue, path, KEPT, invalidations.position(), 0);
    }

    private static NameNodeNoteProto said(CacheQueue queue) {
        NameNodeNoteProto.Builder note = NameNodeNoteProto.newBuilder();
        queue.moveTo(note);
        return note.build();
    }

    private static List<String> paths(CacheQueue queue) {
        return said(queue).getInvalidatedList();
    }

    @Test
    void changed_file_isToldToThoseThatHoldItOnce() {
        give(alice, "/a/f");
        give(bob, "/a/g");
        invalidations.changed("/a/f");
        assertThat(paths(alice)).containsExactly("/a/f");
        assertThat(paths(alice)).isEmpty();
        assertThat(paths(bob)).as("what bob was not given stays unknown to bob").isEmpty();
        assertThat(invalidations.grantCount()).isEqualTo(1);
    }

    @Test
    void changed_directory_isToldOfWhatIsBelowAndNotBeside() {
        give(alice, "/a/b/f");
        give(alice, "/a/bc");
        give(bob, "/a/b");
        invalidations.changed("/a/b/");
        assertThat(paths(alice)).containsExactly("/a/b/f");
        assertThat(paths(bob)).containsExactly("/a/b");
    }

    @Test
    void changed_root_isToldOfEverything() {
        give(alice, "/a/b/f");
        invalidations.changed("/");
        assertThat(paths(alice)).containsExactly("/a/b/f");
    }

    @Test
    void given_whatHasChangedSinceItWasRead_isToldAtOnce() {
        long readAt = invalidations.position();
        invalidations.changed("/a");
        invalidations.given(alice, "/a/f", KEPT, readAt, 0);
        assertThat(paths(alice)).containsExactly("/a/f");
        invalidations.given(alice, "/a/f", KEPT, invalidations.position(), 0);
        assertThat(paths(alice)).isEmpty();
    }

    @Test
    void given_afterMoreChangesThanAreRemembered_isToldToForgetEverything() {
        long readAt = invalidations.position();
        for (int i = 0; i < 5000; i++) {
            invalidations.changed("/elsewhere/" + i);
        }
        invalidations.given(alice, "/a/f", KEPT, readAt, 0);
        assertThat(said(alice).getAllInvalidated()).isTrue();
    }

    @Test
    void changed_moreThanAreQueued_tellsToForgetEverything() {
        for (int i = 0; i < 5; i++) {
            give(alice, "/a/" + i);
        }
        invalidations.changed("/a");
        NameNodeNoteProto note = said(alice);
        assertThat(note.getAllInvalidated()).isTrue();
        assertThat(note.getInvalidatedList()).isEmpty();
        assertThat(said(alice).getAllInvalidated()).as("once").isFalse();
    }

    @Test
    void given_moreThanAreKeptTrackOf_forgetsTheOldest() {
        for (int i = 0; i < 25; i++) {
            give(alice, "/a/" + i);
        }
        assertThat(invalidations.grantCount()).isEqualTo(10);
        invalidations.changed("/a/0");
        assertThat(paths(alice)).isEmpty();
        invalidations.changed("/a/24");
        assertThat(paths(alice)).containsExactly("/a/24");
    }

    @Test
    void given_later_forgetsWhatNoClientKeepsAnyLonger() {
        give(alice, "/a/f");
        invalidations.given(bob, "/b/f", KEPT, invalidations.position(), KEPT + TimeUnit.SECONDS.toNanos(2));
        assertThat(invalidations.grantCount()).isEqualTo(1);
    }
}

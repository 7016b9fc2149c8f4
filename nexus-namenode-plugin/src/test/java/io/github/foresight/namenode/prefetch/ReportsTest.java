/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.core.graph.Usefulness;
import io.github.foresight.namenode.audit.OpenTrail;
import io.github.foresight.namenode.audit.TrailFixture;
import io.github.foresight.namenode.change.Invalidations;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.learn.AccessLearner;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.settings.NameNodeSettings;
import io.github.foresight.protocol.conf.NameNodeKeys.Identity;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.OutcomeProto;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

/** The reports about a client's cache in each request. */
class ReportsTest {

    private final NameNodeMetrics metrics = new NameNodeMetrics();
    private final NameNodeSettings settings = NameNodeSettings.read(
            Map.of("foresight.namenode.graph.capacity", "1m", "foresight.namenode.prefetch.enabled", "false")::get);
    private final Features features = new Features(settings, metrics);
    private final AccessLearner learner = new AccessLearner(settings, metrics.opens::incr);
    private final Invalidations invalidations = new Invalidations(100, 1 << 20, 1, () -> 0, metrics);
    private final Caller caller = Caller.of("alice", "10.0.0.1", "c1", "", EnumSet.of(Identity.CLIENT), Set.of());

    private final TrailFixture trailed = new TrailFixture();
    private final OpenTrail trail = trailed.trail(1 << 20, metrics);

    @SuppressWarnings("NullAway") // nothing is predicted
    private final PrefetchReplies replies = new PrefetchReplies(
            settings, features, learner, invalidations, null, null, null, null, trail, null, metrics);

    private static LocatedBlocks layout(long firstBlock) {
        LocatedBlock block = new LocatedBlock(
                new ExtendedBlock("pool", firstBlock, 1, 1),
                new DatanodeInfoWithStorage[0],
                new String[0],
                new StorageType[0]);
        return new LocatedBlocks(1, false, List.of(block), block, true, null, null);
    }

    private void open(long file, ClientNoteProto.Builder note) throws Exception {
        replies.opened(caller, "/f" + file, layout(file), note.build(), null, 0);
    }

    @Test
    void outcomes_ofOneClassManyTimes_countOnce() throws Exception {
        ClientNoteProto.Builder note = ClientNoteProto.newBuilder();
        for (int i = 0; i < 10_000; i++) {
            note.addOutcomes(OutcomeProto.newBuilder()
                    .setConfidenceClass(Usefulness.classOf(0.5))
                    .setUsed(1)
                    .setWasted(1000));
        }
        open(1, note);
        assertThat(metrics.wasted.value()).isLessThanOrEqualTo(1000);
    }

    @Test
    void changes_thatAreMoreThanANoteMayHold_areToldAsAll() throws Exception {
        for (int changes : new int[] {10, 80}) {
            Invalidations.CacheQueue queue = invalidations.queue(0, "alice");
            for (int i = 0; i < changes; i++) {
                String path = "/" + "d".repeat(1000) + i;
                invalidations.grant(queue, path, 10_000_000_000L, invalidations.position(), System.nanoTime());
                invalidations.changed(path);
            }
            NameNodeNoteProto.Builder reply = replies.opened(
                    caller, "/f1", layout(1), ClientNoteProto.getDefaultInstance(), null, invalidations.position());
            assertThat(reply).isNotNull();
            assertThat(reply.getAllInvalidated()).isEqualTo(changes == 80);
            assertThat(reply.build().getSerializedSize()).isLessThanOrEqualTo(64 << 10);
        }
    }

    @Test
    void openedFile_thatCannotBeFollowed_isInvalidatedWithItsReplyOnce() throws Exception {
        String byInode = "/.reserved/.inodes/16387";
        NameNodeNoteProto.Builder reply = replies.opened(
                caller, byInode, layout(1), ClientNoteProto.getDefaultInstance(), null, invalidations.position());
        assertThat(reply).isNotNull();
        assertThat(reply.getInvalidatedList()).containsExactly(byInode);
    }

    @Test
    void reportThatFails_leavesTheChangesForTheNextReply() throws Exception {
        String path = "/a";
        Invalidations.CacheQueue queue = invalidations.queue(0, "alice");
        invalidations.grant(queue, path, 10_000_000_000L, invalidations.position(), System.nanoTime());
        invalidations.changed(path);
        // Without a namespace a listing's bundle fails.
        assertThatThrownBy(() -> replies.listed(
                        caller,
                        "/",
                        List.of("/b"),
                        ClientNoteProto.newBuilder().setFilesWanted(1).build(),
                        null,
                        invalidations.position()))
                .isInstanceOf(NullPointerException.class);
        NameNodeNoteProto.Builder reply = replies.opened(
                caller, "/f1", layout(1), ClientNoteProto.getDefaultInstance(), null, invalidations.position());
        assertThat(reply).isNotNull();
        assertThat(reply.getInvalidatedList()).containsExactly(path);
    }

    @Test
    void hits_ofFilesNeitherGrantedNorOpened_areNotLearned() throws Exception {
        ClientNoteProto.Builder note = ClientNoteProto.newBuilder();
        for (long file = 1000; file < 2000; file++) {
            note.addHits(file);
        }
        open(1, note);
        assertThat(metrics.hits.value()).isZero();
        assertThat(metrics.hitsRefused.value()).isEqualTo(1000);
        assertThat(learner.files().vertices()).isEqualTo(1);
    }

    @Test
    void hits_ofFilesThatTheClientHasOpened_areLearned() throws Exception {
        open(1, ClientNoteProto.newBuilder());
        open(2, ClientNoteProto.newBuilder());
        open(3, ClientNoteProto.newBuilder().addHits(1).addHits(99).addHits(2));
        assertThat(metrics.hits.value()).isEqualTo(2);
        assertThat(metrics.hitsRefused.value()).isEqualTo(1);
        assertThat(learner.files().vertices()).isEqualTo(3);
        trail.close();
        assertThat(trailed.lines).hasSize(2);
        assertThat(trailed.lines.poll()).contains("cmd=open\tsrc=/f1\t");
        assertThat(trailed.lines.poll()).contains("cmd=open\tsrc=/f2\t");
    }

    @Test
    void hits_ofOneFile_countABoundedNumberOfTimesForEachGrant() throws Exception {
        open(1, ClientNoteProto.newBuilder());
        ClientNoteProto.Builder note = ClientNoteProto.newBuilder();
        for (int i = 0; i < 1000; i++) {
            note.addHits(1);
        }
        open(2, note);
        assertThat(metrics.hits.value()).isEqualTo(100);
        assertThat(metrics.hitsRefused.value()).isEqualTo(900);
        open(3, note);
        assertThat(metrics.hits.value()).as("another open, as many again").isEqualTo(200);
    }

    @Test
    void filesUsed_areNoMoreThanWereGranted() throws Exception {
        ClientNoteProto.Builder note = ClientNoteProto.newBuilder()
                .addOutcomes(OutcomeProto.newBuilder()
                        .setConfidenceClass(Usefulness.classOf(0.5))
                        .setUsed(500)
                        .setWasted(3));
        open(1, note);
        assertThat(metrics.used.value()).isZero();
        assertThat(metrics.wasted.value()).isEqualTo(3);

        learner.session(caller, System.nanoTime()).granted(7);
        open(2, note);
        assertThat(metrics.used.value()).isEqualTo(1);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.fuzz.Fuzz;
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
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.OutcomeProto;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The NameNode takes or passes over every note that a client may send, with bounded work, and takes none for a failure of its own: failures
 * make a feature rest.
 */
class ClientNoteFuzzTest {

    private static final int HITS_MAX = 1000;
    private static final int OUTCOMES_MAX = 1000;
    private static final int ALLOCATED_MAX = 256 << 10;

    /** An outcome of two bytes is an object of some 60. */
    private static final int ALLOCATED_MAX_PER_BYTE = 128;

    private final NameNodeMetrics metrics = new NameNodeMetrics();

    /** Nothing is predicted, for there is no namespace; the size of a group bounds the predictions of a note. */
    private final NameNodeSettings settings = NameNodeSettings.read(Map.of(
            "foresight.namenode.graph.capacity", "1m",
            "foresight.namenode.prefetch.enabled", "false")::get);

    private final Features features = new Features(settings, metrics);
    private final AccessLearner learner = new AccessLearner(settings, metrics.opens::incr);
    private final Invalidations invalidations = new Invalidations(100, 1 << 20, 1, () -> 0, metrics);
    private final Caller caller = Caller.of("alice", "10.0.0.1", "c1", "", EnumSet.of(Identity.CLIENT), Set.of());
    private final LocatedBlocks layout = layout();

    private final OpenTrail trail = new TrailFixture().trail(1 << 20, metrics);

    @SuppressWarnings("NullAway") // nothing is predicted
    private final PrefetchReplies replies = new PrefetchReplies(
            settings, features, learner, invalidations, null, null, null, null, trail, null, metrics);

    private static LocatedBlocks layout() {
        LocatedBlock block = new LocatedBlock(
                new ExtendedBlock("pool", 1, 1, 1), new DatanodeInfoWithStorage[0], new String[0], new StorageType[0]);
        return new LocatedBlocks(1, false, List.of(block), block, true, null, null);
    }

    private static ClientNoteProto.Builder note() {
        return ClientNoteProto.newBuilder()
                .setCacheId(4711)
                .setFilesWanted(64)
                .setStatusWanted(true)
                .setMaxAgeMillis(10_000)
                .addHits(1)
                .addHits(2)
                .addStatedHits(1)
                .addOutcomes(OutcomeProto.newBuilder()
                        .setConfidenceClass(Usefulness.classOf(0.5))
                        .setUsed(3)
                        .setWasted(4));
    }

    /** More outcomes of one class than any client of ours sends. */
    private static ClientNoteProto.Builder ofOneClass(int times) {
        ClientNoteProto.Builder note = note();
        for (int i = 0; i < times; i++) {
            note.addOutcomes(OutcomeProto.newBuilder()
                    .setConfidenceClass(3)
                    .setUsed(1000)
                    .setWasted(1000));
        }
        return note;
    }

    private static GetBlockLocationsRequestProto.Builder open() {
        return GetBlockLocationsRequestProto.newBuilder()
                .setSrc("/f")
                .setOffset(0)
                .setLength(1);
    }

    private static GetBlockLocationsRequestProto request(UnknownFieldSet besides) {
        return open().setUnknownFields(besides).build();
    }

    private static byte[] noteBytes(ClientNoteProto.Builder note) {
        return Notes.fieldsWith(note)
                .getField(Notes.FIELD)
                .getLengthDelimitedList()
                .get(0)
                .toByteArray();
    }

    @Test
    void note_damaged_costsBoundedWork() {
        Fuzz.of("client-note", ClientNoteFuzzTest.class)
                .sample(noteBytes(note()))
                .sample(noteBytes(ClientNoteProto.newBuilder()))
                .sample(noteBytes(ofOneClass(100)))
                .allocatingAtMost(ALLOCATED_MAX, ALLOCATED_MAX_PER_BYTE)
                .into(message -> take(request(UnknownFieldSet.newBuilder()
                        .addField(
                                Notes.FIELD,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFrom(message))
                                        .build())
                        .build())));
        assertThat(metrics.hits.value()).as("hits learned").isPositive();
    }

    @Test
    void requestWithNote_damaged_costsBoundedWork() {
        Fuzz.of("request-with-note", ClientNoteFuzzTest.class)
                .sample(request(Notes.fieldsWith(note())).toByteArray())
                .sample(open().build().toByteArray())
                .allocatingAtMost(ALLOCATED_MAX, ALLOCATED_MAX_PER_BYTE)
                .into(ClientNoteFuzzTest::parsed, this::take);
    }

    /** Hadoop's RPC server refuses what cannot be parsed. */
    private static @Nullable GetBlockLocationsRequestProto parsed(byte[] message) {
        try {
            return GetBlockLocationsRequestProto.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            return null;
        }
    }

    private void take(GetBlockLocationsRequestProto request) throws IOException {
        long hits = metrics.hits.value();
        long outcomes = metrics.used.value() + metrics.wasted.value();
        ClientNoteProto said = Notes.clientNote(request);
        replies.opened(caller, "/f", layout, said, null, invalidations.position());
        assertThat(metrics.hits.value() - hits).as("hits learned").isLessThanOrEqualTo(2 * HITS_MAX);
        assertThat(metrics.used.value() + metrics.wasted.value() - outcomes)
                .as("outcomes learned")
                .isLessThanOrEqualTo(2L * OUTCOMES_MAX * Usefulness.CLASSES);
        assertThat(metrics.internalErrors.value()).as("internal errors").isZero();
    }
}

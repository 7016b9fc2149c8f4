/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.note;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.OutcomeProto;
import java.util.Collections;
import java.util.Random;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;

class NotesTest {

    private static final int CLASSES = 34;

    /** A message that may carry a note; any message type would do. */
    private static Message with(UnknownFieldSet fields) {
        return HintRequestProto.newBuilder().setUnknownFields(fields).build();
    }

    private static Message with(ByteString note) {
        return with(UnknownFieldSet.newBuilder()
                .addField(
                        Notes.FIELD,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(note)
                                .build())
                .build());
    }

    private static ClientNoteProto.Builder largest() {
        ClientNoteProto.Builder note = ClientNoteProto.newBuilder()
                .setCacheId(-1)
                .setFilesWanted(-1)
                .setMaxAgeMillis(-1)
                .setStatusWanted(true)
                .addAllHits(Collections.nCopies(Notes.HITS_MAX, 7L));
        for (int i = 0; i < CLASSES; i++) {
            note.addOutcomes(outcome(i));
        }
        return note;
    }

    private static OutcomeProto.Builder outcome(int confidenceClass) {
        return OutcomeProto.newBuilder()
                .setConfidenceClass(confidenceClass)
                .setUsed(-1)
                .setWasted(-1);
    }

    @Test
    void largestNoteOfAClient_isRead() {
        ClientNoteProto note = Notes.clientNote(with(Notes.fieldsWith(largest())));
        assertThat(note).isNotNull();
        assertThat(note.getHitsCount()).isEqualTo(Notes.HITS_MAX);
        assertThat(note.getOutcomesCount()).isEqualTo(CLASSES);
    }

    @Test
    void noteWithMoreOutcomesThanThereCanBe_isNone() {
        ClientNoteProto.Builder note = largest();
        for (int i = 0; i < 1000; i++) {
            note.addOutcomes(outcome(0));
        }
        Message request = with(Notes.fieldsWith(note));
        assertThat(Notes.clientNote(request)).isNull();
        assertThat(Notes.isIn(request)).isTrue();
    }

    @Test
    void noteOfMoreBytesThanThereCanBe_isNone() {
        ClientNoteProto.Builder note = ClientNoteProto.newBuilder().addAllHits(Collections.nCopies(100_000, 7L));
        assertThat(Notes.clientNote(with(Notes.fieldsWith(note)))).isNull();
    }

    @Test
    void noteWithALongFieldInIt_isNone() {
        OutcomeProto.Builder stuffed = outcome(0)
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                99,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFrom(new byte[1000]))
                                        .build())
                        .build());
        assertThat(Notes.clientNote(
                        with(Notes.fieldsWith(ClientNoteProto.newBuilder().addOutcomes(stuffed)))))
                .isNull();
    }

    @Test
    void largestNoteOfANameNode_isRead_andALargerOneIsNone() {
        NameNodeNoteProto.Builder note = NameNodeNoteProto.newBuilder();
        String path = "/" + "d".repeat(1023);
        for (int i = 0; i < 4000; i++) {
            note.addInvalidated(path);
        }
        assertThat(Notes.nameNodeNote(with(Notes.fieldsWith(note)))).isNotNull();
        for (int i = 0; i < 1000; i++) {
            note.addInvalidated(path);
        }
        assertThat(Notes.nameNodeNote(with(Notes.fieldsWith(note)))).isNull();
    }

    /** Any bytes are either read as a note or ignored. */
    @Test
    void bytesOfAnyKind_areANoteOrNone() {
        Random random = new Random(24);
        byte[] whole = MessageBytes.of(largest().build()).toByteArray();
        for (int i = 0; i < 20_000; i++) {
            byte[] mutated = whole.clone();
            for (int change = random.nextInt(8); change >= 0; change--) {
                // Hits are the largest part of a note; the interesting fields are before and after them.
                int at = random.nextBoolean() ? random.nextInt(40) : mutated.length - 1 - random.nextInt(500);
                mutated[at] = (byte) random.nextInt();
            }
            Message request = with(ByteString.copyFrom(mutated, 0, random.nextInt(mutated.length + 1)));
            ClientNoteProto note = Notes.clientNote(request);
            assertThat(note == null || note.getOutcomesCount() <= 256).isTrue();
        }
    }
}

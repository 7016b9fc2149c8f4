/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.note;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import org.junit.jupiter.api.Test;

class MessageBytesTest {

    private static ClientNoteProto note(int hits) {
        ClientNoteProto.Builder note = ClientNoteProto.newBuilder();
        for (long hit = 0; hit < hits; hit++) {
            note.addHits(hit);
        }
        return note.build();
    }

    @Test
    void of_isWhatProtobufWrites() {
        for (int hits : new int[] {0, 1, 5_000}) {
            assertThat(MessageBytes.of(note(hits))).isEqualTo(note(hits).toByteString());
        }
    }
}

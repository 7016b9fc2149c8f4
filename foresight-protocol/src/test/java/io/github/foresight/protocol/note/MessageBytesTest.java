/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.note;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
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
    void of_equalsProtobufsBytes() {
        for (int hits : new int[] {0, 1, 5_000}) {
            assertThat(MessageBytes.of(note(hits))).isEqualTo(note(hits).toByteString());
        }
    }

    @Test
    void parse_equalsProtobufsMessage() {
        for (int hits : new int[] {0, 1, 5_000}) {
            assertThat(MessageBytes.parse(MessageBytes.of(note(hits)), ClientNoteProto.parser()))
                    .isEqualTo(note(hits));
        }
    }

    @Test
    void parse_garbage_isNothing() {
        ByteString whole = MessageBytes.of(note(100));
        assertThat(MessageBytes.parse(whole.substring(0, whole.size() - 1), ClientNoteProto.parser()))
                .isNull();
        assertThat(MessageBytes.parse(ByteString.copyFromUtf8("garbage"), ClientNoteProto.parser()))
                .isNull();
        assertThat(MessageBytes.parse(ByteString.copyFrom(new byte[] {0x0c}), ClientNoteProto.parser()))
                .as("the end of a group that has no begin")
                .isNull();
    }

    @Test
    void parse_messageThatLacksAField_isNothing() {
        assertThat(MessageBytes.parse(ByteString.EMPTY, ExtendedBlockProto.parser()))
                .isNull();
    }
}

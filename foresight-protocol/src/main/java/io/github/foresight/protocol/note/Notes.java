/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.note;

import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.jspecify.annotations.Nullable;

/**
 * Puts notes into messages of HDFS's and takes them out.
 *
 * <p>A note is one length-delimited field of a number that HDFS does not use. Should a later Hadoop come to use it, the magic
 * number and the version in the note tell that what is found there is none. A note that cannot be read is no note. Stateless.
 */
public final class Notes {

    /** Far from the numbers that HDFS's messages give out, and outside of those that protobuf reserves. */
    public static final int FIELD = 46_837;

    static final int MAGIC = 0x46534e31;
    static final int VERSION = 1;

    /** The most hits that a client reports with one request. */
    public static final int HITS_MAX = 1000;

    /** A client's note has some ten fields and an outcome for each of 34 classes; the rest is room for later versions. */
    private static final FieldLimits OF_CLIENT = new FieldLimits(64 << 10, 256, 256, ClientNoteProto.HITS_FIELD_NUMBER);

    /** A NameNode's note is at most as long as {@code foresight.namenode.group.bytes.max} can be set, and a frame. */
    private static final FieldLimits OF_NAMENODE = new FieldLimits((4 << 20) + 4096, 1 << 20, 4 << 20);

    private Notes() {}

    /** The fields of a request with the client's note in it. */
    public static UnknownFieldSet fieldsWith(ClientNoteProto.Builder note) {
        return fields(MessageBytes.of(note.setMagic(MAGIC).setVersion(VERSION).build()));
    }

    /** The fields of a reply with the NameNode's note in it. */
    public static UnknownFieldSet fieldsWith(NameNodeNoteProto.Builder note) {
        return fields(note.setMagic(MAGIC).setVersion(VERSION).build().toByteString());
    }

    private static UnknownFieldSet fields(ByteString note) {
        return UnknownFieldSet.newBuilder()
                .addField(
                        FIELD,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(note)
                                .build())
                .build();
    }

    /** Whether a request holds what may be a client's note, be it one or not. */
    public static boolean isIn(Message request) {
        return request.getUnknownFields().hasField(FIELD);
    }

    /** The client's note in a request; null if there is none, or one that is larger than a client makes it. */
    public static @Nullable ClientNoteProto clientNote(Message request) {
        ByteString bytes = noteIn(request);
        if (bytes == null || !OF_CLIENT.admit(bytes)) {
            return null;
        }
        ClientNoteProto note = MessageBytes.parse(bytes, ClientNoteProto.parser());
        return note != null && note.getMagic() == MAGIC && note.getVersion() == VERSION ? note : null;
    }

    /** The NameNode's note in a reply; null if there is none, or one that is larger than a NameNode makes it. */
    public static @Nullable NameNodeNoteProto nameNodeNote(Message reply) {
        ByteString bytes = noteIn(reply);
        if (bytes == null || !OF_NAMENODE.admit(bytes)) {
            return null;
        }
        NameNodeNoteProto note = MessageBytes.parse(bytes, NameNodeNoteProto.parser());
        return note != null && note.getMagic() == MAGIC && note.getVersion() == VERSION ? note : null;
    }

    private static @Nullable ByteString noteIn(Message message) {
        UnknownFieldSet unknown = message.getUnknownFields();
        if (!unknown.hasField(FIELD)) {
            return null;
        }
        List<ByteString> notes = unknown.getField(FIELD).getLengthDelimitedList();
        return notes.size() == 1 ? notes.get(0) : null;
    }
}

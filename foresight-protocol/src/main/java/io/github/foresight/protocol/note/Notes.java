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
 * Adds notes to HDFS's messages and reads them. A note carries Foresight's data in a request or a reply of HDFS.
 *
 * <p>A note is one length-delimited field with a number that HDFS does not use. If a later Hadoop uses the number, the
 * magic number and the version in the note show that the field is no note. A note that cannot be read is ignored.
 * Stateless.
 */
public final class Notes {

    /**
     * The field number. It is far from the numbers of HDFS's messages, and outside of the range that protobuf reserves.
     */
    public static final int FIELD = 46_837;

    /** The characters FSN1. */
    static final int MAGIC = 0x46534e31;

    static final int VERSION = 1;

    /** The most hits that a client reports with one request. */
    public static final int HITS_MAX = 1000;

    /**
     * A client's note has about ten fields, and an outcome for each of 34 classes. The rest is room for later versions.
     */
    private static final FieldLimits OF_CLIENT = new FieldLimits(
            64 << 10, 256, 256, ClientNoteProto.HITS_FIELD_NUMBER, ClientNoteProto.STATEDHITS_FIELD_NUMBER);

    /**
     * A NameNode's note is at most as long as the largest {@code foresight.namenode.group.bytes.max}, plus a frame.
     */
    private static final FieldLimits OF_NAMENODE = new FieldLimits((4 << 20) + 4096, 1 << 20, 4 << 20);

    private Notes() {}

    /** The fields of a request with the client's note. */
    public static UnknownFieldSet fieldsWith(ClientNoteProto.Builder note) {
        return fields(MessageBytes.of(note.setMagic(MAGIC).setVersion(VERSION).build()));
    }

    /** The fields of a reply with the NameNode's note. */
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

    /** Whether a request has the field of a client's note; its content may still be no note. */
    public static boolean isIn(Message request) {
        return request.getUnknownFields().hasField(FIELD);
    }

    /** The client's note in a request; null if there is no note, or a note larger than any client's note. */
    public static @Nullable ClientNoteProto clientNote(Message request) {
        ByteString bytes = noteIn(request);
        if (bytes == null || !OF_CLIENT.admit(bytes)) {
            return null;
        }
        ClientNoteProto note = MessageBytes.parse(bytes, ClientNoteProto.parser());
        return note != null && note.getMagic() == MAGIC && note.getVersion() == VERSION ? note : null;
    }

    /** The NameNode's note in a reply; null if there is no note, or a note larger than any NameNode's note. */
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

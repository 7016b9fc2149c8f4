/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.note;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.hadoop.ipc.ResponseBuffer;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.ExtensionRegistryLite;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Converts messages to bytes and back without slowing down HDFS's own messages.
 *
 * <p>Protobuf's usual methods do the same, but the JVM compiles a call site by the classes that it has seen there. With
 * up to two classes it inlines both; with three classes it inlines none. HDFS's clients open files with two classes at
 * several such call sites. For this reason each of their messages would be slower after the JVM had seen one of
 * Foresight's. Stateless.
 */
public final class MessageBytes {

    /** The bytes of the length that the buffer puts before its content. */
    private static final int FRAME_BYTES = 4;

    private MessageBytes() {}

    /** The bytes of a message in one piece, written in the way in which HDFS's clients write their requests. */
    public static ByteString of(MessageLite message) {
        try {
            ResponseBuffer buffer = new ResponseBuffer(message.getSerializedSize());
            message.writeTo(buffer);
            Content content = new Content();
            buffer.writeTo(content);
            return content.bytes;
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    /**
     * The message in bytes; null if the bytes hold no message or the message lacks a field.
     *
     * @param parser the parser of the message's class that protobuf generated
     */
    public static <T extends MessageLite> @Nullable T parse(ByteString bytes, Parser<T> parser) {
        try {
            CodedInputStream in = bytes.newCodedInput();
            T message = parser.parsePartialFrom(in, ExtensionRegistryLite.getEmptyRegistry());
            in.checkLastTagWas(0);
            return message.isInitialized() ? message : null;
        } catch (InvalidProtocolBufferException e) {
            return null;
        }
    }

    /** Receives the content of the buffer in one call. */
    private static final class Content extends OutputStream {

        private ByteString bytes = ByteString.EMPTY;

        @Override
        public void write(byte[] frame, int offset, int length) {
            bytes = ByteString.copyFrom(frame, offset + FRAME_BYTES, length - FRAME_BYTES);
        }

        @Override
        public void write(int single) throws IOException {
            throw new IOException("a frame must be written in one piece");
        }
    }
}

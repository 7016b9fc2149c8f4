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
 * Makes bytes of messages, and messages of bytes, without slowing HDFS's own. Protobuf's usual ways do the same, but for each class that comes
 * by one of them the JVM compiles it differently: where it has seen two, it inlines both, and where it has seen three, none. HDFS's
 * clients open files with two, at several such places; so each message of theirs would take longer once a JVM had seen one of ours.
 * Stateless.
 */
public final class MessageBytes {

    /** Of the length that such a buffer puts before its content. */
    private static final int FRAME_BYTES = 4;

    private MessageBytes() {}

    /** The message's bytes, in one piece, written as HDFS's clients write their requests. */
    public static ByteString of(MessageLite message) {
        try {
            ResponseBuffer buffer = new ResponseBuffer(message.getSerializedSize());
            message.writeTo(buffer);
            Content content = new Content();
            buffer.writeTo(content);
            return content.bytes;
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written to", e);
        }
    }

    /**
     * The message in bytes, or null where there is none in them, or one that lacks a field.
     *
     * @param parser of the message's class; one that protobuf generated, which does nothing by itself that would concern others
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

    /** Takes over what such a buffer writes, in one go. */
    private static final class Content extends OutputStream {

        private ByteString bytes = ByteString.EMPTY;

        @Override
        public void write(byte[] frame, int offset, int length) {
            bytes = ByteString.copyFrom(frame, offset + FRAME_BYTES, length - FRAME_BYTES);
        }

        @Override
        public void write(int single) throws IOException {
            throw new IOException("a frame comes in one piece");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.note;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;

/**
 * Makes bytes of a message by way of a stream, as HDFS's clients make their requests. Protobuf's {@code toByteString} gives the same
 * but writes with another class, the one of HDFS's servers; a JVM that has used both inlines neither any more, and each message of
 * HDFS's is slower to write from then on. For clients, that is. Stateless.
 */
public final class MessageBytes {

    private MessageBytes() {}

    /** The message's bytes, in one piece. */
    public static ByteString of(MessageLite message) {
        ByteString.Output bytes = ByteString.newOutput(message.getSerializedSize());
        try {
            message.writeTo(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written to", e);
        }
        return bytes.toByteString();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The place of a field in a protobuf message: a tag, a length for content, then the value. The format is protobuf's
 * encoding without groups. Immutable.
 */
final class WireField {

    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int CONTENT = 2;
    private static final int FIXED_32 = 5;
    private static final int TYPE_BITS = 3;

    private final int type;
    private final int begin;
    private final int tagEnd;
    private final int valueBegin;
    private final int end;

    private WireField(int type, int begin, int tagEnd, int valueBegin, int end) {
        this.type = type;
        this.begin = begin;
        this.tagEnd = tagEnd;
        this.valueBegin = valueBegin;
        this.end = end;
    }

    /**
     * A random field of a message, each with the same probability; null if the message does not begin with a field.
     */
    static @Nullable WireField any(byte[] message, Random random) {
        List<WireField> fields = all(message);
        return fields.isEmpty() ? null : fields.get(random.nextInt(fields.size()));
    }

    /** The fields of a message, up to the first incomplete field. */
    static List<WireField> all(byte[] message) {
        List<WireField> fields = new ArrayList<>();
        int at = 0;
        while (at < message.length) {
            WireField field = at(message, at);
            if (field == null) {
                break;
            }
            fields.add(field);
            at = field.end;
        }
        return fields;
    }

    /** Whether the bytes consist of fields only. */
    static boolean isMessage(byte[] bytes) {
        List<WireField> fields = all(bytes);
        return !fields.isEmpty() && fields.get(fields.size() - 1).end == bytes.length;
    }

    private static @Nullable WireField at(byte[] message, int begin) {
        int tagEnd = varintEnd(message, begin);
        if (tagEnd < 0) {
            return null;
        }
        int type = message[begin] & ((1 << TYPE_BITS) - 1);
        int valueBegin = type == CONTENT ? varintEnd(message, tagEnd) : tagEnd;
        if (valueBegin < 0) {
            return null;
        }
        long end =
                switch (type) {
                    case VARINT -> varintEnd(message, tagEnd);
                    case FIXED_64 -> valueBegin + (long) Long.BYTES;
                    case FIXED_32 -> valueBegin + (long) Integer.BYTES;
                    case CONTENT -> valueBegin + Math.min(varint(message, tagEnd), message.length);
                    default -> -1;
                };
        return end < valueBegin || end > message.length
                ? null
                : new WireField(type, begin, tagEnd, valueBegin, (int) end);
    }

    /** The index after the varint at a place, or -1 if there is none. */
    private static int varintEnd(byte[] message, int begin) {
        for (int at = begin; at < message.length && at < begin + 10; at++) {
            if (message[at] >= 0) {
                return at + 1;
            }
        }
        return -1;
    }

    private static long varint(byte[] message, int begin) {
        long value = 0;
        int at = begin;
        for (int shift = 0; message[at] < 0; shift += 7) {
            value |= (message[at++] & 0x7fL) << shift;
        }
        return value | ((message[at] & 0x7fL) << (7 * (at - begin)));
    }

    int begin() {
        return begin;
    }

    int valueBegin() {
        return valueBegin;
    }

    int end() {
        return end;
    }

    boolean isVarint() {
        return type == VARINT;
    }

    /** Whether the value is a string, bytes, packed numbers or a message. */
    boolean hasContent() {
        return type == CONTENT;
    }

    byte[] content(byte[] message) {
        return Arrays.copyOfRange(message, valueBegin, end);
    }

    /** The message with other content and a matching length in this field. */
    byte[] withContent(byte[] message, byte[] content) {
        ByteArrayOutputStream result = new ByteArrayOutputStream(message.length + content.length);
        result.write(message, 0, tagEnd);
        result.writeBytes(MessageMutator.varint(content.length));
        result.writeBytes(content);
        result.write(message, end, message.length - end);
        return result.toByteArray();
    }
}

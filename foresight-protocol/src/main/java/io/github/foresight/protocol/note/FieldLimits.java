/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.note;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.WireFormat;

/**
 * Limits of a message from another process, which are checked before the message is parsed. They bound the bytes of the
 * message, the number of its fields, and the bytes of each length-delimited field. A repeated field is bounded by the
 * number of fields, a packed field by its length.
 *
 * <p>A check reads the fields of the message itself, not the fields within them. It takes time linear in the fields and
 * allocates a reader of a few tens of bytes. Immutable and thread-safe.
 */
final class FieldLimits {

    private final int bytesMax;
    private final int fieldsMax;
    private final int lengthMax;
    private final int[] longFields;

    /**
     * Makes limits.
     *
     * @param bytesMax the most bytes of the message
     * @param fieldsMax the most fields of the message; each value of a repeated field counts
     * @param lengthMax the most bytes of a length-delimited field
     * @param longFields the numbers of the fields that only the limit of the message bounds
     */
    FieldLimits(int bytesMax, int fieldsMax, int lengthMax, int... longFields) {
        this.bytesMax = bytesMax;
        this.fieldsMax = fieldsMax;
        this.lengthMax = lengthMax;
        this.longFields = longFields.clone();
    }

    /** Whether a message is well formed and within its limits. */
    boolean admit(ByteString message) {
        if (message.size() > bytesMax) {
            return false;
        }
        try {
            CodedInputStream in = message.newCodedInput();
            int fields = 0;
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                fields++;
                if (fields > fieldsMax || !skip(in, tag)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Skips a field; false if the field exceeds its limit. Foresight's messages have no groups. */
    private boolean skip(CodedInputStream in, int tag) throws IOException {
        int wireType = WireFormat.getTagWireType(tag);
        if (wireType == WireFormat.WIRETYPE_START_GROUP || wireType == WireFormat.WIRETYPE_END_GROUP) {
            return false;
        }
        if (wireType != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
            return in.skipField(tag);
        }
        int length = in.readRawVarint32();
        int field = WireFormat.getTagFieldNumber(tag);
        if (length < 0 || (length > lengthMax && Arrays.stream(longFields).noneMatch(other -> other == field))) {
            return false;
        }
        in.skipRawBytes(length);
        return true;
    }
}

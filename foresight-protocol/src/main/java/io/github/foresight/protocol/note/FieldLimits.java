/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.note;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.WireFormat;

/**
 * Limits of a message from another process, which are checked before the message is parsed: its bytes, how many fields it has, and the
 * bytes of each field that has a length. A repeated field is bounded by the number of fields, a packed one by its length.
 *
 * <p>A check walks over the fields of the message itself, not over what is in them; it allocates a reader of some tens of bytes.
 * Immutable.
 */
final class FieldLimits {

    private final int bytesMax;
    private final int fieldsMax;
    private final int lengthMax;
    private final int[] longFields;

    /**
     * Makes limits.
     *
     * @param bytesMax of the message
     * @param fieldsMax of the message, a repeated field counting as often as it stands there
     * @param lengthMax bytes of a field that has a length
     * @param longFields numbers of the fields that only the message's own limit bounds
     */
    FieldLimits(int bytesMax, int fieldsMax, int lengthMax, int... longFields) {
        this.bytesMax = bytesMax;
        this.fieldsMax = fieldsMax;
        this.lengthMax = lengthMax;
        this.longFields = longFields.clone();
    }

    /** Whether a message is within its limits, and its fields can be told apart. */
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

    /** Whether the field was within its limit. No message of ours has groups. */
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

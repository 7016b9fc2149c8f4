/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.fuzz;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * Makes damaged messages from valid messages. Each damaged message is a sample with one to eight edits; it depends only
 * on the seed and the samples.
 *
 * <p>Edits change bytes anywhere. In half of the protobuf messages they change fields instead, at any depth, and
 * rewrite the lengths of the enclosing messages. Without this a parser would refuse nearly all messages, and the code
 * behind the parser would get none. Both kinds of edits prefer the places where a handler trusts a message most: they
 * write numbers from the edges of ranges, and they repeat a part many times. A message has at most {@link #BYTES_MAX}
 * bytes. Not thread-safe.
 */
public final class MessageMutator {

    /** The most bytes of a message; the samples are far smaller. Chosen, not measured. */
    public static final int BYTES_MAX = 64 << 10;

    private static final int EDITS_MAX = 8;
    private static final int PART_MAX = 64;
    private static final int REPEATS_MAX = 2000;
    private static final int DEPTH_MAX = 4;
    private static final long[] EDGES = {
        0,
        1,
        -1,
        2,
        127,
        128,
        255,
        256,
        65_535,
        65_536,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 32,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private final Random random;

    /** Makes the sequence of messages of a seed. */
    public MessageMutator(long seed) {
        this.random = new Random(seed);
    }

    /** The next message: one of the samples, damaged. */
    public byte[] next(List<byte[]> samples) {
        byte[] message = samples.get(random.nextInt(samples.size())).clone();
        boolean byFields = random.nextBoolean() && WireField.isMessage(message);
        for (int edits = 1 + random.nextInt(EDITS_MAX); edits > 0; edits--) {
            message = byFields ? withFieldEdited(message) : edited(message, samples);
        }
        return message.length <= BYTES_MAX ? message : Arrays.copyOf(message, BYTES_MAX);
    }

    /** Changes bytes anywhere. */
    private byte[] edited(byte[] message, List<byte[]> samples) {
        int at = random.nextInt(message.length + 1);
        int length = random.nextInt(Math.min(PART_MAX, message.length - at) + 1);
        return switch (random.nextInt(9)) {
            case 0 -> replaced(message, at, length, new byte[0]);
            case 1 -> replaced(message, at, 0, noise(random.nextInt(PART_MAX)));
            case 2 -> replaced(message, at, length, noise(length));
            case 3 -> replaced(message, at, random.nextInt(2) * length, varint(edge()));
            case 4 -> replaced(message, at, Math.min(Long.BYTES, message.length - at), fixed(edge()));
            case 5 -> replaced(message, at, 0, repeated(Arrays.copyOfRange(message, at, at + length)));
            case 6 -> spliced(message, at, samples.get(random.nextInt(samples.size())));
            case 7 -> Arrays.copyOf(message, at);
            default -> bitFlipped(message, at);
        };
    }

    /** Changes a field of the message or of an inner message; a message without fields stays as it is. */
    private byte[] withFieldEdited(byte[] message) {
        Deque<byte[]> around = new ArrayDeque<>();
        Deque<WireField> fields = new ArrayDeque<>();
        byte[] inner = message;
        WireField field = WireField.any(inner, random);
        while (field != null && field.hasContent() && around.size() < DEPTH_MAX && random.nextInt(3) > 0) {
            WireField within = WireField.any(field.content(inner), random);
            if (within == null) {
                break;
            }
            around.push(inner);
            fields.push(field);
            inner = field.content(inner);
            field = within;
        }
        byte[] result = field == null ? inner : fieldEdited(inner, field);
        while (!around.isEmpty()) {
            result = fields.pop().withContent(around.pop(), result);
        }
        return result;
    }

    private byte[] fieldEdited(byte[] message, WireField field) {
        byte[] whole = Arrays.copyOfRange(message, field.begin(), field.end());
        return switch (random.nextInt(5)) {
            case 0 -> replaced(message, field.begin(), whole.length, new byte[0]);
            case 1 -> replaced(message, field.begin(), 0, repeated(whole));
            case 2 -> replaced(message, anyField(message).begin(), 0, whole);
            default -> valueEdited(message, field);
        };
    }

    private WireField anyField(byte[] message) {
        return Objects.requireNonNull(WireField.any(message, random));
    }

    private byte[] valueEdited(byte[] message, WireField field) {
        if (field.hasContent()) {
            byte[] content = field.content(message);
            boolean whole = WireField.isMessage(content) && random.nextInt(4) > 0;
            return field.withContent(message, whole ? repeated(content) : edited(content, List.of(content)));
        }
        int length = field.end() - field.valueBegin();
        byte[] value = field.isVarint() ? varint(edge()) : fixed(edge(), length);
        return replaced(message, field.valueBegin(), length, value);
    }

    private static byte[] replaced(byte[] message, int at, int length, byte[] by) {
        byte[] result = new byte[message.length - length + by.length];
        System.arraycopy(message, 0, result, 0, at);
        System.arraycopy(by, 0, result, at, by.length);
        System.arraycopy(message, at + length, result, at + by.length, message.length - at - length);
        return result;
    }

    private byte[] noise(int length) {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        return noise;
    }

    private long edge() {
        return EDGES[random.nextInt(EDGES.length)] + random.nextInt(3) - 1;
    }

    static byte[] varint(long value) {
        byte[] bytes = new byte[10];
        int length = 0;
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return Arrays.copyOf(bytes, length);
    }

    /** A number of one, two, four or eight bytes. */
    private byte[] fixed(long value) {
        return fixed(value, 1 << random.nextInt(4));
    }

    /** A number in big-endian or little-endian order. */
    private byte[] fixed(long value, int length) {
        byte[] bytes = new byte[length];
        boolean bigEndian = random.nextBoolean();
        for (int i = 0; i < bytes.length; i++) {
            bytes[bigEndian ? bytes.length - 1 - i : i] = (byte) (value >>> (8 * i));
        }
        return bytes;
    }

    private byte[] repeated(byte[] part) {
        int times = part.length == 0 ? 0 : Math.min(random.nextInt(REPEATS_MAX), BYTES_MAX / part.length);
        byte[] result = new byte[times * part.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = part[i % part.length];
        }
        return result;
    }

    private byte[] spliced(byte[] message, int at, byte[] other) {
        int from = random.nextInt(other.length + 1);
        return replaced(message, at, message.length - at, Arrays.copyOfRange(other, from, other.length));
    }

    private byte[] bitFlipped(byte[] message, int at) {
        if (at == message.length) {
            return message;
        }
        byte[] result = message.clone();
        result[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        return result;
    }
}

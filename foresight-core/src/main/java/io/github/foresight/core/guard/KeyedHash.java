/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

/**
 * SipHash-2-4 of a string with another string or with a number. Without the key nobody can construct strings with a
 * chosen 64-bit hash.
 *
 * <p>The message is one word and the characters; the word is the number, or the length of the first string. A string is
 * hashed as its UTF-16 units in little-endian order, without a copy. Takes time linear in the strings' lengths; no
 * allocation. Immutable and thread-safe.
 *
 * <p>Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.
 */
public final class KeyedHash {

    private static final int CHARS_PER_WORD = Long.BYTES / Character.BYTES;
    private static final int FINAL_ROUNDS = 4;

    private final long key0;
    private final long key1;

    /** Makes a hash with a key of 128 bits, from a source of randomness that others cannot see. */
    public KeyedHash(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    /**
     * The hash of two strings; a character in the first string counts differently from the same character in the
     * second.
     */
    public long of(CharSequence text, CharSequence more) {
        Rounds rounds = new Rounds(key0, key1);
        rounds.add(text.length());
        return rounds.end(text, more);
    }

    /** The hash of a string and a number. */
    public long of(CharSequence text, long number) {
        Rounds rounds = new Rounds(key0, key1);
        rounds.add(number);
        return rounds.end(text, "");
    }

    /** The state of one hash; it does not escape, so that the compiler keeps it in registers. */
    private static final class Rounds {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        Rounds(long key0, long key1) {
            v0 = key0 ^ 0x736f6d6570736575L;
            v1 = key1 ^ 0x646f72616e646f6dL;
            v2 = key0 ^ 0x6c7967656e657261L;
            v3 = key1 ^ 0x7465646279746573L;
        }

        void add(long word) {
            v3 ^= word;
            round();
            round();
            v0 ^= word;
        }

        /** Adds the characters of two strings, and ends a message of one word and these characters. */
        long end(CharSequence text, CharSequence more) {
            int length = text.length() + more.length();
            long word = 0;
            for (int i = 0; i < length; i++) {
                char unit = i < text.length() ? text.charAt(i) : more.charAt(i - text.length());
                word |= (long) unit << (Character.SIZE * (i % CHARS_PER_WORD));
                if (i % CHARS_PER_WORD == CHARS_PER_WORD - 1) {
                    add(word);
                    word = 0;
                }
            }
            long bytes = Long.BYTES + (long) length * Character.BYTES;
            add(word | bytes << (Long.SIZE - Byte.SIZE));
            v2 ^= 0xff;
            for (int i = 0; i < FINAL_ROUNDS; i++) {
                round();
            }
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void round() {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}

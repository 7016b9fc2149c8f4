/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Compares the hash with Guava's SipHash-2-4. */
class KeyedHashTest {

    @Property
    void hash_isSipHashOfAWordAndTheUtf16Units(
            @ForAll long key0, @ForAll long key1, @ForAll String text, @ForAll String more, @ForAll long number) {
        KeyedHash hash = new KeyedHash(key0, key1);
        assertThat(hash.of(text, more)).isEqualTo(sipHash(key0, key1, text.length(), text + more));
        assertThat(hash.of(text, number)).isEqualTo(sipHash(key0, key1, number, text));
    }

    private static long sipHash(long key0, long key1, long word, String text) {
        ByteBuffer message = ByteBuffer.allocate(Long.BYTES + text.length() * Character.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(word);
        for (int i = 0; i < text.length(); i++) {
            message.putChar(text.charAt(i));
        }
        return Hashing.sipHash24(key0, key1).hashBytes(message.array()).asLong();
    }

    @Example
    void texts_thatAreDividedOtherwise_haveOtherHashes() {
        KeyedHash hash = new KeyedHash(1, 2);
        assertThat(hash.of("a/b", "/c")).isNotEqualTo(hash.of("a", "/b/c"));
    }
}

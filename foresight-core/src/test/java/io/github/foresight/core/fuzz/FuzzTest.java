/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FuzzTest {

    private static final byte[] SAMPLE = {1, 2, 3, 4, 5, 6, 7, 8};

    /** A number in field 1, and in field 2 a message with a number in field 3. */
    private static final byte[] NESTED = {1 << 3, 5, 2 << 3 | 2, 2, 3 << 3, 7};

    @Test
    void messages_ofOneSeed_areTheSame() {
        MessageMutator one = new MessageMutator(7);
        MessageMutator other = new MessageMutator(7);
        for (int i = 0; i < 1000; i++) {
            assertThat(one.next(List.of(SAMPLE))).isEqualTo(other.next(List.of(SAMPLE)));
        }
    }

    @Test
    void messages_areManyAndBounded() {
        MessageMutator mutator = new MessageMutator(7);
        Set<String> different = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            byte[] message = mutator.next(List.of(SAMPLE, new byte[0]));
            assertThat(message.length).isLessThanOrEqualTo(MessageMutator.BYTES_MAX);
            different.add(Fuzz.hex(message));
        }
        assertThat(different).hasSizeGreaterThan(500);
    }

    @Test
    void fields_ofAMessage_areFound() {
        List<WireField> fields = WireField.all(NESTED);
        assertThat(fields).extracting(WireField::begin).containsExactly(0, 2);
        assertThat(fields).extracting(WireField::end).containsExactly(2, 6);
        assertThat(fields.get(1).content(NESTED)).containsExactly(3 << 3, 7);
        assertThat(fields.get(1).withContent(NESTED, new byte[] {9})).containsExactly(1 << 3, 5, 2 << 3 | 2, 1, 9);
    }

    @Test
    void fields_thatAreCutOff_areNone() {
        assertThat(WireField.all(new byte[] {2 << 3 | 2, 3, 1, 1})).isEmpty();
        assertThat(WireField.all(new byte[] {2 << 3 | 2, -1})).isEmpty();
        assertThat(WireField.all(new byte[] {1 << 3, -1, -1})).isEmpty();
        assertThat(WireField.all(new byte[] {1 << 3 | 1, 0, 0, 0})).isEmpty();
        assertThat(WireField.all(new byte[] {2 << 3 | 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}))
                .isEmpty();
    }

    /** A parser of the inner message must still accept most damaged messages. */
    @Test
    void messages_ofProtobuf_oftenStayParsable() {
        MessageMutator mutator = new MessageMutator(7);
        int parsable = 0;
        for (int i = 0; i < 1000; i++) {
            parsable += WireField.isMessage(mutator.next(List.of(NESTED))) ? 1 : 0;
        }
        assertThat(parsable).isGreaterThan(400);
    }

    @Test
    void run_takesSamplesAndDamagedMessages() {
        List<byte[]> taken = new ArrayList<>();
        fuzz().into(taken::add);
        assertThat(taken).hasSizeGreaterThan(1000);
        assertThat(taken).anyMatch(message -> Fuzz.hex(message).equals(Fuzz.hex(SAMPLE)));
    }

    @Test
    void failure_namesTheMessage() {
        assertThatThrownBy(() -> fuzz().into(message -> {
                    throw new IllegalStateException("on purpose");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching("(?s)self .seed -?[0-9]+. fails with .*on purpose for [0-9a-f]*");
    }

    @Test
    void allocation_beyondTheLimit_fails() {
        byte[][] kept = new byte[1][];
        fuzz().allocatingAtMost(1 << 20, 0).into(message -> kept[0] = new byte[1 << 10]);
        assertThatThrownBy(() -> fuzz().allocatingAtMost(1 << 20, 0).into(message -> kept[0] = new byte[2 << 20]))
                .hasMessageContaining(") allocates");
    }

    @Test
    void foundCase_isTaken() {
        List<String> taken = new ArrayList<>();
        fuzz().into(message -> taken.add(Fuzz.hex(message)));
        assertThat(taken).contains("000102030405060708090a0b0c0d0e0f");
    }

    private static Fuzz fuzz() {
        return Fuzz.of("self", FuzzTest.class).sample(SAMPLE).messages(2000);
    }
}

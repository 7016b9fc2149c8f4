/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ValueTypeTest {

    private enum Colour {
        DARK_BLUE,
        RED
    }

    private static <T> ConfKey<T> key(ValueType<T> type, String defaultText) {
        return ConfKey.of("foresight.test", type, defaultText, "For tests.");
    }

    private static void assertRefused(ConfKey<?> key, String... texts) {
        for (String text : texts) {
            assertThatExceptionOfType(InvalidValueException.class)
                    .as(text)
                    .isThrownBy(() -> key.parse(text))
                    .withMessage("foresight.test is '" + text + "'; accepted is " + key.accepted());
        }
    }

    @Test
    void bool_trueAndFalseInAnyCase_areTaken() {
        ConfKey<Boolean> key = key(ValueType.bool(), "true");
        assertThat(key.parse("true")).isTrue();
        assertThat(key.parse(" FALSE\n")).isFalse();
        assertThat(key.accepted()).isEqualTo("true or false");
        assertRefused(key, "", "yes", "1", "truefalse");
    }

    @Test
    void integer_withinBounds_isTaken() {
        ConfKey<Integer> key = key(ValueType.integer(2, 64), "2");
        assertThat(key.parse("2")).isEqualTo(2);
        assertThat(key.parse(" 064 ")).isEqualTo(64);
        assertThat(key.accepted()).isEqualTo("a whole number from 2 to 64");
        assertRefused(key, "1", "65", "-2", "+2", "2.0", "2k", "", "two", "99999999999999999999999999");
    }

    @Test
    void integer_largest_isTaken() {
        assertThat(key(ValueType.integer(0, Integer.MAX_VALUE), "0").parse("2147483647"))
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void fraction_withinBounds_isTaken() {
        ConfKey<Double> key = key(ValueType.fraction(0, 10), "0.2");
        assertThat(key.parse("0")).isZero();
        assertThat(key.parse("10.0")).isEqualTo(10);
        assertThat(key.parse("2.5e-1")).isEqualTo(0.25);
        assertThat(key.accepted()).isEqualTo("a number from 0.0 to 10.0");
        assertRefused(key, "-0.1", "10.1", "1e400", "NaN", "Infinity", "", "0,2", "20%");
    }

    @Test
    void size_eachSuffix_isBytes() {
        ConfKey<Long> key = key(ValueType.bytes("0", "64t"), "0");
        assertThat(key.parse("17")).isEqualTo(17);
        assertThat(key.parse("17b")).isEqualTo(17);
        assertThat(key.parse("3k")).isEqualTo(3L << 10);
        assertThat(key.parse("3 M")).isEqualTo(3L << 20);
        assertThat(key.parse("3G")).isEqualTo(3L << 30);
        assertThat(key.parse("64t")).isEqualTo(64L << 40);
        assertThat(key.accepted()).isEqualTo("a size from 0 to 64t, in bytes or with suffix k, m, g or t");
    }

    @Test
    void size_outOfBoundsOrShape_isRefused() {
        ConfKey<Long> key = key(ValueType.bytes("64k", "64m"), "4m");
        assertThat(key.parse("65536")).isEqualTo(64 << 10);
        assertThat(key.parse("64m")).isEqualTo(64 << 20);
        assertRefused(key, "65535", "67108865", "1t", "16777216t", "18446744073709551616k", "-64k", "64kb", "1.5m");
        assertRefused(key, "", "k", "auto", "64p", "0x10000");
    }

    @Test
    void sizeOrAuto_auto_isMinusOne() {
        ConfKey<Long> key = key(ValueType.bytesOrAuto("0", "1g"), "auto");
        assertThat(key.parse("Auto")).isEqualTo(-1);
        assertThat(key.parse("0")).isZero();
        assertThat(key.parse("1g")).isEqualTo(1 << 30);
        assertThat(key.accepted()).startsWith("'auto', or a size from 0 to 1g");
        assertRefused(key, "-1", "automatic", "2g");
    }

    @Test
    void duration_eachSuffix_isATime() {
        ConfKey<Duration> key = key(ValueType.duration("0", "365d"), "0");
        assertThat(key.parse("1500")).isEqualTo(Duration.ofMillis(1500));
        assertThat(key.parse("1500ms")).isEqualTo(Duration.ofMillis(1500));
        assertThat(key.parse("30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(key.parse("5M")).isEqualTo(Duration.ofMinutes(5));
        assertThat(key.parse("2h")).isEqualTo(Duration.ofHours(2));
        assertThat(key.parse("365d")).isEqualTo(Duration.ofDays(365));
        assertThat(key.accepted()).isEqualTo("a time from 0 to 365d, in milliseconds or with suffix ms, s, m, h or d");
    }

    @Test
    void duration_outOfBoundsOrShape_isRefused() {
        ConfKey<Duration> key = key(ValueType.duration("1s", "1d"), "1s");
        assertThat(key.parse("1000")).isEqualTo(Duration.ofSeconds(1));
        assertThat(key.parse("24h")).isEqualTo(Duration.ofDays(1));
        assertRefused(key, "999", "999ms", "25h", "2d", "0", "-1s", "1us", "1ns", "1 s s", "1m30s", "", "s");
    }

    @Test
    void choice_labels_areLowerCaseWithHyphens() {
        ConfKey<Colour> key = key(ValueType.choice(Colour.class), "red");
        assertThat(key.parse("dark-blue")).isEqualTo(Colour.DARK_BLUE);
        assertThat(key.parse("Red")).isEqualTo(Colour.RED);
        assertThat(key.accepted()).isEqualTo("one of dark-blue, red");
        assertRefused(key, "dark_blue", "", "green", "re");
    }

    @Test
    void directories_absoluteAndPlain_areTakenWithoutTheSlashAtTheEnd() {
        ConfKey<Set<String>> key = key(ValueType.directories(), "");
        assertThat(key.parse("/a, /b/c/")).containsExactlyInAnyOrder("/a", "/b/c");
        assertThat(key.parse("/a/..b/.c")).containsExactly("/a/..b/.c");
        assertThat(key.parse("/")).containsExactly("/");
        assertThat(key.parse(" ")).isEmpty();
        assertRefused(key, "a", "/a//b", "/a/../b", "/a/.", "hdfs://host/a");
    }

    @Test
    void className_qualifiedOrEmpty_isTakenAsWritten() {
        ConfKey<String> key = key(ValueType.className(), "");
        assertThat(key.parse(" org.example.My$Provider_1 ")).isEqualTo("org.example.My$Provider_1");
        assertThat(key.parse("Provider")).isEqualTo("Provider");
        assertThat(key.parse(" ")).isEmpty();
        assertRefused(key, "org.example.", ".Provider", "org..example", "1.Provider", "my provider", "a-b", "A,B");
    }

    @Test
    void bounds_thatAreNone_areAProgrammersError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueType.bytes("few", "1g"))
                .withMessage("not a size: few");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueType.duration("0", "long"))
                .withMessage("not a time: long");
    }
}

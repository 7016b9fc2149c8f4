/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClassesAheadTest {

    private static final AtomicBoolean INITIALIZED = new AtomicBoolean();

    /** Notes that it is initialized. */
    static final class Initialized {
        static {
            INITIALIZED.set(true);
        }
    }

    static Stream<String> names() {
        return ClassesAhead.names().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void each_isThere(String name) {
        assertThatCode(() -> ClassesAhead.link(name)).doesNotThrowAnyException();
    }

    @Test
    void link_doesNotInitialize() throws ReflectiveOperationException {
        ClassesAhead.link(ClassesAheadTest.class.getName() + "$Initialized");

        assertThat(INITIALIZED).isFalse();
    }

    @Test
    void link_ofAClassThatIsMissing_saysSo() {
        assertThatThrownBy(() -> ClassesAhead.link("org.apache.hadoop.hdfs.Missing"))
                .isInstanceOf(ClassNotFoundException.class);
    }
}

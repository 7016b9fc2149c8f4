/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.foresight.core.document.DocumentedCommands;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands beside the figures in the documents are ones that can be run as they are written. */
class DocumentedCommandsTest {

    /** JMH runs these two; its options are not ours. The page's list of benchmarks is no command. */
    private static final Predicate<String> IS_ELSEWHERE = command -> command.startsWith("bench graph ")
            || command.startsWith("bench placement ")
            || command.startsWith("bench NAME ");

    static List<String> commands() {
        return DocumentedCommands.of(Set.of("bench", "demo")).stream()
                .filter(IS_ELSEWHERE.negate())
                .toList();
    }

    /** A word in capitals stands for a value that the reader chooses. */
    @ParameterizedTest
    @MethodSource("commands")
    void documentedCommand_isUnderstood(String command) {
        String[] words = command.replaceAll("\\bN\\b", "3")
                .replaceAll("\\bSYNC\\b", "HSYNC")
                .split(" ");
        assertThatCode(() -> Main.commandLine().parseArgs(words)).doesNotThrowAnyException();
    }

    @Test
    void documents_nameManyCommands() {
        assertThat(commands()).hasSizeGreaterThan(30);
    }
}

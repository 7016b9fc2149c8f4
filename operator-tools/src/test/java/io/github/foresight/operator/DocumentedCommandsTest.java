/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.common.collect.ImmutableSet;
import io.github.foresight.core.document.DocumentedCommands;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The operator's commands in the documents are ones that can be run as they are written. */
class DocumentedCommandsTest {

    /** The name of a command alone, without the arguments that it needs. */
    private static final String NAME = "[a-z]+( [a-z]+)?";

    static List<String> commands() {
        return DocumentedCommands.of(ImmutableSet.of("check", "disable", "enable", "placement", "simulate", "status"))
                .stream()
                .filter(command -> !command.matches(NAME))
                .collect(Collectors.toList());
    }

    /** Words in capitals stand for values that the reader chooses, a range for one number of it. */
    @ParameterizedTest
    @MethodSource("commands")
    void documentedCommand_isUnderstood(String command) {
        String[] words = command.replaceAll("\\bN\\b|\\bPID\\b|\\b1\\.\\.5\\b", "3")
                .replaceAll("\\bROLE\\b", "namenode")
                .replaceAll("\\bPOLICY\\b", "LRU")
                .replaceAll("\\bSCHEME\\b", "IDENTICAL")
                .split(" ");
        assertThatCode(() -> OperatorMain.commandLine().parseArgs(words)).doesNotThrowAnyException();
    }

    @Test
    void documents_nameCommandsOfEachKind() {
        assertThat(commands())
                .anyMatch(command -> command.startsWith("check --role"))
                .anyMatch(command -> command.startsWith("enable --role"))
                .anyMatch(command -> command.startsWith("placement migrate PATH"))
                .anyMatch(command -> command.startsWith("simulate TRACE"));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.foresight.benchmarks.report.ResultsPage;
import io.github.foresight.core.document.DocumentedCommands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands beside the figures in the documents are ones that can be run as they are written. */
class DocumentedCommandsTest {

    /** JMH runs these two; its options are not ours. */
    private static final Predicate<String> IS_OF_JMH =
            command -> command.startsWith("bench graph ") || command.startsWith("bench placement ");

    /** The page's list of benchmarks is no command. */
    private static final Predicate<String> IS_NO_COMMAND = command -> command.startsWith("bench NAME ");

    static List<String> commands() {
        return Stream.of(
                        documented(),
                        DocumentedCommands.shortForms(),
                        DocumentedCommands.recorded().values())
                .flatMap(Collection::stream)
                .filter(IS_OF_JMH.negate())
                .toList();
    }

    private static List<String> documented() {
        return DocumentedCommands.of(Set.of("bench", "demo")).stream()
                .filter(IS_NO_COMMAND.negate())
                .toList();
    }

    /** A word in capitals stands for a value that the reader chooses. */
    @ParameterizedTest
    @MethodSource("commands")
    void documentedCommand_isUnderstood(String command) {
        String[] words = command.replaceAll("\\bN\\b", "3")
                .replaceAll("\\bSYNC\\b", "HSYNC")
                .split(" ");
        assertThatCode(() -> BenchmarksMain.commandLine().parseArgs(words)).doesNotThrowAnyException();
    }

    @Test
    void documents_nameManyCommands() {
        assertThat(documented()).hasSizeGreaterThan(30);
    }

    /** So each of them is known to run to its end. The demo has a step of its own. */
    @Test
    void documentedBenchmark_isRunInAShortForm() {
        assertThat(names(DocumentedCommands.shortForms())).containsAll(names(documented()));
    }

    @Test
    void eachResult_isMeasuredByTheWholeRun() throws IOException {
        assertThat(DocumentedCommands.recorded().keySet())
                .containsAll(ResultsPage.read(Path.of("results")).keySet());
    }

    private static Set<String> names(List<String> commands) {
        return commands.stream()
                .map(command -> command.split(" "))
                .filter(words -> words.length > 1 && words[0].equals("bench") && words[1].matches("[a-z-]+"))
                .map(words -> words[1])
                .collect(Collectors.toSet());
    }
}

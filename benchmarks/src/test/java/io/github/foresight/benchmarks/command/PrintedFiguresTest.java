/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class PrintedFiguresTest {

    private static final String RESULTS = """
            ----- TestDFSIO ----- : read
                        Date & time: Thu Nov 26 04:00:00 UTC 2026
                    Number of files: 2
             Total MBytes processed: 1536
                  Throughput mb/sec: 58.39
             Average IO rate mb/sec: 58.4
              IO rate std deviation: 0.51
                 Test exec time sec: 28.7

            """;

    private static final PrintedFigures PRINTED = new PrintedFigures("TestDFSIO", RESULTS);

    @Test
    void figure_isFoundByItsName() throws IOException {
        assertThat(PRINTED.figure("Throughput mb/sec")).isEqualTo(58.39);
        assertThat(PRINTED.figure("Test exec time sec")).isEqualTo(28.7);
    }

    @Test
    void figureThatIsMissing_isNamed() {
        assertThatThrownBy(() -> PRINTED.figure("Throughput"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("TestDFSIO has printed no 'Throughput':");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SysbenchOnMountTest {

    /** Lines that sysbench 1.0.20 prints. */
    private static final String OUTPUT = """
            Throughput:
                read, MiB/s:                  2215.19
                written, MiB/s:               0.00

            General statistics:
                total time:                          10.0058s
                total number of events:              1024

            Latency (ms):
                     min:                                    0.00
                     95th percentile:                        0.12
                     sum:                                    2.27
            """;

    @Test
    void pass_ofSysbenchsOutput_hasItsFigures() throws IOException {
        assertThat(SysbenchOnMount.pass(OUTPUT)).isEqualTo(new SysbenchClient.Pass(10.0058, 1024, 0.12));
    }

    @Test
    void outputWithoutAFigure_isAnErrorThatNamesIt() {
        assertThatIOException()
                .isThrownBy(() -> SysbenchOnMount.pass(OUTPUT.replace("95th", "99th")))
                .withMessageStartingWith("sysbench has printed no '95th percentile':\n");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import static io.github.foresight.benchmarks.report.ReportSamples.measurement;
import static io.github.foresight.benchmarks.report.ReportSamples.report;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvReportTest {

    @Test
    void eachResult_isALine_withEmptyCellsForMissingFigures() {
        String csv = CsvReport.of(
                report(List.of(measurement(Baseline.STOCK, 1, 1, 10), measurement("Foresight, its client", 1, 1, 20))));

        assertThat(csv.lines())
                .containsExactly(
                        "workload,size,side,rounds,\"speed, 1/s\",speed lowest,speed highest,speed of stock,"
                                + "speed of stock lowest,speed of stock highest,\"time, s\",time lowest,time highest,"
                                + "time times as fast,time times as fast lowest,time times as fast highest,"
                                + "wasted,wasted lowest,wasted highest",
                        "some work,7,stock HDFS,1,10.000000,10.000000,10.000000,1.000000,1.000000,1.000000,"
                                + "0.100000,0.100000,0.100000,1.000000,1.000000,1.000000,,,",
                        "some work,7,\"Foresight, its client\",1,20.000000,20.000000,20.000000,2.000000,2.000000,2.000000,"
                                + "0.050000,0.050000,0.050000,2.000000,2.000000,2.000000,,,");
    }
}

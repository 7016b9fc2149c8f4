/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.List;
import java.util.Map;

/** Headers and columns for tests. */
public final class ReportSamples {

    /** A header with all its parts. */
    public static final Header HEADER = new Header(
            "bin/foresight bench sample --rounds 3",
            Map.of("--rounds", "3"),
            "2026-01-02T03:04:05Z",
            new Header.Software("0123abcd", "0.1.0", "3.4.3", "17.0.1"),
            new Header.Machine("Linux 6.1, amd64", 2, 8L << 30));

    static final Column SPEED = new Column("speed", "1/s", 1, Comparison.OF_STOCK, "works per second");
    static final Column TIME = new Column("time", "s", 2, Comparison.TIMES_AS_FAST, "time of the work");
    static final Column WASTED = new Column("wasted", "", 0, Comparison.NONE, "bytes in vain");

    static final List<Column> COLUMNS = List.of(SPEED, TIME, WASTED);

    static final Workload WORK = new Workload("some work", Map.of("size", "7"));

    private ReportSamples() {}

    static Measurement measurement(String side, int trial, int round, double speed) {
        return Measurement.of(WORK, side, trial, round).with(SPEED, speed).with(TIME, 1 / speed);
    }

    static BenchReport report(List<Measurement> measured) {
        return BenchReport.of(HEADER, RunConditions.NONE, COLUMNS, measured, Baseline.bothStocks());
    }
}

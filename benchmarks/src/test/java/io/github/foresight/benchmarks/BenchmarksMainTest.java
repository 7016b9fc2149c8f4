/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.benchmarks.report.Column;
import io.github.foresight.benchmarks.run.Benchmark;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchmarksMainTest {

    /** The defaults that each benchmark promises. */
    private static final Map<String, Map<String, String>> DEFAULTS = Map.ofEntries(
            entry("metadata", Map.of("--trials", "1", "--rounds", "5", "--datanodes", "2", "--files", "5000")),
            entry("namenode", Map.of("--trials", "3", "--rounds", "12", "--files", "20000", "--threads", "8")),
            entry("nnbench", Map.of("--namenode-cpu", "50", "--clients", "8", "--opens", "40000", "--rounds", "5")),
            entry("overhead", Map.of("--trials", "6", "--rounds", "12", "--size", "512m")),
            entry("small-files", Map.of("--rounds", "3", "--datanodes", "4", "--rate", "60", "--iops", "120")),
            entry("extents", Map.of("--rounds", "1", "--iops", "200")),
            entry("window", Map.of("--rounds", "3", "--rate", "60", "--iops", "120", "--reads", "4000")),
            entry("space", Map.of("--files", "10000", "--size", "10k", "--later", "60")),
            entry("leases", Map.of("--files", "100", "--clients", "10000", "--changes", "200")),
            entry("vectored", Map.of("--files", "4", "--size", "512m", "--ranges", "40", "--replication", "3")),
            entry("dfsio", Map.of("--files", "2", "--size", "768m", "--block-size", "128m", "--replication", "3")),
            entry("stress", Map.of("--size", "32m", "--arrivals", "2,4,8", "--time", "10", "--readers", "64")),
            entry("sysbench", Map.of("--file-num", "1", "--file-total-size", "1g", "--threads", "1,2,4,8")),
            entry(
                    "hbase",
                    Map.of(
                            "--rows",
                            "400000",
                            "--clients",
                            "4",
                            "--sample",
                            "20",
                            "--hbase-version",
                            "2.6.1-hadoop3",
                            "--iops",
                            "120")),
            entry("spark", Map.of("--files", "200", "--learn", "2", "--spark-version", "4.0.1", "--rounds", "3")),
            entry("start", Map.of("--jvms", "20", "--files", "100", "--bytes", "65536")));

    private final CommandLine all = BenchmarksMain.commandLine().setCaseInsensitiveEnumValuesAllowed(true);

    private String errorOf(String... args) {
        StringWriter error = new StringWriter();
        assertThat(all.setErr(new PrintWriter(error)).execute(args)).isEqualTo(CommandLine.ExitCode.USAGE);
        return error.toString();
    }

    @ParameterizedTest
    @CsvSource({
        "demo --readers 0, --readers is 0; accepted is a number from 1 on",
        "demo --rounds 0, --rounds is 0; accepted is a number from 1 on",
        "demo --block-size 4k, --block-size is 4096; accepted is a number from 1048576 on",
        "bench metadata --warm-ups -1, --warm-ups is -1; accepted is a number from 0 on",
        "bench metadata --trials 0, --trials is 0; accepted is a number from 1 on",
        "bench nnbench --namenode-cpu 5, --namenode-cpu is 5; accepted is a number from 10 on",
        "bench small-files --iops -2, --iops is -2; accepted is a number from 0 on",
        "bench small-files --datanodes 0, --datanodes is 0; accepted is a number from 1 on",
        "bench extents --read-ahead 4;2, --read-ahead is 2; accepted is a number from 4 on",
        "bench window --datanodes 4;1, --datanodes is 1; accepted is a number from 2 on",
        "bench dfsio --link -1, --link is -1; accepted is a number from 0 on",
        "bench window --cache 4m;-1, '-1'",
    })
    void badValue_isRefused_withOptionValueAndRange(String command, String message) {
        assertThat(errorOf(command.replace(';', ',').split(" ", -1))).contains(message);
    }

    @Test
    void rangesThatDependOnOtherOptions_areChecked() {
        assertThat(errorOf("bench", "metadata", "--clients", "9", "--opens", "5"))
                .contains("--opens is 5; accepted is a number from 9 on");
        assertThat(errorOf("bench", "window", "--block", "8k"))
                .contains("--block is 8192; accepted is a number from 16384");
        assertThat(errorOf("bench", "sysbench", "--file-block-size", "20"))
                .contains("--file-block-size is 20; accepted is a multiple of 8");
        assertThat(errorOf("bench", "namenode", "--files", "9"))
                .contains("--files is 9; accepted is a number from 16 on");
    }

    @Test
    void options_keepTheirDefaults() {
        Map<String, CommandLine> benchmarks = all.getSubcommands().get("bench").getSubcommands();

        assertThat(benchmarks.entrySet().stream()
                        .filter(entry -> isBenchmark(entry.getValue()))
                        .map(Map.Entry::getKey))
                .containsExactlyInAnyOrderElementsOf(DEFAULTS.keySet());
        DEFAULTS.forEach((name, defaults) -> defaults.forEach((option, value) -> assertThat(
                        benchmarks.get(name).getCommandSpec().findOption(option).defaultValueString())
                .as(name + " " + option)
                .isEqualTo(value)));
    }

    @Test
    void help_ofEachBenchmark_explainsItsColumns() {
        List<CommandLine> benchmarks = all.getSubcommands().get("bench").getSubcommands().values().stream()
                .filter(BenchmarksMainTest::isBenchmark)
                .toList();
        assertThat(benchmarks).hasSameSizeAs(DEFAULTS.keySet()).allSatisfy(BenchmarksMainTest::explains);
        explains(all.getSubcommands().get("demo"));
    }

    private static boolean isBenchmark(CommandLine command) {
        return command.getCommandSpec().userObject() instanceof Benchmark;
    }

    @Test
    void bench_withoutAName_namesEverySubcommand() {
        assertThat(errorOf("bench"))
                .contains(all.getSubcommands().get("bench").getSubcommands().keySet());
    }

    private static void explains(CommandLine command) {
        List<Column> columns = ((Benchmark) command.getCommandSpec().userObject()).columns();
        Set<String> names = columns.stream().map(Column::name).collect(Collectors.toSet());
        assertThat(names).hasSameSizeAs(columns);
        assertThat(command.getUsageMessage()).contains("Columns of the table:").contains(names);
    }
}

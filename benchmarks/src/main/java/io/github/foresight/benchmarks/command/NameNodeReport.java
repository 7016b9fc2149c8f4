/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.foresight.benchmarks.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * What NameNodes do in a second, and what an operation costs them, as multiples of what the two stock ones do on average in the same
 * round. Not thread-safe.
 */
final class NameNodeReport {

    /** The least operations per second, as a multiple of stock's. */
    static final double TARGET = 0.97;

    /** A NameNode. */
    enum Side {
        STOCK("stock"),
        STOCK_AGAIN("stock again"),
        IDLE("plugin, all switched off"),
        FORESIGHT("plugin, as shipped");

        final String title;

        Side(String title) {
            this.title = title;
        }
    }

    /** An operation of Hadoop's benchmark. */
    enum Operation {
        OPEN("open"),
        FILE_STATUS("fileStatus"),
        CREATE("create"),
        DELETE("delete"),
        RENAME("rename");

        final String title;

        Operation(String title) {
            this.title = title;
        }
    }

    /** What one run of Hadoop's benchmark came to. Immutable. */
    static final class Run {
        final double opsPerSecond;
        final double cpuMicrosPerOp;

        Run(double opsPerSecond, double cpuMicrosPerOp) {
            this.opsPerSecond = opsPerSecond;
            this.cpuMicrosPerOp = cpuMicrosPerOp;
        }
    }

    private static final String ROW = "  %-11s %-26s %9s %8s %18s %18s %11s %8s %18s%n";
    private static final String RANGE = "%.3f to %.3f";

    private final int trials;
    private final int rounds;
    private final String hadoopVersion;
    private final Map<Operation, Map<Side, Run[][]>> runs = new EnumMap<>(Operation.class);

    NameNodeReport(int trials, int rounds, String hadoopVersion) {
        this.trials = trials;
        this.rounds = rounds;
        this.hadoopVersion = hadoopVersion;
    }

    void add(Operation operation, Side side, int trial, int round, Run run) {
        runs.computeIfAbsent(operation, unused -> new EnumMap<>(Side.class))
                .computeIfAbsent(side, unused -> new Run[trials][rounds])[trial][round] = run;
    }

    private Run[][] runs(Operation operation, Side side) {
        Map<Side, Run[][]> ofOperation = Objects.requireNonNull(runs.get(operation), operation.title);
        return Objects.requireNonNull(ofOperation.get(side), side.title);
    }

    private List<Double> ratios(Operation operation, Side side, int trial, ToDoubleFunction<Run> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            double stock = figure.applyAsDouble(runs(operation, Side.STOCK)[trial][round]);
            double again = figure.applyAsDouble(runs(operation, Side.STOCK_AGAIN)[trial][round]);
            double compared = side == Side.STOCK_AGAIN ? stock : (stock + again) / 2;
            ratios.add(figure.applyAsDouble(runs(operation, side)[trial][round]) / compared);
        }
        return ratios;
    }

    private Spread ratio(Operation operation, Side side, ToDoubleFunction<Run> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int trial = 0; trial < trials; trial++) {
            ratios.addAll(ratios(operation, side, trial, figure));
        }
        return Spread.of(ratios);
    }

    /** The medians of trials. */
    private Spread trialRatio(Operation operation, Side side, ToDoubleFunction<Run> figure) {
        List<Double> medians = new ArrayList<>();
        for (int trial = 0; trial < trials; trial++) {
            medians.add(Spread.of(ratios(operation, side, trial, figure)).median());
        }
        return Spread.of(medians);
    }

    private double median(Operation operation, Side side, ToDoubleFunction<Run> figure) {
        List<Double> figures = new ArrayList<>();
        for (Run[] trial : runs(operation, side)) {
            for (Run run : trial) {
                figures.add(figure.applyAsDouble(run));
            }
        }
        return Spread.of(figures).median();
    }

    Spread throughputRatio(Operation operation, Side side) {
        return ratio(operation, side, run -> run.opsPerSecond);
    }

    boolean targetMet() {
        return runs.keySet().stream()
                .allMatch(
                        operation -> throughputRatio(operation, Side.FORESIGHT).median() >= TARGET);
    }

    String table() {
        StringBuilder table = new StringBuilder(format(
                "%n" + ROW,
                "operation",
                "NameNode",
                "ops/s",
                "ratio",
                "quartiles",
                "trials",
                "CPU, us/op",
                "ratio",
                "quartiles"));
        for (Operation operation : runs.keySet()) {
            for (Side side : Side.values()) {
                table.append(row(operation, side));
            }
        }
        return table
                + format(
                        "%n  Medians of %d rounds with each of %d sets of NameNode processes; ratio: as a multiple of the two stock"
                                + " ones' mean in the%n  same round, and of 'stock again' as one of stock's: how far that is from"
                                + " 1 is this machine's noise;%n  trials: the lowest and highest median of one set; CPU: of the"
                                + " NameNode's process.%n"
                                + "  The target is at least %.2f of stock's operations per second: %s.%n",
                        rounds, trials, TARGET, targetMet() ? "met" : "NOT met");
    }

    private String row(Operation operation, Side side) {
        Spread throughput = throughputRatio(operation, side);
        Spread trial = trialRatio(operation, side, run -> run.opsPerSecond);
        Spread cpu = ratio(operation, side, run -> run.cpuMicrosPerOp);
        boolean stock = side == Side.STOCK;
        return format(
                ROW,
                stock ? operation.title : "",
                side.title,
                format("%.0f", median(operation, side, run -> run.opsPerSecond)),
                stock ? "" : format("%.3f", throughput.median()),
                stock ? "" : format(RANGE, throughput.lowerQuartile(), throughput.upperQuartile()),
                stock ? "" : format(RANGE, trial.min(), trial.max()),
                format("%.1f", median(operation, side, run -> run.cpuMicrosPerOp)),
                stock ? "" : format("%.3f", cpu.median()),
                stock ? "" : format(RANGE, cpu.lowerQuartile(), cpu.upperQuartile()));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    void writeJson(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode()
                .put("hadoopVersion", hadoopVersion)
                .put("trials", trials)
                .put("rounds", rounds)
                .put("target", TARGET)
                .put("targetMet", targetMet());
        for (Operation operation : runs.keySet()) {
            ObjectNode node = root.putObject(operation.title);
            for (Side side : Side.values()) {
                Spread throughput = throughputRatio(operation, side);
                Spread trial = trialRatio(operation, side, run -> run.opsPerSecond);
                node.putObject(side.title)
                        .put("medianOpsPerSecond", median(operation, side, run -> run.opsPerSecond))
                        .put("medianRatio", throughput.median())
                        .put("lowerQuartileRatio", throughput.lowerQuartile())
                        .put("upperQuartileRatio", throughput.upperQuartile())
                        .put("lowestTrialRatio", trial.min())
                        .put("highestTrialRatio", trial.max())
                        .put("medianCpuMicrosPerOp", median(operation, side, run -> run.cpuMicrosPerOp))
                        .put(
                                "medianCpuRatio",
                                ratio(operation, side, run -> run.cpuMicrosPerOp)
                                        .median());
            }
        }
        mapper.writeValue(file.toFile(), root);
    }
}

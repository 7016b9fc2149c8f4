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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.DoubleStream;

/** Times of the same work on several clusters, and their ratios round by round. Not thread-safe. */
final class OverheadReport {

    /** A cluster, a client, and what they are compared with. */
    enum Side {
        STOCK("stock", false, false),
        STOCK_AGAIN("stock again", false, false),
        UNHINTED("Foresight, stock client", true, false),
        HINTED("the same, its client", true, true);

        final String title;
        final boolean dataNodeReadsAhead;
        final boolean clientHints;

        Side(String title, boolean dataNodeReadsAhead, boolean clientHints) {
            this.title = title;
            this.dataNodeReadsAhead = dataNodeReadsAhead;
            this.clientHints = clientHints;
        }

        /** The side whose cluster this one uses: its own, but for Foresight's client, which shares the stock client's. */
        Side clusterOf() {
            return this == HINTED ? UNHINTED : this;
        }

        /** A client is compared with the stock client on the same cluster, a cluster with the first stock cluster. */
        Side baseline() {
            return this == HINTED ? UNHINTED : STOCK;
        }
    }

    private static final String ROW = "  %-12s %-26s %10s %8s %18s %18s%n";
    private static final String RANGE = "%.3f to %.3f";

    private final int trials;
    private final int rounds;
    private final String hadoopVersion;

    /** By work, side, trial and round: seconds. */
    private final Map<String, Map<Side, double[][]>> seconds = new LinkedHashMap<>();

    OverheadReport(int trials, int rounds, String hadoopVersion) {
        this.trials = trials;
        this.rounds = rounds;
        this.hadoopVersion = hadoopVersion;
    }

    /**
     * Takes a line {@code TIME work cluster round seconds}.
     *
     * @param sides what the clusters stood for in this trial, in their order
     */
    void add(int trial, List<Side> sides, String line) {
        String[] words = line.split(" ", -1);
        Side side = sides.get(Integer.parseInt(words[2]));
        double[][] times = seconds.computeIfAbsent(words[1], unused -> new EnumMap<>(Side.class))
                .computeIfAbsent(side, unused -> new double[trials][rounds]);
        times[trial][Integer.parseInt(words[3])] = Double.parseDouble(words[4]);
    }

    /** Seconds as a multiple of the baseline's in the same round of one trial. */
    private List<Double> ratios(String work, Side side, int trial) {
        double[] baseline = timesOf(work, side.baseline())[trial];
        double[] times = timesOf(work, side)[trial];
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ratios.add(times[round] / baseline[round]);
        }
        return ratios;
    }

    private Spread ratios(String work, Side side) {
        List<Double> ratios = new ArrayList<>();
        for (int trial = 0; trial < trials; trial++) {
            ratios.addAll(ratios(work, side, trial));
        }
        return Spread.of(ratios);
    }

    /** The trials' medians. */
    private Spread trialRatios(String work, Side side) {
        List<Double> medians = new ArrayList<>();
        for (int trial = 0; trial < trials; trial++) {
            medians.add(Spread.of(ratios(work, side, trial)).median());
        }
        return Spread.of(medians);
    }

    private double medianSeconds(String work, Side side) {
        List<Double> times = new ArrayList<>();
        for (double[] ofTrial : timesOf(work, side)) {
            DoubleStream.of(ofTrial).forEach(times::add);
        }
        return Spread.of(times).median();
    }

    String table() {
        StringBuilder table =
                new StringBuilder(format("%n" + ROW, "work", "cluster", "ms", "ratio", "quartiles", "trials"));
        for (String work : seconds.keySet()) {
            for (Side side : Side.values()) {
                Spread all = ratios(work, side);
                Spread byTrial = trialRatios(work, side);
                boolean stock = side == Side.STOCK;
                table.append(format(
                        ROW,
                        stock ? work.toLowerCase(Locale.ROOT) : "",
                        side.title,
                        format("%.1f", 1000 * medianSeconds(work, side)),
                        format("%.3f", all.median()),
                        stock ? "" : format(RANGE, all.lowerQuartile(), all.upperQuartile()),
                        stock ? "" : format(RANGE, byTrial.min(), byTrial.max())));
            }
        }
        return table
                + format(
                        "%n  Medians of %d rounds on each of %d sets of clusters; ratio: time as a multiple of stock's in the"
                                + " same round, of Foresight's client%n  as a multiple of the stock client's on the same cluster;"
                                + " trials: the lowest and highest median of one set of clusters.%n"
                                + "  'stock again' is a second stock cluster: how far it is from 1 is this machine's noise.%n"
                                + "  Only whole reads by Foresight's client are hinted.%n",
                        rounds, trials);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    void writeJson(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode()
                .put("hadoopVersion", hadoopVersion)
                .put("trials", trials)
                .put("rounds", rounds);
        for (String work : seconds.keySet()) {
            ObjectNode node = root.putObject(work.toLowerCase(Locale.ROOT));
            for (Side side : Side.values()) {
                Spread byTrial = trialRatios(work, side);
                node.putObject(side.title)
                        .put("medianSeconds", medianSeconds(work, side))
                        .put("medianRatio", ratios(work, side).median())
                        .put("lowestTrialRatio", byTrial.min())
                        .put("highestTrialRatio", byTrial.max());
            }
        }
        mapper.writeValue(file.toFile(), root);
    }

    private double[][] timesOf(String work, Side side) {
        Map<Side, double[][]> times = Objects.requireNonNull(seconds.get(work), work);
        return Objects.requireNonNull(times.get(side), side.title);
    }
}

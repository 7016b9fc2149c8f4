/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.foresight.tools.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Times of the same work on several clusters, and their ratios round by round. */
final class OverheadReport {

    /** Where the clusters stand among the workload's folders. */
    private static final int STOCK = 0;

    private static final List<String> SIDES =
            List.of("stock", "stock again", "Foresight, stock client", "Foresight, its client");
    private static final String ROW = "  %-12s %-26s %10s %8s %18s%n";

    private final int rounds;
    private final String hadoopVersion;

    /** By work, cluster and round: seconds. */
    private final Map<String, double[][]> seconds = new LinkedHashMap<>();

    OverheadReport(int rounds, String hadoopVersion) {
        this.rounds = rounds;
        this.hadoopVersion = hadoopVersion;
    }

    /** Takes a line {@code TIME work cluster round seconds}. */
    void add(String line) {
        String[] words = line.split(" ", -1);
        double[][] times = seconds.computeIfAbsent(words[1], unused -> new double[SIDES.size()][rounds]);
        times[Integer.parseInt(words[2])][Integer.parseInt(words[3])] = Double.parseDouble(words[4]);
    }

    /** Seconds as a multiple of stock's in the same round. */
    private Spread ratios(String work, int side) {
        double[][] times = timesOf(work);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ratios.add(times[side][round] / times[STOCK][round]);
        }
        return Spread.of(ratios);
    }

    String table() {
        StringBuilder table = new StringBuilder(
                String.format(Locale.ROOT, "%n" + ROW, "work", "cluster", "ms", "ratio", "quartiles"));
        for (String work : seconds.keySet()) {
            for (int side = 0; side < SIDES.size(); side++) {
                Spread ratios = ratios(work, side);
                table.append(String.format(
                        Locale.ROOT,
                        ROW,
                        side == STOCK ? work.toLowerCase(Locale.ROOT) : "",
                        SIDES.get(side),
                        String.format(
                                Locale.ROOT, "%.1f", 1000 * times(work, side).median()),
                        String.format(Locale.ROOT, "%.3f", ratios.median()),
                        side == STOCK
                                ? ""
                                : String.format(
                                        Locale.ROOT, "%.3f to %.3f", ratios.lowerQuartile(), ratios.upperQuartile())));
            }
        }
        return table
                + String.format(
                        Locale.ROOT,
                        "%n  Medians of %d rounds; ratio: time as a multiple of stock's in the same round.%n"
                                + "  'stock again' is a second stock cluster: how far it is from 1 is this machine's noise.%n  Only whole reads by Foresight's client are hinted.%n",
                        rounds);
    }

    void writeJson(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root =
                mapper.createObjectNode().put("hadoopVersion", hadoopVersion).put("rounds", rounds);
        for (String work : seconds.keySet()) {
            ObjectNode node = root.putObject(work.toLowerCase(Locale.ROOT));
            for (int side = 0; side < SIDES.size(); side++) {
                node.putObject(SIDES.get(side))
                        .put("medianSeconds", times(work, side).median())
                        .put("medianRatio", ratios(work, side).median());
            }
        }
        mapper.writeValue(file.toFile(), root);
    }

    private Spread times(String work, int side) {
        List<Double> times = new ArrayList<>();
        for (double time : timesOf(work)[side]) {
            times.add(time);
        }
        return Spread.of(times);
    }

    private double[][] timesOf(String work) {
        return Objects.requireNonNull(seconds.get(work), work);
    }
}

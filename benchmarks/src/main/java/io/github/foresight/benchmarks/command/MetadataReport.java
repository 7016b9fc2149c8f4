/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.foresight.benchmarks.report.Spread;
import io.github.foresight.benchmarks.workload.OpenOrders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Opens of small files, round by round: stock beside Foresight, each order for the first time and again. Not thread-safe. */
final class MetadataReport {

    /** The most round trips per open for orders that were seen before. */
    static final double ROUND_TRIPS_TARGET = 0.30;

    /** The most time for orders that never come again, as a multiple of stock's. */
    static final double TIME_TARGET = 1.01;

    private static final String ROW = "  %-7s %-13s %-6s %8s %7s %12s %12s %12s %13s %11s %9s %9s %10s%n";

    private static final String RATIOS = "    %-15s %-22s %-22s %-22s %-22s %-22s%n";

    /** The passes of one round. Immutable. */
    static final class Round {
        final int trial;
        final Map<MetadataSide, MetadataPass> first;
        final Map<MetadataSide, MetadataPass> again;

        /**
         * A round of the same sides as any other.
         *
         * @param trial the number of the set of clusters
         * @param first in orders that are new
         * @param again in the same
         */
        Round(int trial, Map<MetadataSide, MetadataPass> first, Map<MetadataSide, MetadataPass> again) {
            this.trial = trial;
            this.first = Map.copyOf(first);
            this.again = Map.copyOf(again);
        }

        Set<MetadataSide> sides() {
            return EnumSet.copyOf(again.keySet());
        }

        MetadataPass again(MetadataSide side) {
            return Objects.requireNonNull(again.get(side), side.title);
        }

        /** A figure of the second pass as a multiple of stock's; of both stock clusters' mean, where there are two. */
        double ratio(MetadataSide side, ToDoubleFunction<MetadataPass> figure) {
            double stock = figure.applyAsDouble(again(MetadataSide.STOCK));
            MetadataPass control = again.get(MetadataSide.CONTROL);
            if (control != null && side != MetadataSide.CONTROL) {
                stock = (stock + figure.applyAsDouble(control)) / 2;
            }
            return figure.applyAsDouble(again(side)) / stock;
        }
    }

    private final OpenOrders.Kind orders;
    private final int opens;
    private final String hadoopVersion;
    private final List<Round> rounds = new ArrayList<>();

    /**
     * An empty report.
     *
     * @param opens of all clients in one pass
     */
    MetadataReport(OpenOrders.Kind orders, int opens, String hadoopVersion) {
        this.orders = orders;
        this.opens = opens;
        this.hadoopVersion = hadoopVersion;
    }

    /** Adds a round. */
    void add(Round round) {
        rounds.add(round);
    }

    /** Of the trials' medians; of the rounds, where there is one trial. */
    private Spread spread(ToDoubleFunction<Round> figure) {
        int trials = trials();
        if (trials == 1) {
            return spread(rounds, figure);
        }
        return Spread.of(IntStream.range(0, trials)
                .mapToObj(trial -> spread(roundsOf(trial), figure).median())
                .collect(Collectors.toList()));
    }

    private static Spread spread(List<Round> rounds, ToDoubleFunction<Round> figure) {
        return Spread.of(rounds.stream().map(figure::applyAsDouble).collect(Collectors.toList()));
    }

    private int trials() {
        return rounds.get(rounds.size() - 1).trial + 1;
    }

    private List<Round> roundsOf(int trial) {
        return rounds.stream().filter(round -> round.trial == trial).collect(Collectors.toList());
    }

    /** A figure of a side's second passes, as a multiple of stock's. */
    Spread ratio(MetadataSide side, ToDoubleFunction<MetadataPass> figure) {
        return spread(round -> round.ratio(side, figure));
    }

    /** Time of Foresight's second passes, as a multiple of stock's. */
    Spread timeRatio() {
        return ratio(MetadataSide.FORESIGHT, pass -> pass.seconds);
    }

    Spread roundTripsPerOpen() {
        return spread(round -> perOpen(round.again(MetadataSide.FORESIGHT)));
    }

    private double perOpen(MetadataPass pass) {
        return (double) pass.roundTrips / opens;
    }

    boolean targetMet() {
        return orders == OpenOrders.Kind.RANDOM
                ? timeRatio().median() <= TIME_TARGET
                : roundTripsPerOpen().median() <= ROUND_TRIPS_TARGET;
    }

    String table() {
        StringBuilder table = new StringBuilder(format(
                "%n" + ROW,
                "round",
                "side",
                "pass",
                "s",
                "ratio",
                "trips/open",
                "client CPU/s",
                "NameNode CPU",
                "DataNodes CPU",
                "handed out",
                "used",
                "wasted",
                "held back"));
        for (int i = 0; i < rounds.size(); i++) {
            Round round = rounds.get(i);
            String number = String.valueOf(i + 1);
            for (MetadataSide side : round.sides()) {
                table.append(row(number, side, "first", Objects.requireNonNull(round.first.get(side)), ""));
            }
            for (MetadataSide side : round.sides()) {
                String ratio = format("%.3f", round.ratio(side, pass -> pass.seconds));
                table.append(row(number, side, "again", round.again(side), ratio));
            }
        }
        return table.append(summary()).toString();
    }

    private String row(String round, MetadataSide side, String pass, MetadataPass figures, String ratio) {
        return format(
                ROW,
                round,
                side.title,
                pass,
                format("%.2f", figures.seconds),
                ratio,
                format("%.3f", perOpen(figures)),
                format("%.2f", figures.cpu.clients),
                format("%.2f", figures.cpu.nameNode),
                format("%.2f", figures.cpu.dataNodes),
                side.nameNode ? figures.handedOut : "",
                side.nameNode ? figures.used : "",
                side.nameNode ? figures.wasted : "",
                side.nameNode ? figures.heldBack : "");
    }

    private String summary() {
        Spread trips = roundTripsPerOpen();
        String target = orders == OpenOrders.Kind.RANDOM
                ? format("at most %.2f times stock's time for orders that never come again", TIME_TARGET)
                : format("at most %.2f round trips per open for orders seen before", ROUND_TRIPS_TARGET);
        StringBuilder summary = new StringBuilder(format(
                "%n  Orders %s, %d opens in a pass, medians of %s (lowest to highest).%n"
                        + "  Round trips per open: %.3f (%.3f to %.3f). As multiples of stock's:%n",
                orders.name().toLowerCase(Locale.ROOT), opens, measured(), trips.median(), trips.min(), trips.max()));
        summary.append(format(RATIOS, "side", "time", "CPU time", "of clients", "of the NameNode", "of DataNodes"));
        for (MetadataSide side : rounds.get(0).sides()) {
            if (side != MetadataSide.STOCK) {
                summary.append(format(
                        RATIOS,
                        side.title,
                        text(ratio(side, pass -> pass.seconds)),
                        text(ratio(side, pass -> pass.cpu.total())),
                        text(ratio(side, pass -> pass.cpu.clients)),
                        text(ratio(side, pass -> pass.cpu.nameNode)),
                        text(ratio(side, pass -> pass.cpu.dataNodes))));
            }
        }
        return summary.append(format("  The target is %s: %s.%n", target, targetMet() ? "met" : "NOT met"))
                .toString();
    }

    private String measured() {
        int trials = trials();
        int each = rounds.size() / trials;
        return trials == 1 ? each + " rounds" : format("%d trials of %d rounds each", trials, each);
    }

    /** A ratio to what is too little to be measured, as processor time of those who do nothing, says nothing. */
    private static String text(Spread ratio) {
        if (!Double.isFinite(ratio.max())) {
            return "-";
        }
        return format("%.3f (%.3f to %.3f)", ratio.median(), ratio.min(), ratio.max());
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    void writeJson(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode()
                .put("hadoopVersion", hadoopVersion)
                .put("orders", orders.name().toLowerCase(Locale.ROOT))
                .put("opensPerPass", opens)
                .put("trials", trials())
                .put("medianRoundTripsPerOpen", roundTripsPerOpen().median())
                .put("targetMet", targetMet());
        ObjectNode ratios = root.putObject("medianRatios");
        for (MetadataSide side : rounds.get(0).sides()) {
            ratios.putObject(key(side))
                    .put("time", ratio(side, pass -> pass.seconds).median())
                    .put("lowestTime", ratio(side, pass -> pass.seconds).min())
                    .put("highestTime", ratio(side, pass -> pass.seconds).max())
                    .put("cpu", ratio(side, pass -> pass.cpu.total()).median())
                    .put("clientCpu", ratio(side, pass -> pass.cpu.clients).median())
                    .put("nameNodeCpu", ratio(side, pass -> pass.cpu.nameNode).median())
                    .put("dataNodeCpu", ratio(side, pass -> pass.cpu.dataNodes).median());
        }
        ArrayNode list = root.putArray("rounds");
        for (Round round : rounds) {
            ObjectNode node = list.addObject();
            for (MetadataSide side : round.sides()) {
                ObjectNode passes = node.putObject(key(side));
                describe(passes.putObject("first"), Objects.requireNonNull(round.first.get(side)));
                describe(passes.putObject("again"), round.again(side));
            }
        }
        mapper.writeValue(file.toFile(), root);
    }

    private static String key(MetadataSide side) {
        return side.name().toLowerCase(Locale.ROOT);
    }

    private void describe(ObjectNode node, MetadataPass pass) {
        node.put("seconds", pass.seconds)
                .put("roundTrips", pass.roundTrips)
                .put("roundTripsPerOpen", perOpen(pass))
                .put("clientCpuSeconds", pass.cpu.clients)
                .put("nameNodeCpuSeconds", pass.cpu.nameNode)
                .put("dataNodeCpuSeconds", pass.cpu.dataNodes)
                .put("handedOut", pass.handedOut)
                .put("used", pass.used)
                .put("wasted", pass.wasted)
                .put("heldBack", pass.heldBack);
    }
}

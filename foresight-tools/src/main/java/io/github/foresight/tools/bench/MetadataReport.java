/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.foresight.tools.report.Spread;
import io.github.foresight.tools.workload.OpenOrders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Opens of small files, round by round: stock beside Foresight, each order for the first time and again. Not thread-safe. */
final class MetadataReport {

    /** The most round trips per open for orders that were seen before. */
    static final double ROUND_TRIPS_TARGET = 0.30;

    /** The most time for orders that never come again, as a multiple of stock's. */
    static final double TIME_TARGET = 1.01;

    private static final String ROW = "  %-7s %-10s %-6s %8s %7s %12s %12s %12s %13s %11s %9s %9s %10s%n";

    /** The passes of one round. Immutable. */
    static final class Round {
        final MetadataPass stockFirst;
        final MetadataPass first;
        final MetadataPass stock;
        final MetadataPass again;

        /**
         * A round.
         *
         * @param stockFirst stock's pass in orders that are new
         * @param first Foresight's in the same
         * @param stock stock's second pass
         * @param again Foresight's
         */
        Round(MetadataPass stockFirst, MetadataPass first, MetadataPass stock, MetadataPass again) {
            this.stockFirst = stockFirst;
            this.first = first;
            this.stock = stock;
            this.again = again;
        }

        double ratio() {
            return again.seconds / stock.seconds;
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

    private Spread spread(ToDoubleFunction<Round> figure) {
        List<Double> figures = new ArrayList<>();
        for (Round round : rounds) {
            figures.add(figure.applyAsDouble(round));
        }
        return Spread.of(figures);
    }

    Spread ratio() {
        return spread(Round::ratio);
    }

    Spread roundTripsPerOpen() {
        return spread(round -> perOpen(round.again));
    }

    private Spread cpuRatio(ToDoubleFunction<CpuTimes> of) {
        return spread(round -> of.applyAsDouble(round.again.cpu) / of.applyAsDouble(round.stock.cpu));
    }

    private double perOpen(MetadataPass pass) {
        return (double) pass.roundTrips / opens;
    }

    boolean targetMet() {
        return orders == OpenOrders.Kind.RANDOM
                ? ratio().median() <= TIME_TARGET
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
            table.append(row(String.valueOf(i + 1), "stock", "first", round.stockFirst, ""));
            table.append(row("", "foresight", "first", round.first, ""));
            table.append(row("", "stock", "again", round.stock, "1.000"));
            table.append(row("", "foresight", "again", round.again, format("%.3f", round.ratio())));
        }
        return table.append(summary()).toString();
    }

    private String row(String round, String side, String pass, MetadataPass figures, String ratio) {
        boolean ours = side.equals("foresight");
        return format(
                ROW,
                round,
                side,
                pass,
                format("%.2f", figures.seconds),
                ratio,
                format("%.3f", perOpen(figures)),
                format("%.2f", figures.cpu.clients),
                format("%.2f", figures.cpu.nameNode),
                format("%.2f", figures.cpu.dataNodes),
                ours ? figures.handedOut : "",
                ours ? figures.used : "",
                ours ? figures.wasted : "",
                ours ? figures.heldBack : "");
    }

    private String summary() {
        Spread trips = roundTripsPerOpen();
        String target = orders == OpenOrders.Kind.RANDOM
                ? format("at most %.2f times stock's time for orders that never come again", TIME_TARGET)
                : format("at most %.2f round trips per open for orders seen before", ROUND_TRIPS_TARGET);
        return format(
                "%n  Orders %s, %d opens in a pass, medians of %d rounds (lowest to highest):%n"
                        + "    round trips per open  %.3f (%.3f to %.3f)%n"
                        + ratioLine("time", ratio())
                        + ratioLine("CPU time", cpuRatio(CpuTimes::total))
                        + ratioLine("  of clients", cpuRatio(cpu -> cpu.clients))
                        + ratioLine("  of the NameNode", cpuRatio(cpu -> cpu.nameNode))
                        + ratioLine("  of DataNodes", cpuRatio(cpu -> cpu.dataNodes))
                        + "  The target is %s: %s.%n",
                orders.name().toLowerCase(Locale.ROOT),
                opens,
                rounds.size(),
                trips.median(),
                trips.min(),
                trips.max(),
                target,
                targetMet() ? "met" : "NOT met");
    }

    private static String ratioLine(String of, Spread ratio) {
        return format("    %-21s %.3f (%.3f to %.3f) of stock's%%n", of, ratio.median(), ratio.min(), ratio.max());
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
                .put("medianRoundTripsPerOpen", roundTripsPerOpen().median())
                .put("medianTimeRatio", ratio().median())
                .put("lowestTimeRatio", ratio().min())
                .put("highestTimeRatio", ratio().max())
                .put("medianCpuRatio", cpuRatio(CpuTimes::total).median())
                .put("medianClientCpuRatio", cpuRatio(cpu -> cpu.clients).median())
                .put("medianNameNodeCpuRatio", cpuRatio(cpu -> cpu.nameNode).median())
                .put("medianDataNodeCpuRatio", cpuRatio(cpu -> cpu.dataNodes).median())
                .put("targetMet", targetMet());
        ArrayNode list = root.putArray("rounds");
        for (Round round : rounds) {
            ObjectNode node = list.addObject();
            describe(node.putObject("stockFirst"), round.stockFirst);
            describe(node.putObject("foresightFirst"), round.first);
            describe(node.putObject("stock"), round.stock);
            describe(node.putObject("foresight"), round.again);
        }
        mapper.writeValue(file.toFile(), root);
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

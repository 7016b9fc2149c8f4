/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.foresight.benchmarks.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a demo has measured, as a table for people and as JSON for machines. Not thread-safe. */
final class DemoReport {

    private static final String ROW = "  %-6s %-10s %10s %7s %12s %13s %15s %12s%n";

    private final DemoPlan plan;
    private final @Nullable String notThrottled;
    private final boolean cold;
    private final List<SideResult> stock = new ArrayList<>();
    private final List<SideResult> foresight = new ArrayList<>();

    DemoReport(DemoPlan plan, @Nullable String notThrottled, boolean cold) {
        this.plan = plan;
        this.notThrottled = notThrottled;
        this.cold = cold;
    }

    void add(SideResult stockSide, SideResult foresightSide) {
        stock.add(stockSide);
        foresight.add(foresightSide);
    }

    /** Throughput with Foresight as a multiple of stock's, round by round. */
    List<Double> ratios() {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < stock.size(); i++) {
            ratios.add(stock.get(i).seconds / foresight.get(i).seconds);
        }
        return ratios;
    }

    double medianRatio() {
        return spread().median();
    }

    boolean targetMet() {
        return medianRatio() >= plan.targetRatio();
    }

    String table() {
        StringBuilder table = new StringBuilder();
        table.append(String.format(
                Locale.ROOT,
                ROW,
                "round",
                "side",
                "MiB/s",
                "ratio",
                "disk reads",
                "MiB from disk",
                "MiB prefetched",
                "MiB wasted"));
        for (int i = 0; i < stock.size(); i++) {
            SideResult before = stock.get(i);
            SideResult after = foresight.get(i);
            table.append(row(String.valueOf(i + 1), "stock", before, "1.00", false));
            table.append(row("", "foresight", after, decimal(before.seconds / after.seconds), true));
        }
        Spread spread = spread();
        table.append(String.format(
                Locale.ROOT,
                "%n  Foresight reads %s times as fast as stock HDFS (median of %d; %s to %s). All bytes verified by CRC32C.%n",
                decimal(medianRatio()),
                stock.size(),
                decimal(spread.min()),
                decimal(spread.max())));
        table.append(String.format(
                Locale.ROOT,
                "  The target is at least %.1f times: %s.%n",
                plan.targetRatio(),
                targetMet() ? "met" : "NOT met"));
        if (notThrottled != null) {
            table.append("  Disks were NOT limited, so this says little about spinning disks: ")
                    .append(notThrottled)
                    .append('\n');
        }
        if (!cold) {
            table.append("  The page cache could NOT be emptied (root is needed): these are figures of warm reads.\n");
        }
        return table.toString();
    }

    void writeJson(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode();
        Spread spread = spread();
        root.put("hadoopVersion", plan.hadoopVersion)
                .put("fileBytes", plan.size)
                .put("blockBytes", plan.blockSize)
                .put("readers", plan.readers)
                .put("dataNodes", plan.dataNodes)
                .put("diskMibPerSecond", notThrottled == null ? plan.rateMib : 0)
                .put("throttled", notThrottled == null && plan.rateMib > 0)
                .put("cold", cold)
                .put("verified", true)
                .put("medianRatio", medianRatio())
                .put("minRatio", spread.min())
                .put("maxRatio", spread.max())
                .put("targetRatio", plan.targetRatio())
                .put("targetMet", targetMet());
        ArrayNode rounds = root.putArray("rounds");
        for (int i = 0; i < stock.size(); i++) {
            ObjectNode round = rounds.addObject().put("ratio", stock.get(i).seconds / foresight.get(i).seconds);
            describe(round.putObject("stock"), stock.get(i));
            describe(round.putObject("foresight"), foresight.get(i));
        }
        mapper.writeValue(file.toFile(), root);
    }

    private static void describe(ObjectNode node, SideResult side) {
        node.put("seconds", side.seconds)
                .put("mibPerSecond", side.mibPerSecond())
                .put("diskReads", side.diskReads.requests())
                .put("diskBytes", side.diskReads.bytes())
                .put("prefetchedBytes", side.prefetchedBytes)
                .put("wastedBytes", side.wastedBytes);
    }

    private String row(String round, String name, SideResult side, String ratio, boolean prefetches) {
        boolean counted = notThrottled == null;
        return String.format(
                Locale.ROOT,
                ROW,
                round,
                name,
                decimal(side.mibPerSecond()),
                ratio,
                counted ? side.diskReads.requests() : "-",
                counted ? side.diskReads.bytes() >> 20 : "-",
                prefetches ? side.prefetchedBytes >> 20 : "-",
                prefetches ? side.wastedBytes >> 20 : "-");
    }

    private Spread spread() {
        return Spread.of(ratios());
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}

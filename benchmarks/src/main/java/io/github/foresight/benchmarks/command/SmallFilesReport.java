/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.foresight.benchmarks.report.Spread;
import io.github.foresight.cluster.DiskReads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Cold reads of small files in an order seen before, stock beside Foresight. Not thread-safe. */
final class SmallFilesReport {

    /** The least files per second, as a multiple of stock's. */
    static final double TARGET = 2.0;

    private static final String ROW = "  %-6s %-10s %9s %7s %11s %11s %12s %12s %15s %12s%n";

    /** What reading all files once took. Immutable. */
    static final class Pass {
        final double seconds;
        final long roundTrips;
        final DiskReads diskReads;
        final long prefetchedBytes;
        final long wastedBytes;

        Pass(double seconds, long roundTrips, DiskReads diskReads, long prefetchedBytes, long wastedBytes) {
            this.seconds = seconds;
            this.roundTrips = roundTrips;
            this.diskReads = diskReads;
            this.prefetchedBytes = prefetchedBytes;
            this.wastedBytes = wastedBytes;
        }
    }

    private final int files;
    private final int fileBytes;
    private final String hadoopVersion;
    private final @Nullable String notThrottled;
    private final boolean cold;
    private final List<Pass> stock = new ArrayList<>();
    private final List<Pass> foresight = new ArrayList<>();

    /**
     * An empty report.
     *
     * @param notThrottled why disks are neither limited nor counted, or null where they are
     * @param cold whether the page cache is emptied before each pass
     */
    SmallFilesReport(int files, int fileBytes, String hadoopVersion, @Nullable String notThrottled, boolean cold) {
        this.files = files;
        this.fileBytes = fileBytes;
        this.hadoopVersion = hadoopVersion;
        this.notThrottled = notThrottled;
        this.cold = cold;
    }

    void add(Pass stockPass, Pass foresightPass) {
        stock.add(stockPass);
        foresight.add(foresightPass);
    }

    /** Files per second as a multiple of stock's, round by round. */
    Spread ratio() {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < stock.size(); i++) {
            ratios.add(ratio(i));
        }
        return Spread.of(ratios);
    }

    private double ratio(int round) {
        return stock.get(round).seconds / foresight.get(round).seconds;
    }

    private static double median(List<Pass> passes, ToDoubleFunction<Pass> figure) {
        List<Double> figures = new ArrayList<>();
        passes.forEach(pass -> figures.add(figure.applyAsDouble(pass)));
        return Spread.of(figures).median();
    }

    private double readsPerFile(Pass pass) {
        return (double) pass.diskReads.requests() / files;
    }

    private double filesPerSecond(Pass pass) {
        return files / pass.seconds;
    }

    boolean targetMet() {
        return ratio().median() >= TARGET;
    }

    String table() {
        StringBuilder table = new StringBuilder(format(
                "%n" + ROW,
                "round",
                "side",
                "files/s",
                "ratio",
                "disk reads",
                "reads/file",
                "KiB/file",
                "trips/file",
                "MiB prefetched",
                "MiB wasted"));
        for (int i = 0; i < stock.size(); i++) {
            table.append(row(String.valueOf(i + 1), "stock", stock.get(i), 1));
            table.append(row("", "foresight", foresight.get(i), ratio(i)));
        }
        Spread ratio = ratio();
        table.append(format(
                "%n  Foresight reads %.2f times as many files in a second as stock HDFS (median of %d; %.2f to %.2f), all bytes"
                        + " compared.%n  The target is at least %.1f times: %s.%n",
                ratio.median(), stock.size(), ratio.min(), ratio.max(), TARGET, targetMet() ? "met" : "NOT met"));
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

    private String row(String round, String side, Pass pass, double ratio) {
        boolean counted = notThrottled == null;
        boolean ours = side.equals("foresight");
        return format(
                ROW,
                round,
                side,
                format("%.1f", filesPerSecond(pass)),
                format("%.2f", ratio),
                counted ? pass.diskReads.requests() : "-",
                counted ? format("%.2f", readsPerFile(pass)) : "-",
                counted ? format("%.1f", pass.diskReads.bytes() / 1024.0 / files) : "-",
                format("%.3f", (double) pass.roundTrips / files),
                ours ? format("%.1f", pass.prefetchedBytes / 1048576.0) : "-",
                ours ? format("%.1f", pass.wastedBytes / 1048576.0) : "-");
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    void writeJson(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        Spread ratio = ratio();
        ObjectNode root = mapper.createObjectNode()
                .put("hadoopVersion", hadoopVersion)
                .put("files", files)
                .put("fileBytes", fileBytes)
                .put("throttled", notThrottled == null)
                .put("cold", cold)
                .put("medianRatio", ratio.median())
                .put("minRatio", ratio.min())
                .put("maxRatio", ratio.max())
                .put("medianStockFilesPerSecond", median(stock, this::filesPerSecond))
                .put("medianForesightFilesPerSecond", median(foresight, this::filesPerSecond))
                .put("medianStockReadsPerFile", median(stock, this::readsPerFile))
                .put("medianForesightReadsPerFile", median(foresight, this::readsPerFile))
                .put("targetRatio", TARGET)
                .put("targetMet", targetMet());
        ArrayNode rounds = root.putArray("rounds");
        for (int i = 0; i < stock.size(); i++) {
            ObjectNode round = rounds.addObject().put("ratio", ratio(i));
            describe(round.putObject("stock"), stock.get(i));
            describe(round.putObject("foresight"), foresight.get(i));
        }
        mapper.writeValue(file.toFile(), root);
    }

    private void describe(ObjectNode node, Pass pass) {
        node.put("seconds", pass.seconds)
                .put("filesPerSecond", filesPerSecond(pass))
                .put("roundTrips", pass.roundTrips)
                .put("diskReads", pass.diskReads.requests())
                .put("diskBytes", pass.diskReads.bytes())
                .put("prefetchedBytes", pass.prefetchedBytes)
                .put("wastedBytes", pass.wastedBytes);
    }
}

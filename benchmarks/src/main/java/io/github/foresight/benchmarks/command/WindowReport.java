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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Small reads of large files by position: windows of several widths beside stock HDFS and spatial read-ahead. Not thread-safe. */
final class WindowReport {

    /** The least reads per second at random, as a multiple of stock's. */
    static final double TARGET_RATIO = 2.0;

    /** The most prefetch requests, as a part of the rival's. */
    static final double TARGET_REQUESTS = 0.25;

    static final String STOCK = "stock";

    /** Before a rival's width. */
    static final String RIVAL = "spa-";

    /** Before a fixed window's width. */
    static final String FIXED = "window-";

    static final String DYNAMIC = "dynamic";

    private static final String ROW = "  %-9s %-10s %-11s %9s %9s %7s %12s %12s %12s %11s%n";

    /** Who reads, and with how much memory for what was read ahead. Immutable. */
    static final class Side {
        final String name;
        final long cacheBytes;

        /**
         * One of the sides.
         *
         * @param cacheBytes of each DataNode; 0 for stock HDFS, which reads nothing ahead
         */
        Side(String name, long cacheBytes) {
            this.name = name;
            this.cacheBytes = cacheBytes;
        }
    }

    /** One pass of one side. Immutable. */
    static final class Pass {
        final int dataNodes;
        final String pattern;
        final String side;
        final long cacheBytes;
        final double seconds;
        final long requests;
        final long refusals;
        final long hits;
        final long trailHits;
        final long misses;
        final DiskReads diskReads;

        /**
         * A pass.
         *
         * @param counts requests, refusals, hits, hits on the trail and misses
         */
        Pass(int dataNodes, String pattern, Side side, double seconds, long[] counts, DiskReads diskReads) {
            this.dataNodes = dataNodes;
            this.pattern = pattern;
            this.side = side.name;
            this.cacheBytes = side.cacheBytes;
            this.seconds = seconds;
            this.requests = counts[0];
            this.refusals = counts[1];
            this.hits = counts[2];
            this.trailHits = counts[3];
            this.misses = counts[4];
            this.diskReads = diskReads;
        }
    }

    private final int reads;
    private final int readBytes;
    private final String hadoopVersion;
    private final @Nullable String notThrottled;
    private final boolean cold;
    private final List<Pass> passes = new ArrayList<>();

    /**
     * An empty report.
     *
     * @param notThrottled why disks are neither limited nor counted, or null where they are
     * @param cold whether the page cache is emptied before each pass
     */
    WindowReport(int reads, int readBytes, String hadoopVersion, @Nullable String notThrottled, boolean cold) {
        this.reads = reads;
        this.readBytes = readBytes;
        this.hadoopVersion = hadoopVersion;
        this.notThrottled = notThrottled;
        this.cold = cold;
    }

    void add(Pass pass) {
        passes.add(pass);
    }

    private static double median(List<Pass> of, ToDoubleFunction<Pass> figure) {
        List<Double> figures = new ArrayList<>();
        of.forEach(pass -> figures.add(figure.applyAsDouble(pass)));
        return Spread.of(figures).median();
    }

    private List<Pass> of(Pass like, String side) {
        List<Pass> found = new ArrayList<>();
        for (Pass pass : passes) {
            boolean hasCache = side.equals(STOCK) || pass.cacheBytes == like.cacheBytes;
            if (pass.dataNodes == like.dataNodes
                    && pass.pattern.equals(like.pattern)
                    && pass.side.equals(side)
                    && hasCache) {
                found.add(pass);
            }
        }
        return found;
    }

    /** Reads per second of a kind of pass as a multiple of stock's, medians of both; 0 where one is missing. */
    private double ratio(Pass like) {
        List<Pass> stock = of(like, STOCK);
        return stock.isEmpty()
                ? 0
                : median(stock, pass -> pass.seconds) / median(of(like, like.side), pass -> pass.seconds);
    }

    /** The passes of the rival of a fixed window's width, or, for another window or without such a one, of the first rival. */
    private List<Pass> rivalOf(Pass like) {
        String same = like.side.startsWith(FIXED) ? RIVAL + like.side.substring(FIXED.length()) : "";
        List<Pass> rival = of(like, same);
        return rival.isEmpty()
                ? passes.stream()
                        .filter(pass -> pass.side.startsWith(RIVAL))
                        .findFirst()
                        .map(first -> of(like, first.side))
                        .orElse(rival)
                : rival;
    }

    /** Prefetch requests of a kind of pass as a part of the rival's; infinite where that made none. */
    private double requestsOfRivals(Pass like) {
        List<Pass> rival = rivalOf(like);
        double rivals = rival.isEmpty() ? 0 : median(rival, pass -> pass.requests);
        double ours = median(of(like, like.side), pass -> pass.requests);
        return rivals == 0 ? Double.POSITIVE_INFINITY : ours / rivals;
    }

    /** Whether the dynamic window is fast enough at random, on each number of DataNodes. */
    boolean ratioMet() {
        return kinds().stream()
                .filter(pass -> pass.side.equals(DYNAMIC) && pass.pattern.equals("RANDOM"))
                .allMatch(pass -> ratio(pass) >= TARGET_RATIO);
    }

    /** Whether the dynamic window makes few enough requests, in each pattern and on each number of DataNodes. */
    boolean requestsMet() {
        return kinds().stream()
                .filter(pass -> pass.side.equals(DYNAMIC))
                .allMatch(pass -> requestsOfRivals(pass) <= TARGET_REQUESTS);
    }

    /** One pass of each kind, in the order in which they came. */
    private List<Pass> kinds() {
        Set<String> seen = new LinkedHashSet<>();
        List<Pass> kinds = new ArrayList<>();
        for (Pass pass : passes) {
            if (seen.add(pass.dataNodes + pass.pattern + pass.side + "/" + pass.cacheBytes)) {
                kinds.add(pass);
            }
        }
        return kinds;
    }

    String table() {
        StringBuilder table = new StringBuilder(format(
                "%n" + ROW,
                "datanodes",
                "pattern",
                "side",
                "cache/MiB",
                "reads/s",
                "ratio",
                "requests",
                "of spa's",
                "in memory",
                "disk reads"));
        for (Pass kind : kinds()) {
            List<Pass> all = of(kind, kind.side);
            boolean asks = !kind.side.equals(STOCK);
            boolean windows = asks && !kind.side.startsWith(RIVAL);
            table.append(format(
                    ROW,
                    kind.dataNodes,
                    kind.pattern,
                    kind.side,
                    asks ? cacheMebibytes(kind) : "-",
                    format("%.0f", reads / median(all, pass -> pass.seconds)),
                    format("%.2f", ratio(kind)),
                    asks ? format("%.0f", median(all, pass -> pass.requests)) : "-",
                    windows ? format("%.2f", requestsOfRivals(kind)) : "-",
                    windows ? format("%.2f", inMemory(all)) : "-",
                    notThrottled == null ? format("%.0f", median(all, pass -> pass.diskReads.requests())) : "-"));
        }
        table.append(format(
                "%n  Medians. \"in memory\": the part of the reads that was sent to the replica node.%n"
                        + "  Dynamic windows at random are to reach %.1f times stock: %s.%n"
                        + "  Their requests are to be at most %.2f of spa's: %s.%n",
                TARGET_RATIO, ratioMet() ? "met" : "NOT met", TARGET_REQUESTS, requestsMet() ? "met" : "NOT met"));
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

    private static String cacheMebibytes(Pass pass) {
        return String.valueOf(pass.cacheBytes >> 20);
    }

    private double inMemory(List<Pass> all) {
        return median(all, pass -> (double) (pass.hits + pass.trailHits) / reads);
    }

    /** The medians as a table with a head, a row for each kind of pass; what a side does not have is left empty. */
    String csv() {
        StringBuilder csv = new StringBuilder(
                "datanodes,pattern,side,cache_mib,rounds,reads_per_second,lowest,highest,ratio,requests,"
                        + "requests_of_spa,in_memory,disk_reads\n");
        for (Pass kind : kinds()) {
            List<Pass> all = of(kind, kind.side);
            boolean asks = !kind.side.equals(STOCK);
            boolean windows = asks && !kind.side.startsWith(RIVAL);
            csv.append(format(
                    "%d,%s,%s,%s,%d,%.1f,%.1f,%.1f,%.3f,%s,%s,%s,%s\n",
                    kind.dataNodes,
                    kind.pattern,
                    kind.side,
                    asks ? cacheMebibytes(kind) : "",
                    all.size(),
                    reads / median(all, pass -> pass.seconds),
                    reads / all.stream().mapToDouble(pass -> pass.seconds).max().orElseThrow(),
                    reads / all.stream().mapToDouble(pass -> pass.seconds).min().orElseThrow(),
                    ratio(kind),
                    asks ? format("%.0f", median(all, pass -> pass.requests)) : "",
                    windows ? format("%.4f", requestsOfRivals(kind)) : "",
                    windows ? format("%.3f", inMemory(all)) : "",
                    notThrottled == null ? format("%.0f", median(all, pass -> pass.diskReads.requests())) : ""));
        }
        return csv.toString();
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    void writeJson(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode()
                .put("hadoopVersion", hadoopVersion)
                .put("reads", reads)
                .put("readBytes", readBytes)
                .put("throttled", notThrottled == null)
                .put("cold", cold)
                .put("targetRatio", TARGET_RATIO)
                .put("targetRequests", TARGET_REQUESTS)
                .put("ratioMet", ratioMet())
                .put("requestsMet", requestsMet());
        ArrayNode medians = root.putArray("medians");
        for (Pass kind : kinds()) {
            List<Pass> all = of(kind, kind.side);
            medians.addObject()
                    .put("dataNodes", kind.dataNodes)
                    .put("pattern", kind.pattern)
                    .put("side", kind.side)
                    .put("cacheBytes", kind.cacheBytes)
                    .put("readsPerSecond", reads / median(all, pass -> pass.seconds))
                    .put("ratio", ratio(kind))
                    .put("requests", median(all, pass -> pass.requests));
        }
        ArrayNode each = root.putArray("passes");
        for (Pass pass : passes) {
            each.addObject()
                    .put("dataNodes", pass.dataNodes)
                    .put("pattern", pass.pattern)
                    .put("side", pass.side)
                    .put("cacheBytes", pass.cacheBytes)
                    .put("seconds", pass.seconds)
                    .put("requests", pass.requests)
                    .put("refusals", pass.refusals)
                    .put("hits", pass.hits)
                    .put("trailHits", pass.trailHits)
                    .put("misses", pass.misses)
                    .put("diskReads", pass.diskReads.requests())
                    .put("diskBytes", pass.diskReads.bytes());
        }
        mapper.writeValue(file.toFile(), root);
    }
}

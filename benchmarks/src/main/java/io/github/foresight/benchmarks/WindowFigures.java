/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws what {@code bin/foresight bench window --csv} has measured, in the manner of NBJLOFS's figures 9 to 12: reads per second by
 * the memory for what is read ahead, for tables with several such; else reads per second and prefetch requests by the width of the
 * window, and reads per second by the number of DataNodes.
 *
 * <p>Arguments: the folder to draw into, then tables.
 */
public final class WindowFigures {

    private static final int WIDTH = 620;
    private static final int HEIGHT = 400;
    private static final List<String> PATTERNS = List.of("SEQUENTIAL", "RANDOM");

    /** Sides that have a width, by what their names begin with. */
    private static final Map<String, String> WIDTHS = new LinkedHashMap<>();

    static {
        WIDTHS.put("window-", "windows");
        WIDTHS.put("spa-", "spatial read-ahead");
    }

    private static final Map<String, Color> COLOURS = Map.of(
            "stock", new Color(0x7f7f7f),
            "spatial read-ahead", new Color(0xff7f0e),
            "windows", new Color(0x1f77b4),
            "dynamic window", new Color(0x2ca02c));

    private static final List<String> SIDES = List.of("stock", "spa-10", "window-10", "dynamic");
    private static final Color[] SIDE_COLOURS = {
        colour("stock"), colour("spatial read-ahead"), colour("windows"), colour("dynamic window")
    };

    /** One row of a table. */
    private static final class Row {
        final int dataNodes;
        final String pattern;
        final String side;

        /** Memory of each DataNode for what is read ahead; null for who reads nothing ahead. */
        final @Nullable Integer cacheMebibytes;

        final double readsPerSecond;
        final double requests;

        Row(Map<String, String> cells) {
            dataNodes = Integer.parseInt(cell(cells, "datanodes"));
            pattern = cell(cells, "pattern");
            side = cell(cells, "side");
            String cache = cell(cells, "cache_mib");
            cacheMebibytes = cache.isEmpty() ? null : Integer.valueOf(cache);
            readsPerSecond = Double.parseDouble(cell(cells, "reads_per_second"));
            String asked = cell(cells, "requests");
            requests = asked.isEmpty() ? 0 : Double.parseDouble(asked);
        }

        private static String cell(Map<String, String> cells, String column) {
            String cell = cells.get(column);
            if (cell == null) {
                throw new IllegalArgumentException("a table needs a column " + column + ": " + cells.keySet());
            }
            return cell;
        }
    }

    private final List<Row> rows;

    private WindowFigures(List<Row> rows) {
        this.rows = rows;
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 2) {
            throw new IllegalArgumentException("a folder and at least one table are needed: " + List.of(args));
        }
        List<Row> byWidth = new ArrayList<>();
        List<Row> byCache = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            List<Row> table = read(Path.of(args[i]));
            (caches(table).size() > 1 ? byCache : byWidth).addAll(table);
        }
        Path folder = Files.createDirectories(Path.of(args[0]));
        if (!byWidth.isEmpty()) {
            new WindowFigures(byWidth).draw(folder);
        }
        if (!byCache.isEmpty()) {
            new WindowFigures(byCache).drawByCache(folder);
        }
    }

    private static Set<Integer> caches(List<Row> rows) {
        return rows.stream()
                .map(row -> row.cacheMebibytes)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Row> read(Path table) throws IOException {
        List<String> lines = Files.readAllLines(table);
        String[] head = lines.get(0).split(",", -1);
        return lines.stream()
                .skip(1)
                .map(line -> {
                    String[] cells = line.split(",", -1);
                    Map<String, String> row = new TreeMap<>();
                    for (int i = 0; i < head.length; i++) {
                        row.put(head[i], cells[i]);
                    }
                    return new Row(row);
                })
                .collect(Collectors.toList());
    }

    private void draw(Path folder) throws IOException {
        List<Chart<?, ?>> throughput = new ArrayList<>();
        List<Chart<?, ?>> requests = new ArrayList<>();
        List<Chart<?, ?>> scale = new ArrayList<>();
        TreeSet<Integer> sizes = rows.stream().map(row -> row.dataNodes).collect(Collectors.toCollection(TreeSet::new));
        for (String pattern : PATTERNS) {
            for (int nodes : sizes) {
                throughput.add(byWidth("reads/s", nodes, pattern, row -> row.readsPerSecond, true));
                requests.add(byWidth("prefetch requests", nodes, pattern, row -> row.requests, false));
            }
            scale.add(byDataNodes(pattern, sizes));
        }
        save(throughput, sizes.size(), folder.resolve("window-throughput"));
        save(requests, sizes.size(), folder.resolve("window-requests"));
        save(scale, PATTERNS.size(), folder.resolve("window-datanodes"));
    }

    private void drawByCache(Path folder) throws IOException {
        List<Chart<?, ?>> charts = new ArrayList<>();
        TreeSet<Integer> sizes = rows.stream().map(row -> row.dataNodes).collect(Collectors.toCollection(TreeSet::new));
        for (String pattern : PATTERNS) {
            for (int nodes : sizes) {
                charts.add(byCache(nodes, pattern));
            }
        }
        save(charts, sizes.size(), folder.resolve("window-cache"));
    }

    private CategoryChart byCache(int nodes, String pattern) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("reads/s, " + pattern.toLowerCase(Locale.ROOT) + ", " + nodes + " DataNodes")
                .xAxisTitle("memory of each DataNode for what is read ahead, MiB")
                .yAxisTitle("reads/s")
                .build();
        dress(chart.getStyler());
        chart.getStyler().setSeriesColors(SIDE_COLOURS);
        Set<Integer> caches = caches(rows);
        for (String side : SIDES) {
            List<Double> values = caches.stream()
                    .map(cache -> of(nodes, pattern).stream()
                            .filter(row -> row.side.equals(side)
                                    && (row.cacheMebibytes == null || row.cacheMebibytes.equals(cache)))
                            .mapToDouble(row -> row.readsPerSecond)
                            .findFirst()
                            .orElse(0))
                    .collect(Collectors.toList());
            chart.addSeries(side, new ArrayList<>(caches), values);
        }
        return chart;
    }

    private static void save(List<Chart<?, ?>> charts, int columns, Path file) throws IOException {
        BitmapEncoder.saveBitmap(charts, charts.size() / columns, columns, file.toString(), BitmapFormat.PNG);
    }

    private XYChart byWidth(String what, int nodes, String pattern, ToDoubleFunction<Row> figure, boolean withStock) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(what + ", " + pattern.toLowerCase(Locale.ROOT) + ", " + nodes + " DataNodes")
                .xAxisTitle("width of window or read-ahead, objects of 128 KiB")
                .yAxisTitle(what)
                .build();
        dress(chart.getStyler());
        if (withStock) {
            chart.getStyler().setYAxisMin(0.0);
        } else {
            chart.getStyler().setYAxisLogarithmic(true);
            chart.getStyler().setYAxisMin(10.0);
            chart.getStyler().setYAxisMax(100_000.0);
        }
        TreeSet<Double> all = new TreeSet<>();
        WIDTHS.forEach((prefix, name) -> {
            TreeMap<Double, Double> points = new TreeMap<>();
            for (Row row : of(nodes, pattern)) {
                if (row.side.startsWith(prefix)) {
                    points.put(Double.valueOf(row.side.substring(prefix.length())), figure.applyAsDouble(row));
                }
            }
            all.addAll(points.keySet());
            coloured(chart.addSeries(name, new ArrayList<>(points.keySet()), new ArrayList<>(points.values())));
        });
        List<Double> ends = List.of(all.first(), all.last());
        for (Row row : of(nodes, pattern)) {
            boolean flat = row.side.equals("dynamic") || (withStock && row.side.equals("stock"));
            if (flat) {
                double value = figure.applyAsDouble(row);
                String name = row.side.equals("dynamic") ? "dynamic window" : "stock";
                coloured(chart.addSeries(name, ends, List.of(value, value))).setMarker(SeriesMarkers.NONE);
            }
        }
        return chart;
    }

    private static void dress(AxesChartStyler styler) {
        styler.setLegendPosition(LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setYAxisDecimalPattern("#,##0");
    }

    private static XYSeries coloured(XYSeries series) {
        Color colour = colour(series.getName());
        series.setLineColor(colour);
        series.setMarkerColor(colour);
        return series;
    }

    private static Color colour(String name) {
        return COLOURS.getOrDefault(name, Color.BLACK);
    }

    private CategoryChart byDataNodes(String pattern, Set<Integer> sizes) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("reads/s, " + pattern.toLowerCase(Locale.ROOT))
                .xAxisTitle("DataNodes")
                .yAxisTitle("reads/s")
                .build();
        dress(chart.getStyler());
        chart.getStyler().setSeriesColors(SIDE_COLOURS);
        for (String side : SIDES) {
            List<Double> values = sizes.stream()
                    .map(nodes -> of(nodes, pattern).stream()
                            .filter(row -> row.side.equals(side))
                            .mapToDouble(row -> row.readsPerSecond)
                            .findFirst()
                            .orElse(0))
                    .collect(Collectors.toList());
            chart.addSeries(side, new ArrayList<>(sizes), values);
        }
        return chart;
    }

    private List<Row> of(int nodes, String pattern) {
        return rows.stream()
                .filter(row -> row.dataNodes == nodes && row.pattern.equals(pattern))
                .collect(Collectors.toList());
    }
}

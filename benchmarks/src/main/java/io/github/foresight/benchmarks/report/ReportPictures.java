/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

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
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
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
 * Draws reports that {@link JsonReport} has written, as PNG files.
 *
 * <p>A report of {@code bench window} becomes NBJLOFS's figures 9 to 12: reads per second by the window's memory, if the report has several
 * sizes of memory; otherwise reads per second and prefetch requests by the window's width, and reads per second by the number of
 * DataNodes. Any other report, such as the demo's, becomes the first column of each side by round,
 * a chart for each workload.
 *
 * <p>Arguments: the folder for the pictures, then JSON files.
 */
public final class ReportPictures {

    /** Parameters of the workloads of {@code bench window}, and its sides. */
    public static final String DATA_NODES = "dataNodes";

    public static final String PATTERN = "pattern";
    public static final String CACHE_MEBIBYTES = "cacheMebibytes";
    public static final String RIVAL = "spa-";
    public static final String FIXED = "window-";
    public static final String DYNAMIC = "dynamic";

    /** Columns of {@code bench window}. */
    public static final Column READS = new Column(
            "reads", "1/s", 0, Comparison.OF_STOCK, "reads of the pass per second, from the first to the last");

    public static final Column REQUESTS = new Column(
            "requests",
            "",
            0,
            Comparison.OF_RIVAL,
            "prefetch requests; their baseline is the rival's read-ahead (spa)");

    /** Ends of the names of the pictures by width and by DataNodes. */
    /** Small enough for a workload's sentence in one line. */
    private static final float WORKLOAD_POINTS = 9;

    private static final String THROUGHPUT = "-throughput";

    private static final String REQUEST_COUNTS = "-requests";
    private static final String SCALE = "-datanodes";

    private static final int WIDTH = 620;
    private static final int HEIGHT = 400;
    private static final List<String> PATTERNS = List.of("SEQUENTIAL", "RANDOM");

    /** The legend of sides that have a width, by the prefix of their names. */
    private static final Map<String, String> WIDTHS = new LinkedHashMap<>();

    static {
        WIDTHS.put(FIXED, "windows");
        WIDTHS.put(RIVAL, "spatial read-ahead");
    }

    private static final Map<String, Color> COLOURS = Map.of(
            Baseline.STOCK,
            new Color(0x7f7f7f),
            "spatial read-ahead",
            new Color(0xff7f0e),
            "windows",
            new Color(0x1f77b4),
            "dynamic window",
            new Color(0x2ca02c));

    private static final List<String> SIDES = List.of(Baseline.STOCK, RIVAL + "10", FIXED + "10", DYNAMIC);
    private static final Color[] SIDE_COLOURS = {
        colour(Baseline.STOCK), colour("spatial read-ahead"), colour("windows"), colour("dynamic window")
    };

    private final List<Result> results;
    private final String name;

    private ReportPictures(List<Result> results, String name) {
        this.results = results;
        this.name = name;
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 2) {
            throw new IllegalArgumentException("a folder and at least one JSON file are needed: " + List.of(args));
        }
        Path folder = Files.createDirectories(Path.of(args[0]));
        for (int i = 1; i < args.length; i++) {
            draw(JsonReport.read(Path.of(args[i])), folder);
        }
    }

    /** Draws one report; its command names the pictures. */
    static void draw(BenchReport report, Path folder) throws IOException {
        draw(report, folder, name(report));
    }

    /** Draws one report, as the pictures that {@link #captions} names. */
    public static void draw(BenchReport report, Path folder, String name) throws IOException {
        ReportPictures pictures = new ReportPictures(report.results(), name);
        if (pictures.cacheSizes() == 0) {
            save(byRound(report), 1, folder.resolve(name));
        } else if (pictures.cacheSizes() > 1) {
            pictures.drawByCache(folder);
        } else {
            pictures.drawByWidth(folder);
        }
    }

    /** What each picture of a report shows, by the picture's file name. */
    static Map<String, String> captions(BenchReport report, String name) {
        int cacheSizes = new ReportPictures(report.results(), name).cacheSizes();
        Map<String, String> captions = new LinkedHashMap<>();
        if (cacheSizes == 0) {
            captions.put(name + ".png", report.columns().get(0).heading() + ", by round");
        } else if (cacheSizes > 1) {
            captions.put(name + ".png", "reads per second by the memory for windows");
        } else {
            captions.put(name + THROUGHPUT + ".png", "reads per second by the width of the window");
            captions.put(name + REQUEST_COUNTS + ".png", "prefetch requests by the width of the window");
            captions.put(name + SCALE + ".png", "reads per second by the number of DataNodes");
        }
        return captions;
    }

    /** How many sizes of window memory the results have; 0 where they are not of {@code bench window}. */
    private int cacheSizes() {
        return numbers(CACHE_MEBIBYTES).size();
    }

    /** Words of the command before its options: {@code demo}, {@code bench-small-files}; of windows as their figures are called. */
    private static String name(BenchReport report) {
        int cacheSizes = new ReportPictures(report.results(), "").cacheSizes();
        if (cacheSizes > 0) {
            return cacheSizes > 1 ? "window-cache" : "window";
        }
        return report.header()
                .command()
                .replaceFirst("^bin/foresight ", "")
                .replaceFirst(" -.*", "")
                .replace(' ', '-');
    }

    /** One chart for each workload. */
    private static List<Chart<?, ?>> byRound(BenchReport report) {
        Column column = report.columns().get(0);
        Map<String, Map<String, Map<Integer, Double>>> workloads = new LinkedHashMap<>();
        for (Measurement each : report.measurements()) {
            Double figure = each.figures().get(column.name());
            if (figure != null) {
                workloads
                        .computeIfAbsent(each.workload().words(), unused -> new LinkedHashMap<>())
                        .computeIfAbsent(each.side(), unused -> new TreeMap<>())
                        .put(each.round(), figure);
            }
        }
        List<Chart<?, ?>> charts = new ArrayList<>();
        workloads.forEach((workload, sides) -> {
            CategoryChart chart = bars(workload, "round", column.heading());
            chart.getStyler()
                    .setChartTitleFont(chart.getStyler().getChartTitleFont().deriveFont(WORKLOAD_POINTS));
            sides.forEach((side, rounds) ->
                    chart.addSeries(side, new ArrayList<>(rounds.keySet()), new ArrayList<>(rounds.values())));
            charts.add(chart);
        });
        return charts;
    }

    private SortedSet<Integer> numbers(String parameter) {
        return results.stream()
                .map(result -> result.workload().parameters().get(parameter))
                .filter(Objects::nonNull)
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void drawByWidth(Path folder) throws IOException {
        List<Chart<?, ?>> throughput = new ArrayList<>();
        List<Chart<?, ?>> requests = new ArrayList<>();
        List<Chart<?, ?>> scale = new ArrayList<>();
        SortedSet<Integer> sizes = numbers(DATA_NODES);
        for (String pattern : PATTERNS) {
            for (int nodes : sizes) {
                throughput.add(byWidth("reads/s", nodes, pattern, READS));
                requests.add(byWidth("prefetch requests", nodes, pattern, REQUESTS));
            }
            scale.add(byNumber("reads/s, " + lower(pattern), "DataNodes", sizes, nodes -> of(nodes, pattern)));
        }
        save(throughput, sizes.size(), folder.resolve(name + THROUGHPUT));
        save(requests, sizes.size(), folder.resolve(name + REQUEST_COUNTS));
        save(scale, PATTERNS.size(), folder.resolve(name + SCALE));
    }

    private void drawByCache(Path folder) throws IOException {
        List<Chart<?, ?>> charts = new ArrayList<>();
        SortedSet<Integer> sizes = numbers(DATA_NODES);
        for (String pattern : PATTERNS) {
            for (int nodes : sizes) {
                charts.add(byNumber(
                        "reads/s, " + lower(pattern) + ", " + nodes + " DataNodes",
                        "memory of each DataNode for windows, MiB",
                        numbers(CACHE_MEBIBYTES),
                        cache -> of(nodes, pattern).stream()
                                .filter(result -> has(result, CACHE_MEBIBYTES, String.valueOf(cache)))
                                .toList()));
            }
        }
        save(charts, sizes.size(), folder.resolve(name));
    }

    /** The four sides of the paper, by a number. */
    private static CategoryChart byNumber(
            String title, String axis, SortedSet<Integer> numbers, Function<Integer, List<Result>> ofNumber) {
        CategoryChart chart = bars(title, axis, "reads/s");
        chart.getStyler().setSeriesColors(SIDE_COLOURS);
        for (String side : SIDES) {
            List<Double> values = numbers.stream()
                    .map(number -> ofNumber.apply(number).stream()
                            .filter(result -> result.side().equals(side))
                            .mapToDouble(result -> result.median(READS))
                            .findFirst()
                            .orElse(0))
                    .toList();
            chart.addSeries(side, new ArrayList<>(numbers), values);
        }
        return chart;
    }

    private static CategoryChart bars(String title, String xAxis, String yAxis) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(xAxis)
                .yAxisTitle(yAxis)
                .build();
        dress(chart.getStyler());
        return chart;
    }

    private static void save(List<Chart<?, ?>> charts, int columns, Path file) throws IOException {
        BitmapEncoder.saveBitmap(charts, charts.size() / columns, columns, file.toString(), BitmapFormat.PNG);
    }

    private XYChart byWidth(String title, int nodes, String pattern, Column column) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title + ", " + lower(pattern) + ", " + nodes + " DataNodes")
                .xAxisTitle("width of window or read-ahead, objects")
                .yAxisTitle(title)
                .build();
        dress(chart.getStyler());
        boolean requests = column.equals(REQUESTS);
        if (requests) {
            chart.getStyler().setYAxisLogarithmic(true);
            chart.getStyler().setYAxisMin(10.0);
            chart.getStyler().setYAxisMax(100_000.0);
        } else {
            chart.getStyler().setYAxisMin(0.0);
        }
        TreeSet<Double> widths = new TreeSet<>();
        WIDTHS.forEach((prefix, legend) -> {
            TreeMap<Double, Double> points = new TreeMap<>();
            for (Result result : of(nodes, pattern)) {
                if (result.side().startsWith(prefix)) {
                    points.put(Double.valueOf(result.side().substring(prefix.length())), result.median(column));
                }
            }
            widths.addAll(points.keySet());
            coloured(chart.addSeries(legend, new ArrayList<>(points.keySet()), new ArrayList<>(points.values())));
        });
        List<Double> ends = List.of(widths.first(), widths.last());
        for (Result result : of(nodes, pattern)) {
            boolean dynamic = result.side().equals(DYNAMIC);
            if (dynamic || (!requests && result.side().equals(Baseline.STOCK))) {
                double value = result.median(column);
                String legend = dynamic ? "dynamic window" : Baseline.STOCK;
                coloured(chart.addSeries(legend, ends, List.of(value, value))).setMarker(SeriesMarkers.NONE);
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

    private static Color colour(String legend) {
        return COLOURS.getOrDefault(legend, Color.BLACK);
    }

    private List<Result> of(int nodes, String pattern) {
        return results.stream()
                .filter(result -> has(result, DATA_NODES, String.valueOf(nodes)) && has(result, PATTERN, pattern))
                .toList();
    }

    private static boolean has(Result result, String parameter, String value) {
        return value.equals(result.workload().parameters().get(parameter));
    }

    private static String lower(String pattern) {
        return pattern.toLowerCase(Locale.ROOT);
    }
}

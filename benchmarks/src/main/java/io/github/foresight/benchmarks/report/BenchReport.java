/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a benchmark. Immutable.
 *
 * @param measurements of each round
 * @param results of all rounds; sides of one workload follow one another
 */
public record BenchReport(
        Header header,
        RunConditions conditions,
        List<Column> columns,
        List<Measurement> measurements,
        List<Result> results,
        List<PerformanceTarget> targets) {

    public BenchReport {
        columns = List.copyOf(columns);
        measurements = List.copyOf(measurements);
        results = List.copyOf(results);
        targets = List.copyOf(targets);
    }

    /** Compares measurements round by round, and reduces them. Workloads and sides keep their order. */
    public static BenchReport of(
            Header header,
            RunConditions conditions,
            List<Column> columns,
            List<Measurement> measured,
            Baseline baseline) {
        List<Measurement> compared = compare(columns, measured, baseline);
        Map<Workload, Map<String, List<Measurement>>> groups = new LinkedHashMap<>();
        for (Measurement each : compared) {
            groups.computeIfAbsent(each.workload(), unused -> new LinkedHashMap<>())
                    .computeIfAbsent(each.side(), unused -> new ArrayList<>())
                    .add(each);
        }
        List<Result> results = groups.values().stream()
                .flatMap(sides -> sides.values().stream())
                .map(rounds -> Result.of(columns, rounds))
                .toList();
        return new BenchReport(header, conditions, columns, compared, results, List.of());
    }

    /** This report and a promise that it must keep in some of its results. */
    public BenchReport target(String words, double limit, Predicate<Result> concerned, Predicate<Result> kept) {
        List<PerformanceTarget> all = new ArrayList<>(targets);
        all.add(new PerformanceTarget(
                words, limit, results.stream().filter(concerned).allMatch(kept)));
        return new BenchReport(header, conditions, columns, measurements, results, all);
    }

    /** The range of a ratio; null if the report does not have it. */
    @Nullable
    Spread range(Workload workload, String side, Column column) {
        return results.stream()
                .filter(result -> result.workload().words().equals(workload.words())
                        && result.side().equals(side))
                .map(result -> result.figures().get(column.name()))
                .filter(Objects::nonNull)
                .map(FigureSpread::range)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The range of stock HDFS against itself; null if stock was measured once. */
    @Nullable
    Spread noise(Workload workload, Column column) {
        return range(workload, Baseline.STOCK_AGAIN, column);
    }

    /** The highest ratio of a column over all workloads and sides, at least 1. */
    double highestRatio(Column column) {
        return results.stream()
                .map(result -> result.figures().get(column.name()))
                .filter(Objects::nonNull)
                .map(FigureSpread::range)
                .filter(Objects::nonNull)
                .mapToDouble(Spread::highest)
                .reduce(1, Math::max);
    }

    /** The place of a measurement among all. */
    private record Place(Workload workload, String side, int trial, int round) {
        static Place of(Measurement each, String side) {
            return new Place(each.workload(), side, each.trial(), each.round());
        }
    }

    private static List<Measurement> compare(List<Column> columns, List<Measurement> measured, Baseline baseline) {
        Map<Place, Measurement> byPlace = new LinkedHashMap<>();
        measured.forEach(each -> byPlace.put(Place.of(each, each.side()), each));
        List<Measurement> compared = new ArrayList<>();
        for (Measurement each : measured) {
            Map<String, Double> ratios = new LinkedHashMap<>();
            for (Column column : columns) {
                Double figure = each.figures().get(column.name());
                OptionalDouble base = baseline.sidesFor(column, each.side()).stream()
                        .map(side -> byPlace.get(Place.of(each, side)))
                        .filter(Objects::nonNull)
                        .map(other -> other.figures().get(column.name()))
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .average();
                if (column.comparison() != Comparison.NONE && figure != null && base.isPresent()) {
                    double ratio = column.comparison().ratio(figure, base.getAsDouble());
                    if (Double.isFinite(ratio)) {
                        ratios.put(column.name(), ratio);
                    }
                }
            }
            compared.add(each.withRatios(ratios));
        }
        return compared;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one side with one workload, of all rounds. Immutable.
 *
 * @param side the contestant
 * @param rounds the number of measurements, of all trials
 * @param figures by the column's name; a figure that the side does not have is absent
 */
public record Result(Workload workload, String side, int rounds, Map<String, FigureSpread> figures) {

    public Result {
        figures = Ordered.copyOf(figures);
    }

    /** The median ratio of a figure to its baseline, or NaN where there is none. */
    public double ratio(Column column) {
        FigureSpread figure = figures.get(column.name());
        return figure == null || figure.ratio() == null
                ? Double.NaN
                : figure.ratio().median();
    }

    /** The median of a figure, or NaN where the side does not have it. */
    public double median(Column column) {
        FigureSpread figure = figures.get(column.name());
        return figure == null ? Double.NaN : figure.value().median();
    }

    /** Reduces measurements of one side with one workload. */
    static Result of(List<Column> columns, List<Measurement> rounds) {
        Map<String, FigureSpread> figures = new LinkedHashMap<>();
        for (Column column : columns) {
            List<Double> values = new ArrayList<>();
            List<Double> ratios = new ArrayList<>();
            Map<Integer, List<Double>> byTrial = new TreeMap<>();
            for (Measurement each : rounds) {
                Double value = each.figures().get(column.name());
                if (value != null) {
                    values.add(value);
                }
                Double ratio = each.ratios().get(column.name());
                if (ratio != null) {
                    ratios.add(ratio);
                    byTrial.computeIfAbsent(each.trial(), unused -> new ArrayList<>())
                            .add(ratio);
                }
            }
            if (!values.isEmpty()) {
                Spread ratio = ratios.isEmpty() ? null : Spread.of(ratios);
                figures.put(column.name(), new FigureSpread(Spread.of(values), ratio, medians(byTrial)));
            }
        }
        Measurement any = rounds.get(0);
        return new Result(any.workload(), any.side(), rounds.size(), figures);
    }

    private static @Nullable Spread medians(Map<Integer, List<Double>> byTrial) {
        return byTrial.size() < 2
                ? null
                : Spread.of(byTrial.values().stream()
                        .map(ratios -> Spread.of(ratios).median())
                        .toList());
    }
}

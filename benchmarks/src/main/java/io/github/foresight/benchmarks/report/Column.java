/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * A column of a benchmark's table. Immutable.
 *
 * @param name a word or two; the key of the figure in JSON
 * @param unit of the figure; empty for a count
 * @param decimals digits after the point in a table
 * @param comparison the ratio beside the figure
 * @param meaning an explanation for the help text
 */
public record Column(String name, String unit, int decimals, Comparison comparison, String meaning) {

    String heading() {
        return unit.isEmpty() ? name : name + ", " + unit;
    }

    String format(double figure) {
        return String.format(Locale.ROOT, "%." + decimals + "f", figure);
    }

    /** The lines of a help text that explain a benchmark's columns. */
    public static String[] help(List<Column> columns) {
        StringBuilder help = new StringBuilder("\nColumns of the table:\n");
        for (Column column : columns) {
            help.append("  ").append(column.heading()).append(": ").append(column.meaning());
            help.append('\n');
        }
        help.append("The ratio beside a figure compares it with its baseline in the same round, ");
        help.append("which is stock HDFS unless the column or the description says otherwise.");
        return help.toString().split("\n", -1);
    }
}

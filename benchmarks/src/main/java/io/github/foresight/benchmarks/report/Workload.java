/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.util.Map;

/**
 * The work of a measurement. Immutable.
 *
 * @param words a description for people; it tells workloads of one benchmark apart
 * @param parameters the same for machines, by name
 */
public record Workload(String words, Map<String, String> parameters) {

    public Workload {
        parameters = Ordered.copyOf(parameters);
    }

    /** A workload whose parameters are options of the command. */
    public static Workload of(String words) {
        return new Workload(words, Map.of());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import io.github.foresight.core.graph.WeightScheme;
import picocli.CommandLine.Option;

/** The settings of a replay; the defaults are Foresight's. */
final class ReplaySettings {

    @Option(names = "--entries", required = true, description = "Entries that the cache holds.")
    int entries = 1000;

    @Option(
            names = "--cache",
            defaultValue = "LRU",
            description = "The eviction policy of the cache: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    ModelCache.Policy cache = ModelCache.Policy.LRU;

    @Option(names = "--window", defaultValue = "2", description = "Accesses in a client's window (${DEFAULT-VALUE}).")
    int window = 2;

    @Option(
            names = "--group",
            defaultValue = "6",
            description = "Files predicted at once, 0 for none (${DEFAULT-VALUE}).")
    int group = 6;

    @Option(names = "--threshold", defaultValue = "0.05", description = "Least confidence (${DEFAULT-VALUE}).")
    double threshold = 0.05;

    @Option(
            names = "--scheme",
            defaultValue = "EXPONENTIAL",
            description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    WeightScheme scheme = WeightScheme.EXPONENTIAL;

    @Option(names = "--no-pairs", description = "Learn no pairs of accesses.")
    boolean noPairs;

    @Option(names = "--last-access", description = "Ask the last access alone, not all of the window.")
    boolean lastAccess;

    @Option(names = "--no-chains", description = "Predict nothing for what follows a predicted file.")
    boolean noChains;

    @Option(
            names = "--useful",
            defaultValue = "0.25",
            description = "Share of a class's predictions that must be used, 0 for any (${DEFAULT-VALUE}).")
    double useful = 0.25;

    @Option(
            names = "--memory",
            defaultValue = "1500",
            description = "Predictions of a class after which what became of them counts half (${DEFAULT-VALUE}).")
    int memory = 1500;

    @Option(
            names = "--successors",
            defaultValue = "12",
            description = "The most successors of each file (${DEFAULT-VALUE}).")
    int successors = 12;

    @Option(names = "--one-window", description = "One window for all clients: server-oriented grouping.")
    boolean oneWindow;

    @Option(
            names = "--on-miss",
            description = "Predict only for accesses that miss, as if hits were not reported at once.")
    boolean onMiss;
}

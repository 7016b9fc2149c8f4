/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.run.AtLeast;
import io.github.foresight.benchmarks.run.ClusterOptions;
import io.github.foresight.benchmarks.workload.OpenOrders;
import io.github.foresight.benchmarks.workload.OpenWorkload;
import picocli.CommandLine.Option;

/** Options of the benchmarks whose client processes open small files at the same time. */
final class OpenOptions {

    @Option(names = "--files", defaultValue = "5000", description = "Files (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int files;

    @Option(names = "--clients", defaultValue = "8", description = "Client processes (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int clients;

    @Option(
            names = "--opens",
            description = "Opens of all clients in a pass, at least one of each client (${DEFAULT-VALUE}).")
    private int opens;

    @Option(
            names = "--warm-ups",
            description =
                    "Rounds before the measured ones, until the JVMs have compiled their code (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int warmUps;

    /** The options with defaults of {@code --opens} and {@code --warm-ups}. */
    OpenOptions(int opens, int warmUps) {
        this.opens = opens;
        this.warmUps = warmUps;
    }

    /** Refuses fewer opens than clients. */
    void check(ClusterOptions cluster) {
        cluster.require("--opens", opens, clients);
    }

    /** The opens of all clients in a pass, the same number for each client. */
    int opens() {
        return opens / clients * clients;
    }

    int warmUps() {
        return warmUps;
    }

    /**
     * The files of the benchmark and their order.
     *
     * @param bytes of each file
     */
    OpenPlan plan(int bytes, OpenOrders.Kind orders, OpenWorkload.Depth depth, int dataNodes) {
        return new OpenPlan(files, bytes, clients, opens / clients, orders, depth, dataNodes);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import picocli.CommandLine.Option;

/** The option {@code --datanodes} of a benchmark whose clusters have one size. */
public final class DataNodesOption {

    @Option(names = "--datanodes", description = "DataNodes of each cluster (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int dataNodes;

    /** The option with a default. */
    public DataNodesOption(int dataNodes) {
        this.dataNodes = dataNodes;
    }

    public int count() {
        return dataNodes;
    }
}

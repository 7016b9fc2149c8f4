/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.ProcessCluster;
import java.time.Duration;

/**
 * Processor time of the processes of a pass, seconds; exact to a hundredth for each process. On a shared machine the same work takes more
 * of it at one time than at another. Immutable.
 */
record CpuTimes(double clients, double nameNode, double dataNodes) {

    /** The processor time since the processes started. */
    static CpuTimes of(OpenClients clients, ProcessCluster cluster) {
        Duration dataNodes = cluster.dataNodes().stream().map(Daemon::cpuTime).reduce(Duration.ZERO, Duration::plus);
        return new CpuTimes(
                seconds(clients.cpuTime()), seconds(cluster.nameNode().cpuTime()), seconds(dataNodes));
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    CpuTimes since(CpuTimes before) {
        return new CpuTimes(clients - before.clients, nameNode - before.nameNode, dataNodes - before.dataNodes);
    }

    double total() {
        return clients + nameNode + dataNodes;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.cluster.Daemon;
import io.github.foresight.cluster.ProcessCluster;
import java.time.Duration;

/**
 * Processor time of those who take part in a pass, seconds; exact to a hundredth for each process. On a shared machine the same work
 * takes more of it at one time than at another. Immutable.
 */
final class CpuTimes {

    final double clients;
    final double nameNode;
    final double dataNodes;

    CpuTimes(double clients, double nameNode, double dataNodes) {
        this.clients = clients;
        this.nameNode = nameNode;
        this.dataNodes = dataNodes;
    }

    /** Since they were started. */
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

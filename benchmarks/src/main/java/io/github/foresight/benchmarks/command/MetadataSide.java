/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.cluster.Installation;
import java.io.IOException;

/** A cluster of {@code bench metadata}, by its roles that run Foresight. */
enum MetadataSide {
    STOCK(Baseline.STOCK, false, false, false),
    FORESIGHT(Baseline.FORESIGHT, true, true, true),
    /** A second stock cluster. Its distance from the first is the error of the measurement. */
    CONTROL(Baseline.STOCK_AGAIN, false, false, false),
    /** Foresight as it was before leases: its distance from Foresight is the cost of leases. */
    BOUNDED("Foresight without leases", true, true, true) {
        @Override
        Installation client(Release release) throws IOException {
            return release.client().with("foresight.client.consistency", "bounded");
        }
    },
    NAMENODE("its NameNode", true, false, false),
    DATANODES("its DataNodes", false, true, false),
    CLIENTS("its clients", false, false, true);

    final String title;

    /** Whether the NameNode runs Foresight. */
    final boolean nameNode;

    private final boolean dataNodes;
    private final boolean clients;

    MetadataSide(String title, boolean nameNode, boolean dataNodes, boolean clients) {
        this.title = title;
        this.nameNode = nameNode;
        this.dataNodes = dataNodes;
        this.clients = clients;
    }

    Installation nameNode(Release release) throws IOException {
        return nameNode ? release.nameNode() : Installation.STOCK;
    }

    Installation dataNode(Release release) throws IOException {
        return dataNodes ? release.dataNode() : Installation.STOCK;
    }

    Installation client(Release release) throws IOException {
        return clients ? release.client() : Installation.STOCK;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.cluster.Installation;
import java.io.IOException;

/** A cluster that is measured beside others, by what of it is Foresight's. */
enum MetadataSide {
    STOCK("stock", false, false, false),
    FORESIGHT("foresight", true, true, true),
    /** Stock once more: what it differs by is the measurement's error. */
    CONTROL("stock again", false, false, false),
    NAMENODE("its NameNode", true, false, false),
    DATANODES("its DataNodes", false, true, false),
    CLIENTS("its clients", false, false, true);

    final String title;
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

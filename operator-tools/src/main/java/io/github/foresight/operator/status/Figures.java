/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Locale;

/** The metrics that say most, in words. Stateless. */
final class Figures {

    private static final double MIB = 1 << 20;

    private Figures() {}

    /** The lines of a NameNode with Foresight. */
    static List<String> ofNameNode(DaemonAnswer nameNode) {
        long asked = nameNode.count("Opens");
        long served = nameNode.count("Hits");
        long granted = nameNode.count("Returned");
        ImmutableList.Builder<String> lines = ImmutableList.<String>builder()
                .add(line(
                        "opens",
                        "%s at the NameNode, %s from clients' memory%s",
                        asked,
                        served,
                        of(served, asked + served)))
                .add(line(
                        "predictions",
                        "%s files granted, %s used%s, %s wasted",
                        granted,
                        nameNode.count("Used"),
                        of(nameNode.count("Used"), granted),
                        nameNode.count("Wasted")))
                .add(line(
                        "leases",
                        "%s clients; %s changes have waited for them, %s wait now",
                        nameNode.count("LeaseSessions"),
                        nameNode.count("ChangesWaited"),
                        nameNode.count("ChangesWaiting")))
                .add(line(
                        "graph",
                        "%s files, %s pairs; %s features rest after failures",
                        nameNode.count("GraphFiles"),
                        nameNode.count("GraphPairs"),
                        nameNode.count("FeaturesResting")));
        JsonNode placement = nameNode.placement();
        if (placement != null) {
            lines.add(line(
                    "placement",
                    "%s; %s blocks placed with a replica on their file's replica node, %s on a stand-in, %s by HDFS's rules alone",
                    nameNode.isPlacementOn() ? "works" : "is off",
                    placement.path("Placed").asLong()
                            + placement.path("AlreadyOnReplicaNode").asLong(),
                    placement.path("OnStandInNode").asLong(),
                    placement.path("NotOrthogonal").asLong()));
        }
        return lines.build();
    }

    /** All DataNodes with Foresight together. */
    static String ofDataNodes(List<DaemonAnswer> dataNodes) {
        long prefetched = sum(dataNodes, "PrefetchedBytes");
        return text(
                "DataNodes with Foresight: %s; %s MiB prefetched, %s MiB used%s, %s MiB wasted",
                dataNodes.size(),
                mib(prefetched),
                mib(sum(dataNodes, "UsedBytes")),
                of(sum(dataNodes, "UsedBytes"), prefetched),
                mib(sum(dataNodes, "WastedBytes")));
    }

    private static long sum(List<DaemonAnswer> daemons, String metric) {
        return daemons.stream().mapToLong(daemon -> daemon.count(metric)).sum();
    }

    /** One DataNode, in part of a line. */
    static String ofDataNode(DaemonAnswer dataNode) {
        long prefetched = dataNode.count("PrefetchedBytes");
        long held =
                dataNode.count("UnaccessedBytes") + dataNode.count("CachingBytes") + dataNode.count("AccessedBytes");
        return text(
                "%s hints, %s MiB prefetched, %s MiB used%s, memory %s of %s MiB",
                dataNode.count("Hints"),
                mib(prefetched),
                mib(dataNode.count("UsedBytes")),
                of(dataNode.count("UsedBytes"), prefetched),
                mib(held),
                mib(dataNode.count("CapacityBytes")));
    }

    /** The lines of a client. */
    static List<String> ofClient(DaemonAnswer client) {
        long served = client.count("MetadataHits");
        long asked = client.count("MetadataMisses");
        return ImmutableList.of(
                line("opens", "%s at the NameNode, %s from memory%s", asked, served, of(served, asked + served)),
                line(
                        "predictions",
                        "%s files returned, %s used%s, %s wasted",
                        client.count("MetadataPredicted"),
                        client.count("MetadataUsed"),
                        of(client.count("MetadataUsed"), client.count("MetadataPredicted")),
                        client.count("MetadataWasted")),
                line(
                        "hints",
                        "%s sent; DataNodes took %s blocks and refused %s",
                        client.count("HintsSent"),
                        client.count("BlocksAccepted"),
                        client.count("BlocksRefused")),
                line(
                        "leases",
                        "%s renewals, %s recalls",
                        client.count("LeaseRenewals"),
                        client.count("RecallsReceived")));
    }

    private static String line(String subject, String format, Object... values) {
        return String.format(Locale.ROOT, "  %-12s", subject) + text(format, values);
    }

    private static String text(String format, Object... values) {
        Object[] grouped = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            grouped[i] = values[i] instanceof Number ? grouped(((Number) values[i]).longValue()) : values[i];
        }
        return String.format(Locale.ROOT, format, grouped);
    }

    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String mib(long bytes) {
        return String.format(Locale.ROOT, "%,.0f", bytes / MIB);
    }

    /** A share in per cent, or nothing if there is no whole. */
    private static String of(long part, long whole) {
        return whole == 0 ? "" : String.format(Locale.ROOT, " (%.0f %%)", 100.0 * part / whole);
    }
}

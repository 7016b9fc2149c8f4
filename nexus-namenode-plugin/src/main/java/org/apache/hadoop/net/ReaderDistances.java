/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.net;

import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Distances from a reader as HDFS computes them when it orders a block's replicas. Stands in this package as the methods that compute
 * them are protected. For one thread.
 */
public final class ReaderDistances implements ToIntFunction<Node> {

    /** Racks whose distance is kept: HDFS takes their names apart for each replica anew. */
    private static final int RACKS = 8;

    private final NetworkTopology topology;
    private final @Nullable Node dataNode;

    /** How the names of DataNodes on the reader's host begin, of which HDFS takes any for the reader's own. */
    private final String host;

    private final @Nullable Node reader;
    private final @Nullable String[] racks = new String[RACKS];
    private final int[] distances = new int[RACKS];
    private int nextRack;

    private ReaderDistances(NetworkTopology topology, @Nullable Node dataNode, @Nullable Node reader) {
        this.topology = topology;
        this.dataNode = dataNode;
        this.host = dataNode == null
                ? ""
                : dataNode.getName().substring(0, dataNode.getName().indexOf(':') + 1);
        this.reader = reader;
    }

    /**
     * The distances of DataNodes from a reader.
     *
     * @param dataNode the DataNode on the reader's host, or null if there is none
     * @param address the reader's
     * @param locations the rack locations of the reader's host, if no DataNode is there
     */
    public static ToIntFunction<Node> from(
            NetworkTopology topology, @Nullable Node dataNode, String address, @Nullable List<String> locations) {
        String location = locations == null || locations.isEmpty() ? null : locations.get(0);
        Node reader = location == null ? null : new NodeBase(location + NodeBase.PATH_SEPARATOR_STR + address);
        return new ReaderDistances(topology, dataNode, reader);
    }

    @Override
    public int applyAsInt(Node node) {
        if (dataNode != null) {
            return !host.isEmpty() && node.getName().startsWith(host) ? 0 : topology.getWeight(dataNode, node);
        }
        if (reader == null) {
            return Integer.MAX_VALUE;
        }
        String rack = node.getNetworkLocation();
        if (reader.getNetworkLocation().equals(rack)) {
            return NetworkTopology.getWeightUsingNetworkLocation(reader, node);
        }
        for (int i = 0; i < RACKS; i++) {
            if (rack.equals(racks[i])) {
                return distances[i];
            }
        }
        int distance = NetworkTopology.getWeightUsingNetworkLocation(reader, node);
        racks[nextRack] = rack;
        distances[nextRack] = distance;
        nextRack = (nextRack + 1) % RACKS;
        return distance;
    }
}

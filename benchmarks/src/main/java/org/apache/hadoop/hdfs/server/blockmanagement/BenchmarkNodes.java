/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;

/** The NameNode's view of the DataNodes of a large cluster, for placement policies. Each DataNode has twelve disks. */
public final class BenchmarkNodes implements FSClusterStats {

    private static final long DISK = 8L << 40;
    private static final int DISKS = 12;

    private final Configuration conf = new Configuration(false);
    private final NetworkTopology topology = DFSNetworkTopology.getInstance(conf);
    private final List<DatanodeDescriptor> nodes = new ArrayList<>();

    /** A number of DataNodes; the racks get them in turn. */
    public BenchmarkNodes(int size, int racks) {
        for (int i = 0; i < size; i++) {
            String uuid = UUID.nameUUIDFromBytes(("node " + i).getBytes(StandardCharsets.UTF_8))
                    .toString();
            String address = "10." + i / 62_500 + "." + i / 250 % 250 + "." + (1 + i % 250);
            DatanodeDescriptor node = new DatanodeDescriptor(
                    new DatanodeID(address, "host" + i, uuid, 9866, 9864, 9865, 9867), "/rack" + i % racks);
            for (int disk = 0; disk < DISKS; disk++) {
                DatanodeStorage storage =
                        new DatanodeStorage("DS-" + i + "-" + disk, DatanodeStorage.State.NORMAL, StorageType.DISK);
                node.updateStorage(storage).setUtilizationForTesting(DISK, 0, DISK, 0);
            }
            node.setCapacity(DISKS * DISK);
            node.setRemaining(DISKS * DISK);
            nodes.add(node);
            topology.add(node);
        }
    }

    public List<DatanodeDescriptor> nodes() {
        return nodes;
    }

    public NetworkTopology topology() {
        return topology;
    }

    /** Fills the disks of every other node: half of the replica nodes then have a stand-in node. */
    public void fillHalf() {
        for (int i = 0; i < nodes.size(); i += 2) {
            for (DatanodeStorageInfo storage : nodes.get(i).getStorageInfos()) {
                storage.setUtilizationForTesting(DISK, DISK, 0, 0);
            }
        }
    }

    /** HDFS's own policy, initialized. */
    public BlockPlacementPolicy stock() {
        return ready(new BlockPlacementPolicyDefault());
    }

    /** Another policy, initialized like the NameNode does it. */
    public BlockPlacementPolicy ready(BlockPlacementPolicy policy) {
        policy.initialize(conf, this, topology, null);
        return policy;
    }

    @Override
    public int getTotalLoad() {
        return 0;
    }

    @Override
    public boolean isAvoidingStaleDataNodesForWrite() {
        return false;
    }

    @Override
    public int getNumDatanodesInService() {
        return nodes.size();
    }

    @Override
    public double getInServiceXceiverAverage() {
        return 1;
    }

    @Override
    public double getInServiceXceiverAverageForVolume() {
        return 1;
    }

    @Override
    public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
        return new EnumMap<>(StorageType.class);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.ReflectionUtils;

/** The DataNodes of a NameNode that does not run, with access to package-private methods of HDFS. */
public final class TestNodes implements FSClusterStats {

    public static final long BLOCK = 1 << 20;
    private static final long DISK = 1L << 40;

    private static final ThreadLocal<AtomicLong> VISITS = ThreadLocal.withInitial(AtomicLong::new);

    /** A node that counts the requests of each thread for its name and for its storage types. */
    private static final class CountedNode extends DatanodeDescriptor {
        CountedNode(DatanodeID id, String rack) {
            super(id, rack);
        }

        @Override
        public String getDatanodeUuid() {
            VISITS.get().incrementAndGet();
            return super.getDatanodeUuid();
        }

        @Override
        public boolean hasStorageType(StorageType type) {
            VISITS.get().incrementAndGet();
            return super.hasStorageType(type);
        }
    }

    public static long visitsByThisThread() {
        return VISITS.get().get();
    }

    private final Configuration conf = new Configuration(false);
    private final NetworkTopology topology = DFSNetworkTopology.getInstance(conf);
    private final List<DatanodeDescriptor> nodes = new ArrayList<>();
    private double meanLoad;

    /** Makes one node with a disk for each named rack. */
    public TestNodes(List<String> racks) {
        racks.forEach(rack -> add(rack, StorageType.DISK));
    }

    /** Adds a node with a storage of each type. */
    public DatanodeDescriptor add(String rack, StorageType... types) {
        int number = nodes.size();
        String uuid = UUID.nameUUIDFromBytes(("node " + number).getBytes(StandardCharsets.UTF_8))
                .toString();
        String address = "10.0." + number / 250 + "." + (1 + number % 250);
        DatanodeDescriptor node =
                new CountedNode(new DatanodeID(address, "host" + number, uuid, 9866, 9864, 9865, 9867), rack);
        for (StorageType type : types) {
            DatanodeStorage storage =
                    new DatanodeStorage("DS-" + number + "-" + type, DatanodeStorage.State.NORMAL, type);
            node.updateStorage(storage).setUtilizationForTesting(DISK, 0, DISK, 0);
        }
        node.setCapacity(DISK * types.length);
        node.setRemaining(DISK * types.length);
        nodes.add(node);
        topology.add(node);
        return node;
    }

    public void remove(DatanodeDescriptor node) {
        topology.remove(node);
        nodes.remove(node);
    }

    public List<DatanodeDescriptor> nodes() {
        return nodes;
    }

    public Configuration conf() {
        return conf;
    }

    public NetworkTopology topology() {
        return topology;
    }

    /** Makes an HDFS policy as the NameNode does, by the class's name in this package. */
    public BlockPlacementPolicy policyOfHdfs(String name) {
        Class<? extends BlockPlacementPolicy> type = conf.getClassByNameOrNull(
                        TestNodes.class.getPackageName() + "." + name)
                .asSubclass(BlockPlacementPolicy.class);
        BlockPlacementPolicy policy = ReflectionUtils.newInstance(type, conf);
        initialize(policy);
        return policy;
    }

    public void initialize(BlockPlacementPolicy policy) {
        policy.initialize(conf, this, topology, null);
    }

    public static void fill(DatanodeDescriptor node) {
        for (DatanodeStorageInfo storage : node.getStorageInfos()) {
            storage.setUtilizationForTesting(DISK, DISK, 0, 0);
        }
    }

    public static void retire(DatanodeDescriptor node) {
        node.startDecommission();
    }

    /** Adds blocks that HDFS has scheduled for writing to a node. */
    public static void schedule(DatanodeDescriptor node, int blocks) {
        for (int block = 0; block < blocks; block++) {
            DatanodeStorageInfo.incrementBlocksScheduled(storage(node));
        }
    }

    /** Fills a node's disk to a share of its capacity. */
    public static void fill(DatanodeDescriptor node, double share) {
        long used = (long) (share * DISK);
        for (DatanodeStorageInfo storage : node.getStorageInfos()) {
            storage.setUtilizationForTesting(DISK, used, DISK - used, used);
        }
    }

    /** Gives a node a number of transfers, while the other nodes have few. */
    public void load(DatanodeDescriptor node, int transfers, double mean) {
        node.setXceiverCount(transfers);
        meanLoad = mean;
    }

    public static DatanodeStorageInfo storage(DatanodeDescriptor node) {
        return node.getStorageInfos()[0];
    }

    /** Makes a file's block as the NameNode knows it after the reports of its replicas, in this order. */
    public static void report(long inode, long blockId, List<DatanodeDescriptor> replicas) {
        BlockInfo block = new BlockInfoContiguous(new Block(blockId, BLOCK, 1), (short) replicas.size());
        block.setBlockCollectionId(inode);
        replicas.forEach(node -> storage(node).addBlock(block, block));
    }

    /** Calls a policy as HDFS does when a client needs a block. */
    public static DatanodeStorageInfo[] chooseForNewBlock(
            BlockPlacementPolicy policy,
            String path,
            int replicas,
            Node writer,
            Set<Node> excluded,
            List<DatanodeDescriptor> favoured,
            BlockStoragePolicy storagePolicy) {
        return policy.chooseTarget(
                path, replicas, writer, excluded, BLOCK, favoured, storagePolicy, EnumSet.noneOf(AddBlockFlag.class));
    }

    @Override
    public int getTotalLoad() {
        return (int) (meanLoad * nodes.size());
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
        return meanLoad;
    }

    @Override
    public double getInServiceXceiverAverageForVolume() {
        return meanLoad;
    }

    @Override
    public Map<StorageType, StorageTypeStats> getStorageTypeStats() {
        return new EnumMap<>(StorageType.class);
    }
}

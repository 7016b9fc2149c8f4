/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.settings.NameNodeSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.net.ReaderDistances;

/** Holds the balancer's order and HDFS's together, on HDFS's own topology. */
class ReplicaBalancerPropertyTest {

    private static final int NODES = 12;
    private static final int REPLICAS = 4;

    /** A cluster in which several DataNodes may share a host, racks have different depths, and a reader is anywhere or nowhere. */
    private static final class Cluster implements ReplicaBalancer.Topology {
        private final NetworkTopology topology;
        private final List<DatanodeInfo> nodes = new ArrayList<>();
        private final boolean storageTypes;
        private final boolean loads;
        private final Node readerNode;
        private final String readerAddress;
        private final List<String> readerLocations;

        Cluster(Random random) {
            boolean groups = random.nextBoolean();
            topology =
                    groups ? new NetworkTopologyWithNodeGroup() : NetworkTopology.getInstance(new Configuration(false));
            for (int i = 0; i < NODES; i++) {
                String rack = "/d" + random.nextInt(2) + "/r" + random.nextInt(3);
                DatanodeInfo node = new DatanodeInfoBuilder()
                        .setNodeID(new DatanodeID("10.0.0." + i / 2, "host" + i / 2, "uuid" + i, 100 + i, 2, 3, 4))
                        .setNetworkLocation(groups ? rack + "/g" + random.nextInt(2) : rack)
                        .setXceiverCount(random.nextInt(3))
                        .setAdminState(
                                random.nextInt(8) == 0 ? AdminStates.DECOMMISSION_INPROGRESS : AdminStates.NORMAL)
                        .build();
                topology.add(node);
                nodes.add(node);
            }
            storageTypes = random.nextInt(3) == 0;
            loads = random.nextInt(3) == 0;
            int reader = random.nextInt(NODES + 4);
            readerNode = reader < NODES ? nodes.get(reader) : null;
            readerAddress = reader < NODES ? nodes.get(reader).getIpAddr() : "10.9.9.9";
            readerLocations =
                    reader == NODES ? List.of() : List.of("/d0/r" + random.nextInt(4) + (groups ? "/g0" : ""));
        }

        /** As {@code DatanodeManager.sortLocatedBlock} does. */
        void sortAsHdfs(DatanodeInfoWithStorage[] replicas) {
            Arrays.sort(replicas, Comparator.comparing(node -> !node.isInService()));
            int active = replicas.length;
            while (active > 1 && !replicas[active - 1].isInService()) {
                active--;
            }
            Consumer<List<DatanodeInfoWithStorage>> second = loads
                    ? list -> list.sort(Comparator.comparingInt(DatanodeInfo::getXceiverCount))
                    : storageTypes
                            ? list -> list.sort(Comparator.comparing(DatanodeInfoWithStorage::getStorageType))
                            : list -> {};
            if (readerNode != null) {
                topology.sortByDistance(readerNode, replicas, active, second);
            } else {
                Node reader =
                        readerLocations.isEmpty() ? null : new NodeBase(readerLocations.get(0) + "/" + readerAddress);
                topology.sortByDistanceUsingNetworkLocation(reader, replicas, active, second);
            }
        }

        @Override
        public ToIntFunction<Node> distancesFrom(String address) {
            return ReaderDistances.from(topology, readerNode, address, readerLocations);
        }

        @Override
        public boolean isAvoided(DatanodeInfoWithStorage node) {
            return false;
        }

        @Override
        public boolean isStorageTypeConsidered() {
            return storageTypes;
        }

        @Override
        public boolean isLoadConsidered() {
            return loads;
        }

        /** What HDFS's order of replicas depends on; equal ones are in an order by chance. */
        List<String> preferences(LocatedBlock block) {
            ToIntFunction<Node> distances = distancesFrom(readerAddress);
            return Arrays.stream(block.getLocations())
                    .map(node -> (node.isInService() ? distances.applyAsInt(node) : "last " + node.getDatanodeUuid())
                            + (loads ? " load " + node.getXceiverCount() : "")
                            + (storageTypes && !loads ? " type " + node.getStorageType() : ""))
                    .collect(Collectors.toList());
        }
    }

    private static LocatedBlock block(Cluster cluster, long id, Random random) {
        List<DatanodeInfo> nodes = new ArrayList<>(cluster.nodes);
        Collections.shuffle(nodes, random);
        DatanodeInfoWithStorage[] replicas = new DatanodeInfoWithStorage[1 + random.nextInt(REPLICAS)];
        for (int i = 0; i < replicas.length; i++) {
            StorageType type = random.nextBoolean() ? StorageType.DISK : StorageType.SSD;
            replicas[i] =
                    new DatanodeInfoWithStorage(nodes.get(i), "s" + nodes.get(i).getDatanodeUuid(), type);
        }
        cluster.sortAsHdfs(replicas);
        return new LocatedBlock(
                new ExtendedBlock("BP", id, 100, 1),
                replicas,
                Arrays.stream(replicas)
                        .map(DatanodeInfoWithStorage::getStorageID)
                        .toArray(String[]::new),
                Arrays.stream(replicas)
                        .map(DatanodeInfoWithStorage::getStorageType)
                        .toArray(StorageType[]::new));
    }

    private static Set<String> replicas(LocatedBlock block) {
        return Arrays.stream(block.getLocations())
                .map(DatanodeInfo::getDatanodeUuid)
                .collect(Collectors.toSet());
    }

    @Property
    void replicas_areNeverFartherThanInHdfsOrder(@ForAll long seed, @ForAll ReplicaBalancer.Use use) {
        Random random = new Random(seed);
        Cluster cluster = new Cluster(random);
        ReplicaBalancer balancer = new ReplicaBalancer(
                NameNodeSettings.read(Map.<String, String>of()::get), cluster, new NameNodeMetrics());
        for (int file = 0; file < 5; file++) {
            List<LocatedBlock> blocks = new ArrayList<>();
            List<List<String>> preferences = new ArrayList<>();
            List<Set<String>> replicas = new ArrayList<>();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                LocatedBlock block = block(cluster, random.nextLong(), random);
                blocks.add(block);
                preferences.add(cluster.preferences(block));
                replicas.add(replicas(block));
            }
            LocatedBlock last = blocks.get(blocks.size() - 1);
            LocatedBlocks layout = new LocatedBlocks(100L * blocks.size(), false, blocks, last, true, null, null);
            balancer.order(layout, cluster.readerAddress, use);
            for (int i = 0; i < blocks.size(); i++) {
                assertThat(cluster.preferences(blocks.get(i))).isEqualTo(preferences.get(i));
                assertThat(replicas(blocks.get(i))).isEqualTo(replicas.get(i));
            }
            String preferred = cluster.nodes.get(random.nextInt(NODES)).getDatanodeUuid();
            balancer.prefer(blocks.get(0), preferred, cluster.readerAddress);
            assertThat(cluster.preferences(blocks.get(0))).isEqualTo(preferences.get(0));
            assertThat(replicas(blocks.get(0))).isEqualTo(new HashSet<>(replicas.get(0)));
        }
    }
}

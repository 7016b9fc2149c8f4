/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.settings.NameNodeSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;

class ReplicaBalancerTest {

    private static final int BLOCK_BYTES = 100;
    private static final String READER = "10.9.9.9";

    private final Set<String> avoided = new HashSet<>();
    private final ReplicaBalancer balancer = new ReplicaBalancer(
            NameNodeSettings.read(Map.<String, String>of()::get),
            new ReplicaBalancer.Topology() {
                @Override
                public ToIntFunction<Node> distancesFrom(String address) {
                    String rack = address.equals(READER) ? "/far" : "/r" + address.charAt(address.length() - 1);
                    return node -> address.equals(((DatanodeInfo) node).getIpAddr())
                            ? 0
                            : rack.equals(node.getNetworkLocation()) ? 2 : 4;
                }

                @Override
                public boolean isStorageTypeConsidered() {
                    return false;
                }

                @Override
                public boolean isLoadConsidered() {
                    return false;
                }

                @Override
                public boolean isAvoided(DatanodeInfoWithStorage node) {
                    return avoided.contains(node.getDatanodeUuid());
                }
            },
            new NameNodeMetrics());

    /** DataNode n is in rack n modulo 10. */
    private static DatanodeInfo node(int number, AdminStates state) {
        String ip = "10.0.0." + number;
        return new DatanodeInfoBuilder()
                .setNodeID(new DatanodeID(ip, "host" + number, "uuid" + number, 1, 2, 3, 4))
                .setNetworkLocation("/r" + number % 10)
                .setAdminState(state)
                .build();
    }

    private static LocatedBlock block(long id, int index, DatanodeInfo... nodes) {
        DatanodeInfoWithStorage[] locations = Arrays.stream(nodes)
                .map(node -> new DatanodeInfoWithStorage(node, "s" + node.getDatanodeUuid(), StorageType.DISK))
                .toArray(DatanodeInfoWithStorage[]::new);
        LocatedBlock block = new LocatedBlock(
                new ExtendedBlock("BP", id, BLOCK_BYTES, 1),
                locations,
                Arrays.stream(locations)
                        .map(DatanodeInfoWithStorage::getStorageID)
                        .toArray(String[]::new),
                Arrays.stream(locations)
                        .map(DatanodeInfoWithStorage::getStorageType)
                        .toArray(StorageType[]::new));
        block.setStartOffset((long) index * BLOCK_BYTES);
        return block;
    }

    private static LocatedBlocks layout(List<LocatedBlock> blocks) {
        return new LocatedBlocks(
                (long) blocks.size() * BLOCK_BYTES, false, blocks, blocks.get(blocks.size() - 1), true, null, null);
    }

    private static List<String> order(LocatedBlock block) {
        return Arrays.stream(block.getLocations())
                .map(DatanodeInfo::getDatanodeUuid)
                .collect(Collectors.toList());
    }

    private void arrange(LocatedBlock block, String reader) {
        balancer.order(layout(List.of(block)), reader, ReplicaBalancer.Use.READ);
    }

    @Test
    void consecutiveBlocks_startApartAndAllNodesAreUsedEvenly() {
        Random random = new Random(1);
        Map<String, Integer> firsts = new HashMap<>();
        List<Integer> numbers = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
        for (int file = 0; file < 2000; file++) {
            List<LocatedBlock> blocks = new ArrayList<>();
            for (int index = 0; index < 16; index++) {
                Collections.shuffle(numbers, random);
                blocks.add(block(
                        file * 100L + index,
                        index,
                        node(numbers.get(0), AdminStates.NORMAL),
                        node(numbers.get(1), AdminStates.NORMAL),
                        node(numbers.get(2), AdminStates.NORMAL)));
            }
            balancer.order(layout(blocks), READER, ReplicaBalancer.Use.READ);
            for (int index = 0; index < blocks.size(); index++) {
                firsts.merge(order(blocks.get(index)).get(0), 1, Integer::sum);
                if (index > 0) {
                    assertThat(order(blocks.get(index)).get(0))
                            .isNotEqualTo(order(blocks.get(index - 1)).get(0));
                }
            }
        }
        assertThat(firsts.values()).allSatisfy(count -> assertThat(count).isBetween(3800, 4200));
    }

    @Test
    void replicaOnTheReadersHost_comesFirstWhateverItsLoad() {
        for (int i = 0; i < 200; i++) {
            LocatedBlock block =
                    block(i, 0, node(1, AdminStates.NORMAL), node(11, AdminStates.NORMAL), node(2, AdminStates.NORMAL));
            arrange(block, "10.0.0.1");
            assertThat(order(block)).containsExactly("uuid1", "uuid11", "uuid2");
        }
    }

    @Test
    void replicasInTheReadersRack_comeBeforeOthers() {
        Set<String> firsts = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            LocatedBlock block =
                    block(i, 0, node(1, AdminStates.NORMAL), node(11, AdminStates.NORMAL), node(2, AdminStates.NORMAL));
            arrange(block, "10.0.0.21");
            firsts.add(order(block).get(0));
            assertThat(order(block).get(2)).isEqualTo("uuid2");
        }
        assertThat(firsts).containsExactlyInAnyOrder("uuid1", "uuid11");
    }

    @Test
    void replicasThatHdfsPutsLast_stayLast() {
        avoided.add("uuid4");
        for (int i = 0; i < 100; i++) {
            LocatedBlock block = block(
                    i,
                    0,
                    node(2, AdminStates.NORMAL),
                    node(3, AdminStates.NORMAL),
                    node(4, AdminStates.NORMAL),
                    node(5, AdminStates.DECOMMISSION_INPROGRESS));
            arrange(block, READER);
            assertThat(order(block).subList(2, 4)).containsExactly("uuid4", "uuid5");
        }
    }

    @Test
    void storages_moveWithTheirReplicas() {
        for (int i = 0; i < 20; i++) {
            LocatedBlock block = block(i, 0, node(2, AdminStates.NORMAL), node(3, AdminStates.NORMAL));
            arrange(block, READER);
            assertThat(Arrays.stream(block.getStorageIDs()).collect(Collectors.toList()))
                    .isEqualTo(order(block).stream().map(uuid -> "s" + uuid).collect(Collectors.toList()));
        }
    }

    @Test
    void blockWithoutLocations_isLeftAlone() {
        arrange(block(1, 0), READER);
        LocatedBlock single = block(2, 0, node(2, AdminStates.NORMAL));
        arrange(single, READER);
        assertThat(order(single)).containsExactly("uuid2");
    }

    @Test
    void layouts_forLater_countAsNoReads() {
        for (int i = 0; i < 100; i++) {
            balancer.order(
                    layout(List.of(block(i, 0, node(2, AdminStates.NORMAL)))), READER, ReplicaBalancer.Use.LATER);
            balancer.order(
                    layout(List.of(block(i, 0, node(2, AdminStates.NORMAL), node(3, AdminStates.NORMAL)))),
                    READER,
                    ReplicaBalancer.Use.LATER);
        }
        Map<String, Integer> firsts = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            LocatedBlock block = block(i, 0, node(2, AdminStates.NORMAL), node(3, AdminStates.NORMAL));
            arrange(block, READER);
            firsts.merge(order(block).get(0), 1, Integer::sum);
        }
        assertThat(firsts.values()).allSatisfy(count -> assertThat(count).isBetween(48, 52));
    }

    @Test
    void preferredReplica_comesFirstAmongThoseAsNear() {
        LocatedBlock block =
                block(1, 0, node(1, AdminStates.NORMAL), node(2, AdminStates.NORMAL), node(3, AdminStates.NORMAL));
        balancer.prefer(block, "uuid3", READER);
        assertThat(order(block)).containsExactly("uuid3", "uuid1", "uuid2");
        balancer.prefer(block, "uuid3", READER);
        assertThat(order(block)).containsExactly("uuid3", "uuid1", "uuid2");
        balancer.prefer(block, "elsewhere", READER);
        assertThat(order(block)).containsExactly("uuid3", "uuid1", "uuid2");
    }

    @Test
    void preferredReplica_thatIsFurtherOffOrAvoided_staysWhereItIs() {
        LocatedBlock near = block(1, 0, node(1, AdminStates.NORMAL), node(2, AdminStates.NORMAL));
        balancer.prefer(near, "uuid2", "10.0.0.1");
        assertThat(order(near)).containsExactly("uuid1", "uuid2");
        avoided.add("uuid2");
        balancer.prefer(near, "uuid2", READER);
        assertThat(order(near)).containsExactly("uuid1", "uuid2");
    }
}

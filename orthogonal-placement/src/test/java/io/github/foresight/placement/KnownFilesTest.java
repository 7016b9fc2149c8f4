/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.TestNodes;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The policy with files that a lookup finds again with the places of their blocks, as in a NameNode. */
final class KnownFilesTest {

    private static final int SIZE = 12;

    private final TestNodes cluster =
            new TestNodes(List.of("/a", "/b", "/c", "/d", "/a", "/b", "/c", "/d", "/a", "/b", "/c", "/d"));
    private final Namespace namespace = new Namespace();
    private final Random random = new Random(11);
    private final OrthogonalPlacementPolicy policy =
            new OrthogonalPlacementPolicy((stats, filesMax, metrics) -> namespace);

    KnownFilesTest() {
        cluster.conf().set("foresight.placement.nodes.refresh", "10ms");
        cluster.initialize(policy);
    }

    /** A source of files that knows the nodes of their blocks. */
    private static final class Namespace implements PlacedFiles {
        private final Map<String, PlacedFile> remembered = new HashMap<>();
        private final Map<String, List<Set<DatanodeDescriptor>>> blocks = new HashMap<>();
        private long nextInode = 16_386;

        @Override
        public PlacedFile at(
                String path, ReplicaNodes<DatanodeDescriptor> nodes, Predicate<? super DatanodeDescriptor> isThere) {
            PlacedFile file = remembered.computeIfAbsent(path, any -> new PlacedFile(nextInode++));
            if (file.replicaNode(nodes, isThere) == null) {
                BlockHolders<DatanodeDescriptor> holders = new BlockHolders<>();
                blocks(path).forEach(block -> block.forEach(holders::add));
                file.settle(holders.most(nodes, file.number(), isThere));
            }
            return file;
        }

        List<Set<DatanodeDescriptor>> blocks(String path) {
            return blocks.computeIfAbsent(path, any -> new ArrayList<>());
        }

        /** Returns the nodes that hold all blocks of a file. */
        Set<DatanodeDescriptor> common(String path) {
            Set<DatanodeDescriptor> common = new HashSet<>(blocks(path).get(0));
            blocks(path).forEach(common::retainAll);
            return common;
        }

        @Override
        public @Nullable String pathOf(long inodeId) {
            return null;
        }

        @Override
        public BlockHolders<DatanodeDescriptor> holders(long inodeId) {
            return new BlockHolders<>();
        }
    }

    private Set<DatanodeDescriptor> write(String path, int replicas, @Nullable Node writer, Set<Node> excluded) {
        DatanodeStorageInfo[] placed = TestNodes.chooseForNewBlock(
                policy,
                path,
                replicas,
                writer,
                new HashSet<>(excluded),
                List.of(),
                BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy());
        Set<DatanodeDescriptor> nodes = new HashSet<>();
        Arrays.stream(placed).forEach(storage -> nodes.add(storage.getDatanodeDescriptor()));
        namespace.blocks(path).add(nodes);
        return nodes;
    }

    /** A writer's own node holds all blocks of its writer. The replica nodes must spread over the other nodes. */
    @Test
    void filesOfOneWriterOnADataNode_haveReplicaNodesAllOverTheCluster() {
        DatanodeDescriptor writer = cluster.nodes().get(3);
        int files = 20 * SIZE;
        Map<DatanodeDescriptor, Integer> counts = new HashMap<>();
        for (int file = 0; file < files; file++) {
            String path = "/file" + file;
            for (int block = 0; block < 24; block++) {
                assertThat(write(path, 3, writer, Set.of())).hasSize(3).contains(writer);
            }
            Set<DatanodeDescriptor> others = namespace.common(path);
            others.remove(writer);
            assertThat(others.size())
                    .as("nodes besides the writer's that have all of %s", path)
                    .isLessThan(2);
            DatanodeDescriptor replicaNode =
                    others.isEmpty() ? writer : others.iterator().next();
            counts.merge(replicaNode, 1, Integer::sum);
        }
        assertThat(counts).hasSize(SIZE);
        assertThat(counts.values()).as("files by replica node").allSatisfy(count -> assertThat(count)
                .isBetween(16, 24));
    }

    @Test
    void replicaNodeThatCannotTakeABlock_hasTheNextOnesAgain() {
        String path = "/file";
        for (int block = 0; block < 4; block++) {
            write(path, 2, null, Set.of());
        }
        Set<DatanodeDescriptor> before = namespace.common(path);
        assertThat(before).hasSize(1);
        Set<DatanodeDescriptor> beside = write(path, 2, null, Set.copyOf(before));
        assertThat(beside).hasSize(2).doesNotContainAnyElementsOf(before);
        for (int block = 0; block < 4; block++) {
            assertThat(write(path, 2, null, Set.of())).containsAll(before);
        }
    }

    /** Lost replicas are made again before the next periodic reading of the nodes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void replicaNodeThatIsGone_hasAllItsBlocksMadeAgainOnOneOther(boolean isRetired) {
        cluster.conf().set("foresight.placement.nodes.refresh", "1h");
        cluster.initialize(policy);
        List<String> paths =
                IntStream.range(0, SIZE).mapToObj(file -> "/file" + file).collect(Collectors.toList());
        for (String path : paths) {
            for (int block = 0; block < 24; block++) {
                write(path, 3, null, Set.of());
            }
        }
        DatanodeDescriptor gone = namespace.common(paths.get(0)).iterator().next();
        if (isRetired) {
            TestNodes.retire(gone);
        } else {
            cluster.remove(gone);
        }
        for (String path : paths) {
            namespace.blocks(path).forEach(block -> block.remove(gone));
        }
        for (String path : paths) {
            for (Set<DatanodeDescriptor> block : namespace.blocks(path)) {
                if (block.size() < 3) {
                    block.addAll(makeAgain(path, block));
                }
            }
            assertThat(namespace.blocks(path))
                    .allSatisfy(block -> assertThat(block).hasSize(3));
            assertThat(namespace.common(path)).as("nodes with all of %s", path).hasSize(1);
        }
    }

    /** HDFS chooses targets for hundreds of blocks before it counts the scheduled blocks. */
    @Test
    void largeFileWhoseReplicaNodeIsGone_isMadeAgainAllOverTheCluster() {
        int blocks = 600;
        int most = 10;
        cluster.conf().set("foresight.placement.recovery.max", String.valueOf(most));
        cluster.initialize(policy);
        for (int block = 0; block < blocks; block++) {
            write("/file", 3, null, Set.of());
        }
        DatanodeDescriptor gone = namespace.common("/file").iterator().next();
        cluster.remove(gone);
        Map<DatanodeDescriptor, Integer> received = new HashMap<>();
        for (Set<DatanodeDescriptor> block : namespace.blocks("/file")) {
            block.remove(gone);
            makeAgain("/file", block).forEach(node -> received.merge(node, 1, Integer::sum));
        }
        assertThat(received.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(blocks);
        assertThat(received).hasSize(SIZE - 1);
        // HDFS's own rules prefer the source's rack. At least two nodes are left there.
        assertThat(Collections.max(received.values()))
                .as("most replicas made again on one node, %s", received.values())
                .isLessThan(blocks / 3);
    }

    @Test
    void replicaNodeWithAsManyBlocksUnderWayAsItMayHave_getsNoneThatIsMadeAgain() {
        cluster.conf().set("foresight.placement.recovery.max", "3");
        cluster.initialize(policy);
        // If the remaining replicas are in two racks, HDFS's own rules prefer the source's rack. Only our rule prefers
        // the replica node.
        String path;
        Set<DatanodeDescriptor> left;
        DatanodeDescriptor replicaNode;
        int files = 0;
        do {
            path = "/file" + files++;
            for (int block = 0; block < 13; block++) {
                write(path, 3, null, Set.of());
            }
            replicaNode = namespace.common(path).iterator().next();
            left = new HashSet<>(namespace.blocks(path).get(0));
            left.remove(replicaNode);
        } while (left.stream()
                        .map(DatanodeDescriptor::getNetworkLocation)
                        .distinct()
                        .count()
                < 2);
        String rack = replicaNode.getNetworkLocation();
        DatanodeDescriptor source = left.stream()
                .filter(node -> !node.getNetworkLocation().equals(rack))
                .findFirst()
                .orElseThrow();
        TestNodes.schedule(replicaNode, 2);
        assertThat(makeAgain(path, left, source)).containsExactly(replicaNode);
        for (int i = 0; i < 20; i++) {
            assertThat(makeAgain(path, left, source))
                    .as("two scheduled, and one given since")
                    .hasSize(1)
                    .doesNotContain(replicaNode);
        }
    }

    private Set<DatanodeDescriptor> makeAgain(String path, Set<DatanodeDescriptor> left) {
        return makeAgain(path, left, List.copyOf(left).get(random.nextInt(left.size())));
    }

    private Set<DatanodeDescriptor> makeAgain(String path, Set<DatanodeDescriptor> left, DatanodeDescriptor source) {
        List<DatanodeStorageInfo> chosen = left.stream().map(TestNodes::storage).collect(Collectors.toList());
        DatanodeStorageInfo[] placed = policy.chooseTarget(
                path,
                1,
                source,
                chosen,
                false,
                new HashSet<>(left),
                TestNodes.BLOCK,
                BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy(),
                EnumSet.noneOf(AddBlockFlag.class));
        return Arrays.stream(placed)
                .map(DatanodeStorageInfo::getDatanodeDescriptor)
                .collect(Collectors.toSet());
    }

    /** A pipeline breaks at its start. The client abandons the block, and asks for a new block with the failed node excluded. */
    @Test
    void firstBlockThatIsAskedForAgainWithoutItsReplicaNode_bringsTheFileToAnother() {
        String path = "/file";
        Set<DatanodeDescriptor> first = write(path, 2, null, Set.of());
        namespace.blocks(path).clear();
        for (int block = 0; block < 6; block++) {
            write(path, 2, null, block == 0 ? Set.copyOf(first) : Set.of());
        }
        assertThat(namespace.common(path)).hasSize(1).doesNotContainAnyElementsOf(first);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** Nodes 0, 1, 2, ... in racks /0, /1, /2, /0, ... and files on them. */
final class PlacementFixture {

    static final long BLOCK = 1 << 20;
    private static final int RACKS = 3;
    private static final long DISK = 1L << 40;

    private PlacementFixture() {}

    static DatanodeInfo node(int number, AdminStates state) {
        return new DatanodeInfoBuilder()
                .setIpAddr("10.0.0." + number)
                .setHostName("host" + number)
                .setDatanodeUuid("uuid-" + number)
                .setXferPort(9866)
                .setInfoPort(9864)
                .setIpcPort(9867)
                .setCapacity(DISK)
                .setRemaining(DISK)
                .setNetworkLocation("/" + number % RACKS)
                .setAdminState(state)
                .build();
    }

    static DatanodeStorageReport report(DatanodeInfo node, StorageType type, long remaining) {
        DatanodeStorage storage =
                new DatanodeStorage("DS-" + node.getDatanodeUuid(), DatanodeStorage.State.NORMAL, type);
        return new DatanodeStorageReport(
                node, new StorageReport[] {new StorageReport(storage, false, DISK, 0, remaining, 0, 0)});
    }

    static ClusterMap cluster(int nodes) {
        DatanodeStorageReport[] reports = new DatanodeStorageReport[nodes];
        for (int i = 0; i < nodes; i++) {
            reports[i] = report(node(i, AdminStates.NORMAL), StorageType.DISK, DISK);
        }
        return new ClusterMap(reports);
    }

    /** The id of a file whose replica node is a given node while all nodes hold equally many of its blocks. */
    static long fileOf(ClusterMap cluster, int node) {
        LocatedBlocks everywhere =
                blocks(false, IntStream.range(0, cluster.size()).toArray());
        return LongStream.range(16_386, 20_000)
                .filter(id -> cluster.replicaNode(id, everywhere).name().equals("uuid-" + node))
                .findFirst()
                .orElseThrow();
    }

    static HdfsFileStatus file(long id, int replication) {
        return new HdfsFileStatus.Builder()
                .fileId(id)
                .length(1)
                .replication(replication)
                .blocksize(BLOCK)
                .build();
    }

    /** The blocks of a file; each block is an array of the numbers of its nodes. */
    static LocatedBlocks blocks(boolean underConstruction, int[]... placed) {
        List<LocatedBlock> blocks = new ArrayList<>();
        for (int[] nodes : placed) {
            DatanodeInfoWithStorage[] locations = new DatanodeInfoWithStorage[nodes.length];
            String[] storages = new String[nodes.length];
            StorageType[] types = new StorageType[nodes.length];
            for (int i = 0; i < nodes.length; i++) {
                storages[i] = "DS-" + nodes[i];
                types[i] = StorageType.DISK;
                locations[i] =
                        new DatanodeInfoWithStorage(node(nodes[i], AdminStates.NORMAL), storages[i], StorageType.DISK);
            }
            ExtendedBlock block = new ExtendedBlock("pool", 1000 + blocks.size(), BLOCK, 1);
            blocks.add(new LocatedBlock(block, locations, storages, types, blocks.size() * BLOCK, false, null));
        }
        LocatedBlock last = blocks.isEmpty() ? null : blocks.get(blocks.size() - 1);
        return new LocatedBlocks(blocks.size() * BLOCK, underConstruction, blocks, last, true, null, null);
    }
}

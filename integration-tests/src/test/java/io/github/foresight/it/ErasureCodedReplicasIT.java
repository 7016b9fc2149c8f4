/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.BLOCK;
import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.proto.HintProtos.HintRequestProto;
import io.github.foresight.protocol.proto.HintProtos.HintRequestProto.OpType;
import io.github.foresight.protocol.proto.HintProtos.HintedBlockProto;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.junit.jupiter.api.Test;

/** Erasure-coded files on a cluster with read-ahead, packs and placement. Every byte is right, in plain and in reconstructed reads. */
final class ErasureCodedReplicasIT {

    private static final String POLICY = "XOR-2-1-1024k";
    private static final int DATA_NODES = 4;

    /** Lengths in bytes; a cell is 1 MiB. The files have less than a cell, a few cells, or several block groups and a rest. */
    private static final List<Integer> LENGTHS =
            List.of(1, 20_001, 1 << 20, (3 << 20) + 77, 2 * BLOCK, 5 * BLOCK + 123_457);

    @Test
    void erasureCodedFiles_withEverythingOn_areReadRight_wholeAndReconstructed() throws Exception {
        try (TestCluster cluster = TestCluster.plan("erasure-coded")
                        .dataNodes(DATA_NODES)
                        .withPlacement()
                        .onNameNode(Map.of("foresight.namenode.graph.capacity", "8m"))
                        .onDataNodes(Map.of(
                                "foresight.datanode.cache.capacity", "32m",
                                "foresight.datanode.cache.idle.time", "2s",
                                "foresight.datanode.cache.retry.time", "2s",
                                "foresight.datanode.packs.delay.time", "200ms"))
                        .onAll(Map.of(
                                "dfs.heartbeat.interval", "1",
                                "dfs.namenode.heartbeat.recheck-interval", "1000",
                                "dfs.namenode.redundancy.interval.seconds", "1",
                                "dfs.client.socket-timeout", "10000"))
                        .processes(processes -> processes.daemonHeap("256m"))
                        .start();
                DistributedFileSystem stock = cluster.stockClient()) {
            Path folder = new Path("/ec");
            stock.mkdirs(folder);
            stock.enableErasureCodingPolicy(POLICY);
            stock.setErasureCodingPolicy(folder, POLICY);
            Map<Path, byte[]> written = new LinkedHashMap<>();
            for (int length : LENGTHS) {
                Path file = new Path(folder, "f" + length);
                byte[] content = new byte[length];
                new Random(length).nextBytes(content);
                try (OutputStream out = stock.create(file)) {
                    out.write(content);
                }
                written.put(file, content);
            }
            // The cluster also has a replicated file, so that packs and read-ahead are at work.
            Path whole = new Path("/whole");
            try (OutputStream out = stock.create(whole, true, 4096, (short) 2, BLOCK)) {
                out.write(written.get(new Path(folder, "f" + LENGTHS.get(5))));
            }
            written.put(whole, written.get(new Path(folder, "f" + LENGTHS.get(5))));
            eventually(() -> assertThat(cluster.metric("PackedBlocks")).isPositive());

            assertReadRight(cluster, written);
            LocatedStripedBlock group = group(stock, new Path(folder, "f" + LENGTHS.get(5)));
            hintInternalBlocks(cluster, group);
            assertReadRight(cluster, written);

            int lost = cluster.nodeOf(group);
            cluster.processes().dataNodes().get(lost).kill();
            assertReadRight(cluster, written);
            eventually(() -> {
                LocatedBlock now = group(stock, new Path(folder, "f" + LENGTHS.get(5)));
                assertThat(now.getLocations())
                        .as("reconstructed on the node that held nothing of it")
                        .hasSize(3)
                        .noneMatch(node ->
                                node.getXferPort() == cluster.processes().dataPort(lost));
            });
            assertReadRight(cluster, written);

            cluster.processes().restartDataNode(lost, cluster.dataNodeInstallation());
            assertReadRight(cluster, written);
            assertThat(cluster.metric("Hints")).isPositive();
            eventually(() -> assertThat(cluster.lockedBytes()).containsOnly(0L));
            assertThat(cluster.metric("InternalErrors")).isZero();
            assertThat(cluster.nameNodeMetric("InternalErrors")).isZero();
        }
    }

    private static LocatedStripedBlock group(FileSystem fs, Path file) throws IOException {
        return (LocatedStripedBlock) TestCluster.blocks(fs, file.toString()).get(0);
    }

    /** Sends hints that Foresight's client never sends: each internal block, and the group's own id, to each node. */
    private static void hintInternalBlocks(TestCluster cluster, LocatedStripedBlock group) throws Exception {
        for (int node = 0; node < DATA_NODES; node++) {
            for (int index = 0; index < 3; index++) {
                cluster.hintProxy(node)
                        .hint(
                                null,
                                HintRequestProto.newBuilder()
                                        .setOpType(OpType.HINT)
                                        .setClientId(1)
                                        .setFileId(10 + index)
                                        .setBlockPoolId(group.getBlock().getBlockPoolId())
                                        .setBlockNum(1)
                                        .addBlocks(HintedBlockProto.newBuilder()
                                                .setBlockId(group.getBlock().getBlockId() + index)
                                                .setGenerationStamp(
                                                        group.getBlock().getGenerationStamp())
                                                .setLength(BLOCK))
                                        .build());
            }
        }
    }

    /** Reads the files from beginning to end, in the same order each time, and by position; checks each byte. */
    private static void assertReadRight(TestCluster cluster, Map<Path, byte[]> written) throws IOException {
        Random random = new Random(1);
        try (FileSystem fs = cluster.foresightClient()) {
            for (Map.Entry<Path, byte[]> file : written.entrySet()) {
                byte[] content = file.getValue();
                try (InputStream in = fs.open(file.getKey())) {
                    assertThat(in.readAllBytes()).as("%s", file.getKey()).isEqualTo(content);
                }
                try (FSDataInputStream in = fs.open(file.getKey())) {
                    for (int i = 0; i < 20; i++) {
                        int offset = random.nextInt(content.length);
                        byte[] part = new byte[Math.min(16 << 10, content.length - offset)];
                        in.readFully(offset, part);
                        assertThat(part).isEqualTo(Arrays.copyOfRange(content, offset, offset + part.length));
                    }
                }
            }
        }
    }
}

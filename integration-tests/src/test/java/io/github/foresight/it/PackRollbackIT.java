/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.blocks;
import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;

/** After HDFS's own rollback of a rolling upgrade, the NameNode assigns the same block ids and generation stamps again. */
final class PackRollbackIT {

    private static final int SMALL = 20_001;

    @Test
    void blockWithIdStampAndLengthOfAnEarlierOne_afterARollback_isReadRight() throws Exception {
        try (TestCluster cluster = TestCluster.start(
                        "rollback",
                        1,
                        Map.of(
                                "foresight.datanode.cache.capacity", "16m",
                                "foresight.datanode.packs.delay.time", "200ms"),
                        Map.of("dfs.replication", "1", "dfs.heartbeat.interval", "1"));
                DistributedFileSystem fs = cluster.stockClient()) {
            prepareUpgrade(fs);
            write(fs, "/new", 1);
            ExtendedBlock before = blocks(fs, "/new").get(0).getBlock();
            eventually(() -> assertThat(cluster.metric("PackedBlocks")).isPositive());
            assertThat(read(fs, "/new")).isEqualTo(content(1));

            cluster.processes().rollBackUpgrade(cluster.nameNodeInstallation(), cluster.dataNodeInstallation());

            // The first call may use the broken connection to the earlier NameNode process.
            eventually(() -> assertThat(fs.exists(new Path("/new"))).isFalse());
            deleteUnknownBlocks(cluster);
            eventually(() -> assertThat(blockFiles(cluster))
                    .as("the NameNode has them deleted")
                    .isEmpty());
            write(fs, "/other", 2);
            ExtendedBlock after = blocks(fs, "/other").get(0).getBlock();
            assertThat(after.getBlockId()).isEqualTo(before.getBlockId());
            assertThat(after.getGenerationStamp()).isEqualTo(before.getGenerationStamp());
            assertThat(after.getNumBytes()).isEqualTo(before.getNumBytes());
            assertThat(read(fs, "/other")).isEqualTo(content(2));
            eventually(() -> {
                assertThat(read(fs, "/other")).isEqualTo(content(2));
                assertThat(cluster.metric("PackHits")).as("packed anew").isPositive();
            });
            assertThat(cluster.metric("InternalErrors")).isZero();
        }
    }

    @SuppressWarnings("deprecation") // the replacement is not in every version
    private static void prepareUpgrade(DistributedFileSystem fs) throws IOException {
        fs.setSafeMode(SafeModeAction.SAFEMODE_ENTER);
        fs.rollingUpgrade(RollingUpgradeAction.PREPARE);
        fs.setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
    }

    /**
     * Makes the DataNode report its blocks a second time.
     *
     * <p>After a start the NameNode deletes no block for the first report. For each later report it deletes the unknown blocks. A third report
     * before the deletion would cause two deletions of each block. The second deletion would hit the new block with the same id.
     */
    private static void deleteUnknownBlocks(TestCluster cluster) throws Exception {
        eventually(() -> assertThat(cluster.processes()
                        .dataNodes()
                        .get(0)
                        .bean("Hadoop:service=DataNode,name=DataNodeActivity*")
                        .path("BlockReportsNumOps")
                        .asLong())
                .as("first block report")
                .isEqualTo(1));
        String address = "127.0.0.1:" + cluster.processes().ipcPort(0);
        assertThat(ToolRunner.run(new DFSAdmin(cluster.clientConf()), new String[] {"-triggerBlockReport", address}))
                .isZero();
    }

    private static List<String> blockFiles(TestCluster cluster) throws IOException {
        java.nio.file.Path data =
                cluster.processes().workDir().resolve("datanode0").resolve("data");
        try (Stream<java.nio.file.Path> all = Files.walk(data)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("blk_"))
                    .collect(Collectors.toList());
        }
    }

    private static void write(FileSystem fs, String path, long seed) throws IOException {
        try (OutputStream out = fs.create(new Path(path))) {
            out.write(content(seed));
        }
    }

    private static byte[] read(FileSystem fs, String path) throws IOException {
        try (InputStream in = fs.open(new Path(path))) {
            return in.readAllBytes();
        }
    }

    private static byte[] content(long seed) {
        byte[] bytes = new byte[SMALL];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}

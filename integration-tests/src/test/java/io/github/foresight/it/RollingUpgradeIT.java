/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.Installation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.junit.jupiter.api.Test;

/** Foresight is installed by a rolling upgrade that is finalized, and removed by a downgrade. {@link PackRollbackIT} tests the rollback. */
final class RollingUpgradeIT {

    private final Map<String, byte[]> files = new LinkedHashMap<>();

    private static TestCluster start(String name) throws Exception {
        return TestCluster.plan(name)
                .dataNodes(1)
                .onDataNodes(Map.of(
                        "foresight.datanode.cache.capacity", "16m",
                        "foresight.datanode.packs.delay.time", "200ms"))
                .onAll(Map.of("dfs.replication", "1", "dfs.heartbeat.interval", "1"))
                .start();
    }

    private static void install(TestCluster cluster, Installation nameNode, Installation dataNode) throws Exception {
        cluster.processes().restartNameNode(nameNode);
        cluster.processes().restartDataNodes(dataNode);
        // The next call on a connection that the old NameNode has closed fails.
        try (DistributedFileSystem fs = cluster.stockClient()) {
            eventually(() -> assertThat(fs.exists(new Path("/"))).isTrue());
        }
    }

    @Test
    void foresight_putInByARollingUpgrade_keepsEveryFile_whenTheUpgradeIsFinalized() throws Exception {
        try (TestCluster cluster = start("rolling-upgrade")) {
            install(cluster, Installation.STOCK, Installation.STOCK);
            try (DistributedFileSystem fs = cluster.stockClient()) {
                write(fs, "/before", 1);
                write(fs, "/deleted", 2);
                upgrade(fs, RollingUpgradeAction.PREPARE);
            }
            install(cluster, cluster.nameNodeInstallation(), cluster.dataNodeInstallation());
            try (DistributedFileSystem fs = cluster.foresightClient()) {
                write(fs, "/during", 3);
                append(fs, "/before", 4);
                delete(fs, "/deleted");
                assertReadRight(fs);
                eventually(() -> assertThat(cluster.metric("PackedBlocks")).isPositive());
                assertReadRight(fs);
                upgrade(fs, RollingUpgradeAction.FINALIZE);
                write(fs, "/after", 5);
                assertReadRight(fs);
            }
            install(cluster, cluster.nameNodeInstallation(), cluster.dataNodeInstallation());
            try (DistributedFileSystem fs = cluster.foresightClient()) {
                eventually(() -> {
                    assertReadRight(fs);
                    assertThat(cluster.metric("PackHits"))
                            .as("reads from packs")
                            .isPositive();
                });
                assertThat(fs.exists(new Path("/deleted"))).isFalse();
            }
            assertThat(cluster.metric("InternalErrors")).isZero();
            assertThat(cluster.nameNodeMetric("InternalErrors")).isZero();
        }
    }

    /** A downgrade restarts the stock daemons, and they keep the later writes. After these writes the packs are out of date. */
    @Test
    void foresight_takenOutByADowngrade_andPutInAgain_readsWhatStockHdfsHasWrittenMeanwhile() throws Exception {
        try (TestCluster cluster = start("downgrade")) {
            try (DistributedFileSystem fs = cluster.foresightClient()) {
                write(fs, "/before", 1);
                upgrade(fs, RollingUpgradeAction.PREPARE);
                write(fs, "/during", 2);
                write(fs, "/replaced", 3);
                eventually(() -> assertThat(cluster.metric("PackedBlocks")).isGreaterThanOrEqualTo(3));
                assertReadRight(fs);
            }
            install(cluster, Installation.STOCK, Installation.STOCK);
            try (DistributedFileSystem fs = cluster.stockClient()) {
                assertReadRight(fs);
                append(fs, "/before", 4);
                append(fs, "/during", 5);
                write(fs, "/replaced", 6);
                upgrade(fs, RollingUpgradeAction.FINALIZE);
                assertReadRight(fs);
            }
            install(cluster, cluster.nameNodeInstallation(), cluster.dataNodeInstallation());
            try (DistributedFileSystem fs = cluster.foresightClient()) {
                assertReadRight(fs);
                eventually(() -> {
                    assertReadRight(fs);
                    assertThat(cluster.metric("PackHits"))
                            .as("reads from packs")
                            .isPositive();
                });
                assertReadRight(fs);
            }
            assertThat(cluster.metric("InternalErrors")).isZero();
        }
    }

    @SuppressWarnings("deprecation") // the replacement is not in every version
    private static void upgrade(DistributedFileSystem fs, RollingUpgradeAction action) throws IOException {
        if (action == RollingUpgradeAction.PREPARE) {
            fs.setSafeMode(SafeModeAction.SAFEMODE_ENTER);
            fs.rollingUpgrade(action);
            fs.setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
        } else {
            fs.rollingUpgrade(action);
        }
    }

    private void write(FileSystem fs, String path, long seed) throws IOException {
        try (OutputStream out = fs.create(new Path(path))) {
            out.write(content(seed));
        }
        files.put(path, content(seed));
    }

    private void append(FileSystem fs, String path, long seed) throws IOException {
        try (OutputStream out = fs.append(new Path(path))) {
            out.write(content(seed));
        }
        byte[] before = files.get(path);
        byte[] more = content(seed);
        byte[] all = new byte[before.length + more.length];
        System.arraycopy(before, 0, all, 0, before.length);
        System.arraycopy(more, 0, all, before.length, more.length);
        files.put(path, all);
    }

    private void delete(FileSystem fs, String path) throws IOException {
        fs.delete(new Path(path), false);
        files.remove(path);
    }

    private void assertReadRight(FileSystem fs) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            try (InputStream in = fs.open(new Path(file.getKey()))) {
                assertThat(in.readAllBytes()).as(file.getKey()).isEqualTo(file.getValue());
            }
        }
    }

    private static byte[] content(long seed) {
        byte[] bytes = new byte[20_001 + (int) seed];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}

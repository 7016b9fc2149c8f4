/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import static io.github.foresight.containers.ContainerCluster.eventually;
import static io.github.foresight.containers.HdfsShell.BLOCK;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster with data receives Foresight node by node, and loses it again node by node, while clients read. */
@NeedsContainers
@Timeout(300)
final class RollingUpgradeContainerIT {

    private static final long FILE = 6L * BLOCK;
    private static final String PATH = "/kept";

    private ContainerCluster cluster;
    private HdfsShell shell;
    private String written;

    @BeforeEach
    @Timeout(300)
    void start() throws Exception {
        cluster = ContainerCluster.start("rolling-upgrade-containers");
        shell = cluster.shell();
        written = shell.write(PATH, FILE);
    }

    @AfterEach
    void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void foresight_comesAndGoesNodeByNode_andTheDataIsRightEachTime() throws Exception {
        for (HadoopContainer dataNode : cluster.dataNodes()) {
            dataNode.install();
            restartUnderAReader(dataNode);
            eventually(() -> assertThat(dataNode.metric("Enabled")).isEqualTo(1));
        }
        cluster.nameNode().install();
        restartUnderAReader(cluster.nameNode());
        eventually(() -> assertThat(cluster.nameNode().metric("Running")).isEqualTo(1));
        cluster.client().install();
        assertThat(shell.read(PATH)).isEqualTo(written);
        eventually(() -> assertThat(cluster.dataNodeMetric("Hints")).isPositive());
        String writtenMeanwhile = shell.write("/written-meanwhile", FILE);

        cluster.nameNode().uninstall();
        restartUnderAReader(cluster.nameNode());
        for (HadoopContainer dataNode : cluster.dataNodes()) {
            dataNode.uninstall();
            restartUnderAReader(dataNode);
            assertThat(dataNode.runsForesight()).isFalse();
        }
        cluster.client().uninstall();
        assertThat(shell.read(PATH)).isEqualTo(written);
        assertThat(shell.read("/written-meanwhile")).isEqualTo(writtenMeanwhile);
    }

    private void restartUnderAReader(HadoopContainer node) throws Exception {
        PausedRead read = shell.readUntil(PATH, BLOCK / 2);
        node.restart();
        cluster.awaitReady();

        assertThat(read.finish().getStdout()).isEqualTo(written);
        assertThat(shell.fsck()).contains("is HEALTHY");
    }
}

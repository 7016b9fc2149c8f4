/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.guard.KeyedHash;
import io.github.foresight.core.guard.ReadLimits;
import io.github.foresight.core.guard.RecentSet;
import io.github.foresight.core.guard.Refusals;
import io.github.foresight.core.guard.UserAccessHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Refusal;
import org.apache.hadoop.hdfs.server.namenode.NamespaceReader.Wanted;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;

/** A NameNode that has just become standby. */
class StandbyReadTest {

    private static final StateChangeRequestInfo BY_USER = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);

    private static HdfsConfiguration configuration(Path folder) {
        HdfsConfiguration conf = new HdfsConfiguration();
        conf.set("hadoop.tmp.dir", folder.toString());
        conf.set("fs.defaultFS", "hdfs://ns");
        conf.set("dfs.nameservices", "ns");
        conf.set("dfs.ha.namenodes.ns", "nn1,nn2");
        conf.set("dfs.ha.namenode.id", "nn1");
        conf.set("dfs.namenode.rpc-address.ns.nn1", "127.0.0.1:0");
        conf.set("dfs.namenode.rpc-address.ns.nn2", "127.0.0.1:1");
        conf.set("dfs.namenode.http-address.ns.nn1", "127.0.0.1:0");
        conf.set("dfs.namenode.http-address.ns.nn2", "127.0.0.1:1");
        conf.set(
                "dfs.namenode.shared.edits.dir",
                folder.resolve("shared").toUri().toString());
        conf.set("dfs.ha.standby.checkpoints", "false");
        conf.set("dfs.ha.nn.not-become-active-in-safemode", "false");
        return conf;
    }

    private static List<Refusal> read(NamespaceReader reader) throws Exception {
        RecordedAnswers answers = new RecordedAnswers();
        reader.read(List.of(Wanted.byPath("/missing", 1)), 10, false, answers);
        return answers.refusals;
    }

    @Test
    void standby_predictsNothing() throws Exception {
        Path folder = Files.createTempDirectory("standby");
        DefaultMetricsSystem.setMiniClusterMode(true);
        HdfsConfiguration conf = configuration(folder);
        NameNode.format(conf);
        NameNode nameNode = new NameNode(conf);
        try {
            NamespaceReader reader = new NamespaceReader(
                    nameNode,
                    new ReadLimits(0, 0, 0, 0),
                    new UserAccessHistory(new KeyedHash(1, 2), new RecentSet(4), new Refusals(4, 1, 0)),
                    false,
                    new RecordedEvents());
            nameNode.getRpcServer().transitionToActive(BY_USER);
            assertThat(reader.isServing()).isTrue();
            assertThat(read(reader)).containsExactly(Refusal.UNKNOWN);
            nameNode.getRpcServer().transitionToStandby(BY_USER);
            assertThat(reader.isServing()).isFalse();
            assertThat(read(reader)).containsExactly(Refusal.NOT_NOW);
        } finally {
            nameNode.stop();
            nameNode.join();
            FileUtil.fullyDelete(folder.toFile());
        }
    }
}

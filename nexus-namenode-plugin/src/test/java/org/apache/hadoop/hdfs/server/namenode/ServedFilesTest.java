/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.ServedFiles.Served;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The audit trail of opens from cached layouts, on a real NameNode and DataNode. */
class ServedFilesTest {

    private static final long PRECISION_MILLIS = 60_000;

    private static InProcessCluster cluster;
    private static ServedFiles files;

    /** An audit logger as a cluster may have, loaded by HDFS. */
    public static final class Recorder extends HdfsAuditLogger {
        static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();

        @Override
        public void initialize(Configuration conf) {}

        @Override
        public void logAuditEvent(
                boolean succeeded,
                String user,
                InetAddress address,
                String command,
                String source,
                String target,
                FileStatus status,
                CallerContext context,
                UserGroupInformation ugi,
                DelegationTokenSecretManager tokens) {
            EVENTS.add(user + " " + command + " " + source + " " + (context == null ? "" : context.getContext()));
        }

        @Override
        public void logAuditEvent(
                boolean succeeded,
                String user,
                InetAddress address,
                String command,
                String source,
                String target,
                FileStatus status,
                UserGroupInformation ugi,
                DelegationTokenSecretManager tokens) {
            logAuditEvent(succeeded, user, address, command, source, target, status, null, ugi, tokens);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        cluster = InProcessCluster.start(Map.of(
                "dfs.namenode.accesstime.precision",
                String.valueOf(PRECISION_MILLIS),
                "hadoop.caller.context.enabled",
                "true",
                "dfs.namenode.audit.loggers",
                "default," + Recorder.class.getName()));
        files = new ServedFiles(cluster.nameNode());
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    private static long accessTime(String path) throws Exception {
        return cluster.fs().getFileStatus(new Path(path)).getAccessTime();
    }

    @Test
    void files_areFoundByTheirFirstBlock_inOrder_whereTheyAreNow() throws Exception {
        cluster.mkdirs("/found", "700");
        cluster.write("/found/one", "600");
        cluster.write("/found/two", "600");
        cluster.write("/found/gone", "600");
        long one = cluster.firstBlock("/found/one");
        long two = cluster.firstBlock("/found/two");
        long gone = cluster.firstBlock("/found/gone");
        cluster.fs().rename(new Path("/found/one"), new Path("/found/renamed"));
        cluster.fs().delete(new Path("/found/gone"), false);

        List<Served> found = files.find(new long[] {two, gone, one, -1}, System.currentTimeMillis());

        assertThat(found).hasSize(4);
        assertThat(found.get(0).path()).isEqualTo("/found/two");
        assertThat(found.get(1)).isNull();
        assertThat(found.get(2).path()).isEqualTo("/found/renamed");
        assertThat(found.get(3)).isNull();
        assertThat(files.keepsTimes()).isTrue();
        assertThat(files.contextMax()).isEqualTo(128);
    }

    @Test
    void accessTime_isDueByThePrecision_andSet_alsoOfAFileThatWasRenamed_withoutAnAuditLine() throws Exception {
        cluster.write("/read", "600");
        long block = cluster.firstBlock("/read");
        long before = accessTime("/read");
        assertThat(files.find(new long[] {block}, before + PRECISION_MILLIS)
                        .get(0)
                        .isAccessTimeDue())
                .isFalse();
        Served due =
                files.find(new long[] {block}, before + PRECISION_MILLIS + 1).get(0);
        assertThat(due.isAccessTimeDue()).isTrue();
        long modified = cluster.fs().getFileStatus(new Path("/read")).getModificationTime();
        cluster.fs().rename(new Path("/read"), new Path("/read-renamed"));
        Recorder.EVENTS.clear();

        assertThat(files.setAccessTimes(new long[] {-1, due.inodeId()}, before + PRECISION_MILLIS + 1))
                .isEqualTo(1);

        assertThat(Recorder.EVENTS).noneMatch(event -> event.contains("setTimes"));
        assertThat(accessTime("/read-renamed")).isEqualTo(before + PRECISION_MILLIS + 1);
        assertThat(cluster.fs().getFileStatus(new Path("/read-renamed")).getModificationTime())
                .isEqualTo(modified);

        cluster.fs().delete(new Path("/read-renamed"), false);
        assertThat(files.setAccessTimes(new long[] {due.inodeId()}, before)).isZero();
    }

    @Test
    void accessTimes_ofManyFiles_areSetAtOnce() throws Exception {
        cluster.mkdirs("/batch", "700");
        long[] inodes = new long[20];
        for (int i = 0; i < inodes.length; i++) {
            cluster.write("/batch/" + i, "600");
            inodes[i] = cluster.nameNode()
                    .getNamesystem()
                    .getFSDirectory()
                    .getINode("/batch/" + i)
                    .getId();
        }
        long later = accessTime("/batch/0") + 2 * PRECISION_MILLIS;
        FSEditLog edits = cluster.nameNode().getNamesystem().getEditLog();
        long before = edits.getLastWrittenTxId();

        assertThat(files.setAccessTimes(inodes, later)).isEqualTo(inodes.length);

        assertThat(edits.getLastWrittenTxId()).as("one edit a file").isGreaterThanOrEqualTo(before + inodes.length);
        assertThat(accessTime("/batch/19")).isEqualTo(later);
        assertThat(files.setAccessTimes(inodes, later + 1))
                .as("within the precision")
                .isEqualTo(inodes.length);
        assertThat(accessTime("/batch/19")).isEqualTo(later);
    }

    @Test
    void accessTimes_inSafeMode_areNotSet() throws Exception {
        cluster.write("/safe", "600");
        long inode = cluster.nameNode()
                .getNamesystem()
                .getFSDirectory()
                .getINode("/safe")
                .getId();
        cluster.fs().setSafeMode(SafeModeAction.ENTER);
        try {
            assertThat(files.setAccessTimes(new long[] {inode}, System.currentTimeMillis() + 2 * PRECISION_MILLIS))
                    .isZero();
        } finally {
            cluster.fs().setSafeMode(SafeModeAction.LEAVE);
        }
    }

    @Test
    void open_isHandedToTheClustersAuditLoggers() throws Exception {
        Recorder.EVENTS.clear();
        files.audit(
                "alice (auth:KERBEROS)",
                InetAddress.getByName("10.0.0.1"),
                "/f",
                new CallerContext.Builder("job").build());
        files.audit("bob", null, "/g", null);
        assertThat(Recorder.EVENTS).contains("alice (auth:KERBEROS) open /f job", "bob open /g ");
    }
}

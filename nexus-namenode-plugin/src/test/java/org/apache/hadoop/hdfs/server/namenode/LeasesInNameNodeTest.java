/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.core.lease.ClientLease.Sent;
import io.github.foresight.namenode.ChangeAuditLogger;
import io.github.foresight.namenode.ForesightPlugin;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Leases in a NameNode with one handler, so that a handler that waited would stop everything. */
class LeasesInNameNodeTest {

    private static final String LEASE = "3s";

    /** Less than a lease. */
    private static final long LAYOUT_AGE_MILLIS = 2_000;

    private static InProcessCluster cluster;
    private static DistributedFileSystem fs;

    @BeforeAll
    static void start() throws Exception {
        cluster = InProcessCluster.start(Map.of(
                "dfs.namenode.plugins",
                ForesightPlugin.class.getName(),
                "dfs.namenode.audit.loggers",
                "default," + ChangeAuditLogger.class.getName(),
                "dfs.namenode.handler.count",
                "1",
                "dfs.permissions.superusergroup",
                "root",
                "foresight.namenode.lease.duration",
                LEASE,
                "foresight.namenode.lease.layout.age",
                LAYOUT_AGE_MILLIS + "ms"));
        fs = cluster.fs();
        fs.mkdirs(new Path("/d"));
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    private interface Action {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> later(Action action) {
        return CompletableFuture.runAsync(() -> {
            try {
                action.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** A client that holds a file and waits for a recall. */
    private static final class Holder implements AutoCloseable {
        final LeasedClient client;
        final Sent sent;
        final CompletableFuture<Message> parked;

        Holder(String path) throws Exception {
            cluster.write(path, "644");
            client = new LeasedClient(cluster);
            assertThat(client.open(path)).isTrue();
            sent = client.send();
            parked = client.park(sent);
        }

        void receiveRecall() throws Exception {
            client.unpark(sent, parked.get(10, TimeUnit.SECONDS));
        }

        @Override
        public void close() {
            client.close();
        }
    }

    @Test
    void change_ofAHeldFile_waitsForTheHolderWithoutAHandler() throws Exception {
        try (Holder holder = new Holder("/d/held")) {
            CompletableFuture<Void> delete = later(() -> fs.delete(new Path("/d/held"), false));
            holder.receiveRecall();
            assertThat(holder.client.holds("/d/held")).isFalse();
            assertThat(fs.exists(new Path("/d/held")))
                    .as("before the holder has acknowledged")
                    .isTrue();
            assertThat(delete).isNotDone();
            holder.client.acknowledge();
            delete.get(2, TimeUnit.SECONDS);
            assertThat(fs.exists(new Path("/d/held"))).isFalse();
        }
    }

    @Test
    void layout_underALiveLease_opensItsFileUpToTheAgeThatTheNameNodeTells() throws Exception {
        try (Holder holder = new Holder("/d/aged")) {
            assertThat(holder.client.mayOpen("/d/aged", LAYOUT_AGE_MILLIS - 1)).isTrue();
            assertThat(holder.client.mayOpen("/d/aged", LAYOUT_AGE_MILLIS)).isFalse();
        }
    }

    @Test
    void change_ofADirectoryAboveAHeldFile_waitsToo() throws Exception {
        try (Holder holder = new Holder("/d/deep/er/held")) {
            CompletableFuture<Void> rename = later(() -> fs.rename(new Path("/d/deep"), new Path("/d/deeper")));
            holder.receiveRecall();
            assertThat(rename).isNotDone();
            assertThat(fs.exists(new Path("/d/deep/er/held"))).isTrue();
            holder.client.acknowledge();
            rename.get(2, TimeUnit.SECONDS);
            assertThat(fs.exists(new Path("/d/deeper/er/held"))).isTrue();
        }
    }

    @Test
    void change_whileAHolderIsSilent_isCarriedOutAfterItsLease() throws Exception {
        try (Holder holder = new Holder("/d/silent")) {
            fs.delete(new Path("/d/silent"), false);
            assertThat(holder.client.holds("/d/silent")).isFalse();
        }
    }

    @Test
    void change_byTheHolderItself_waitsForNobody() throws Exception {
        try (Holder holder = new Holder("/d/own")) {
            CompletableFuture<Void> delete = later(() -> holder.client.delete("/d/own"));
            delete.get(2, TimeUnit.SECONDS);
            assertThat(holder.parked).isNotDone();
        }
    }

    @Test
    void change_byAUserWithoutRights_recallsNothing() throws Exception {
        try (Holder holder = new Holder("/d/forbidden")) {
            UserGroupInformation bob = InProcessCluster.user("bob", "users");
            FileSystem ofBob =
                    bob.doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(fs.getConf()));
            assertThatThrownBy(() -> ofBob.delete(new Path("/d/forbidden"), false))
                    .isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> ofBob.delete(new Path("/"), true)).isInstanceOf(AccessControlException.class);
            assertThat(holder.parked).isNotDone();
            assertThat(holder.client.holds("/d/forbidden")).isTrue();
        }
    }

    @Test
    void changeThatFails_afterItHasWaited_failsAsItDoesWithoutLeases() throws Exception {
        cluster.mkdirs("/d/full", "755");
        String stock = messageOf(later(() -> fs.delete(new Path("/d/full/../full"), false)), null);
        assertThat(stock).isNull();
        cluster.mkdirs("/d/notempty", "755");
        cluster.write("/d/notempty/unheld", "644");
        String withoutWait = messageOf(later(() -> fs.delete(new Path("/d/notempty"), false)), null);
        try (Holder holder = new Holder("/d/notempty/held")) {
            CompletableFuture<Void> delete = later(() -> fs.delete(new Path("/d/notempty"), false));
            assertThat(messageOf(delete, holder)).isEqualTo(withoutWait);
        }
    }

    private static String messageOf(CompletableFuture<Void> call, Holder acknowledging) throws Exception {
        if (acknowledging != null) {
            acknowledging.receiveRecall();
            acknowledging.client.acknowledge();
        }
        try {
            call.get(5, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause().getCause();
            return cause.getClass().getName() + ": "
                    + cause.getMessage().lines().findFirst().orElse("");
        }
    }

    @Test
    void change_byWebHdfs_isAnsweredAfterTheRecall() throws Exception {
        String address = cluster.nameNode().getHttpAddress().getHostName() + ":"
                + cluster.nameNode().getHttpAddress().getPort();
        try (Holder holder = new Holder("/d/web");
                FileSystem web = FileSystem.newInstance(URI.create("webhdfs://" + address), fs.getConf())) {
            CompletableFuture<Void> delete = later(() -> web.delete(new Path("/d/web"), false));
            holder.receiveRecall();
            assertThat(holder.client.holds("/d/web")).isFalse();
            assertThat(delete).isNotDone();
            assertThat(fs.exists(new Path("/d"))).as("the only handler is free").isTrue();
            holder.client.acknowledge();
            delete.get(2, TimeUnit.SECONDS);
        }
    }

    @Test
    void layout_ofAFileThatChanges_isNotGranted() throws Exception {
        try (Holder holder = new Holder("/d/changing");
                LeasedClient other = new LeasedClient(cluster)) {
            CompletableFuture<Void> append = later(() ->
                    fs.setPermission(new Path("/d/changing"), new org.apache.hadoop.fs.permission.FsPermission("600")));
            holder.receiveRecall();
            assertThat(other.open("/d/changing")).isFalse();
            holder.client.acknowledge();
            append.get(2, TimeUnit.SECONDS);
            assertThat(other.open("/d/changing")).isTrue();
        }
    }

    @Test
    void change_afterItHasWaited_isOnDiskBeforeItIsAnswered() throws Exception {
        try (Holder holder = new Holder("/d/synced")) {
            FSEditLog edits = cluster.nameNode().getNamesystem().getEditLog();
            CompletableFuture<Void> delete = later(() -> fs.delete(new Path("/d/synced"), false));
            holder.receiveRecall();
            long before = edits.getLastWrittenTxId();
            holder.client.acknowledge();
            delete.get(2, TimeUnit.SECONDS);
            assertThat(edits.getSyncTxId()).isGreaterThan(before);
        }
    }

    @Test
    void parkedCalls_holdNoHandler() throws Exception {
        try (Holder one = new Holder("/d/one");
                Holder two = new Holder("/d/two")) {
            Awaitility.await().until(() -> fs.exists(new Path("/d/one")));
            assertThat(one.parked).isNotDone();
            assertThat(two.parked).isNotDone();
        }
    }
}

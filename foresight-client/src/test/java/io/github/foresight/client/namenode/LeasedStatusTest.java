/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.ForesightProxyProvider;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listings and statuses of a client with leases: which are the NameNode's own, and which are served from memory. */
final class LeasedStatusTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(1_200);
    private static final String[] EVERYTHING = {"foresight.client.metadata.bundle.enabled", "true"};

    private final List<DFSClient> clients = new ArrayList<>();
    private LeasingNameNode nameNode;

    @AfterEach
    void stop() throws IOException {
        for (DFSClient client : clients) {
            client.close();
        }
        nameNode.close();
    }

    private DFSClient client(String... settings) throws IOException {
        Configuration conf = new Configuration();
        conf.setLong("dfs.blocksize", 512);
        conf.set("dfs.client.failover.proxy.provider.localhost", ForesightProxyProvider.class.getName());
        conf.set("foresight.client.lease", "5m");
        conf.set("foresight.client.metadata.age", "10m");
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        DFSClient client = new DFSClient(URI.create("hdfs://localhost:" + nameNode.port()), conf);
        clients.add(client);
        return client;
    }

    private DFSClient stockClient() throws IOException {
        DFSClient client = new DFSClient(URI.create("hdfs://localhost:" + nameNode.port()), new Configuration());
        clients.add(client);
        return client;
    }

    /** A directory of two files. */
    private void start(Duration lease) throws IOException {
        nameNode = LeasingNameNode.start(lease);
        nameNode.predict("/d/a");
        nameNode.predict("/d/b");
    }

    private static long modified(DFSClient client, String path) throws IOException {
        return client.getFileInfo(path).getModificationTime();
    }

    private static HdfsFileStatus[] list(DFSClient client) throws IOException {
        return client.listPaths("/d", HdfsFileStatus.EMPTY_NAME).getPartialListing();
    }

    @Test
    void listing_underALease_bringsLayoutsAndStatuses_andIsItselfTheNameNodes() throws IOException {
        start(LONG);
        DFSClient client = client(EVERYTHING);
        assertThat(list(client)).hasSize(2);
        client.open("/d/a").close();
        client.open("/d/b").close();
        modified(client, "/d/a");
        modified(client, "/d/b");
        assertThat(nameNode.opens()).isZero();
        assertThat(nameNode.statuses()).isZero();

        list(client);
        assertThat(nameNode.listings()).isEqualTo(2);
    }

    @Test
    void status_switchedOff_isTheNameNodes() throws IOException {
        start(LONG);
        DFSClient client = client(
                "foresight.client.metadata.bundle.enabled",
                "true",
                "foresight.client.metadata.status.enabled",
                "false");
        list(client);
        modified(client, "/d/a");
        client.open("/d/a").close();
        assertThat(nameNode.statuses()).isEqualTo(1);
        assertThat(nameNode.opens()).isZero();
    }

    @Test
    void statusOfAFileThatWasOnlyOpened_isTheNameNodes() throws IOException {
        start(LONG);
        DFSClient client = client(EVERYTHING);
        client.open("/other").close();
        modified(client, "/other");
        assertThat(nameNode.statuses()).isEqualTo(1);
    }

    @Test
    void listing_withoutALease_bringsNothing() throws IOException {
        start(LONG);
        nameNode.grantNoMore();
        DFSClient client = client(EVERYTHING);
        assertThat(list(client)).hasSize(2);
        client.open("/d/a").close();
        modified(client, "/d/a");
        assertThat(nameNode.opens()).isEqualTo(1);
        assertThat(nameNode.statuses()).isEqualTo(1);
    }

    @Test
    void statusAndLayout_outOfLease_areTheNameNodes() throws IOException {
        start(SHORT);
        nameNode.failToPark(Integer.MAX_VALUE);
        DFSClient client = client(EVERYTHING);
        list(client);
        nameNode.grantNoMore();
        await().untilAsserted(() -> {
            modified(client, "/d/a");
            assertThat(nameNode.statuses()).isPositive();
        });
        int statuses = nameNode.statuses();
        modified(client, "/d/a");
        client.open("/d/a").close();
        assertThat(nameNode.statuses()).isEqualTo(statuses + 1);
        assertThat(nameNode.opens()).isEqualTo(1);
    }

    @Test
    void statusChangedByAnother_isSeenAtOnce() throws IOException {
        start(LONG);
        DFSClient client = client(EVERYTHING);
        DFSClient stock = stockClient();
        list(client);
        await().until(() -> nameNode.parked() >= 1);
        for (int i = 1; i <= 20; i++) {
            stock.setPermission("/d/a", FsPermission.getFileDefault());
            assertThat(modified(client, "/d/a")).isEqualTo(i);
            list(client);
        }
        assertThat(modified(client, "/d/b")).isZero();
        assertThat(nameNode.statuses()).as("of /d/a, each time").isEqualTo(20);
    }

    @Test
    void statusChangedByThisClient_isSeenAtOnce() throws IOException {
        start(LONG);
        DFSClient client = client(EVERYTHING);
        list(client);
        client.setPermission("/d/a", FsPermission.getFileDefault());
        assertThat(modified(client, "/d/a")).isEqualTo(1);
        assertThat(modified(client, "/d/b")).isZero();
        assertThat(nameNode.statuses()).isEqualTo(1);
    }

    /** A client that opens each file after its status, as many files as make it ask for layouts with statuses. */
    private DFSClient clientWhoseOpensFollowStatuses() throws IOException {
        nameNode = LeasingNameNode.start(LONG);
        DFSClient client = client();
        for (int i = 0; i < 8; i++) {
            openAfterStatus(client, "/before" + i);
        }
        return client;
    }

    private static void openAfterStatus(DFSClient client, String path) throws IOException {
        modified(client, path);
        client.open(path).close();
    }

    @Test
    void statusOfAFileThatIsOpenedNext_bringsItsLayout() throws IOException {
        DFSClient client = clientWhoseOpensFollowStatuses();
        int opens = nameNode.opens();
        int statuses = nameNode.statuses();
        for (int i = 0; i < 10; i++) {
            openAfterStatus(client, "/f" + i);
            openAfterStatus(client, "/f" + i);
        }
        assertThat(nameNode.opens()).isEqualTo(opens);
        assertThat(nameNode.statuses()).as("a file's status comes once").isEqualTo(statuses + 10);
    }

    @Test
    void statusWhereOpensDoNotFollow_asksForNoLayout() throws IOException {
        nameNode = LeasingNameNode.start(LONG);
        DFSClient client = client();
        for (int i = 0; i < 50; i++) {
            modified(client, "/f" + i);
            assertThat(nameNode.noteOfLast("getFileInfo")).isNull();
        }
    }

    @Test
    void firstOpenOfAStatedFile_isReportedAsLearned_andLaterOnesAreNot() throws IOException {
        DFSClient client = clientWhoseOpensFollowStatuses();
        modified(client, "/f");
        client.open("/f").close();
        client.open("/f").close();
        client.open("/f").close();
        modified(client, "/next");
        ClientNoteProto note = nameNode.noteOfLast("getFileInfo");
        assertThat(note.getStatedHitsList()).hasSize(1);
        assertThat(note.getHitsList()).hasSize(2);
        modified(client, "/afterwards");
        assertThat(nameNode.noteOfLast("getFileInfo").getStatedHitsList())
                .as("each is reported once")
                .isEmpty();
    }

    @Test
    void layoutThatCameWithAStatus_isRecalled() throws IOException {
        DFSClient client = clientWhoseOpensFollowStatuses();
        DFSClient stock = stockClient();
        await().until(() -> nameNode.parked() >= 1);
        for (int i = 1; i <= 20; i++) {
            modified(client, "/f");
            stock.setPermission("/f", FsPermission.getFileDefault());
            assertThat(modified(client, "/f")).isEqualTo(i);
            assertThat(client.getLocatedBlocks("/f", 0).get(0).getBlock().getBlockId())
                    .isEqualTo(i);
        }
    }

    @Test
    void statusWithoutALease_bringsNoLayout() throws IOException {
        DFSClient client = clientWhoseOpensFollowStatuses();
        nameNode.grantNoMore();
        int opens = nameNode.opens();
        openAfterStatus(client, "/f");
        assertThat(nameNode.opens()).isEqualTo(opens + 1);
    }
}

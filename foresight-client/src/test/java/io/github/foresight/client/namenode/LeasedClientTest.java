/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.ForesightProxyProvider;
import io.github.foresight.protocol.note.Notes;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients with leases against the NameNode's own side of them. */
final class LeasedClientTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Duration SHORT = Duration.ofMillis(1_200);

    private final List<DFSClient> clients = new ArrayList<>();
    private LeasingNameNode nameNode;

    private void start(Duration lease) throws IOException {
        nameNode = LeasingNameNode.start(lease);
    }

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

    /** Opens a file; its identity changes with its content. */
    private static long open(DFSClient client, String path) throws IOException {
        try (DFSInputStream in = client.open(path)) {
            return in.getCurrentBlock() == null
                    ? in.getAllBlocks().get(0).getBlock().getBlockId()
                    : in.getCurrentBlock().getBlockId();
        }
    }

    private static void touch(DFSClient client, String path) throws IOException {
        client.open(path).close();
    }

    private void awaitParked(int calls) {
        await().until(() -> nameNode.parked() >= calls);
    }

    private static List<Thread> threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name))
                .collect(Collectors.toList());
    }

    @Test
    void openedAndPredictedFiles_underALease_areServedFromMemory() throws IOException {
        start(LONG);
        DFSClient client = client();
        nameNode.predict("/next");
        touch(client, "/f");
        touch(client, "/f");
        touch(client, "/next");

        assertThat(nameNode.opens()).isEqualTo(1);
    }

    @Test
    void lease_runOut_makesTheClientAsk() throws IOException {
        start(SHORT);
        nameNode.failToPark(Integer.MAX_VALUE);
        DFSClient client = client();
        touch(client, "/f");
        await().untilAsserted(() -> {
            touch(client, "/f");
            assertThat(nameNode.opens()).isGreaterThan(1);
        });
    }

    @Test
    void parkedCall_keepsTheLeaseWhileLayoutsAreUsed() throws IOException {
        start(SHORT);
        DFSClient client = client();
        touch(client, "/f");
        await().until(() -> {
            touch(client, "/f");
            return nameNode.parked() > 8;
        });

        assertThat(nameNode.opens()).isEqualTo(1);
    }

    @Test
    void parkedCall_ofAnIdleClient_ends() throws IOException {
        start(SHORT);
        touch(client(), "/f");
        awaitParked(1);
        await().until(() -> threads("foresight-recalls").isEmpty());
    }

    @Test
    void parkedCall_afterFailures_isMadeAgain() throws IOException {
        start(LONG);
        nameNode.failToPark(2);
        touch(client(), "/f");
        awaitParked(1);
    }

    @Test
    void parkedCall_refused_isNotRepeatedAtOnce() throws IOException {
        start(LONG);
        nameNode.refuseToPark();
        DFSClient client = client();
        touch(client, "/f");
        awaitParked(1);
        for (int i = 0; i < 200; i++) {
            touch(client, "/" + i);
        }
        assertThat(nameNode.parked()).isEqualTo(1);
    }

    @Test
    void changeByAnother_recallsFirst_andIsSeenByTheNextOpen() throws IOException {
        start(LONG);
        DFSClient reader = client();
        DFSClient stock = stockClient();
        touch(reader, "/d/f");
        awaitParked(1);
        stock.delete("/d", true);
        touch(reader, "/d/f");

        assertThat(nameNode.opens()).isEqualTo(2);
        assertThat(nameNode.changes())
                .as("a stock client says nothing of leases")
                .noneMatch(Notes::isIn);
    }

    @Test
    void replyOvertakenByARecall_isNotKept() throws Exception {
        start(LONG);
        DFSClient reader = client();
        DFSClient stock = stockClient();
        touch(reader, "/first");
        awaitParked(1);
        CountDownLatch held = nameNode.holdReplies();
        CompletableFuture<Void> late = CompletableFuture.runAsync(() -> touchUnchecked(reader, "/f"));
        await().until(() -> nameNode.opens() == 2);
        stock.delete("/f", true);
        nameNode.replyAtOnce();
        held.countDown();
        late.get();
        touch(reader, "/f");

        assertThat(nameNode.opens()).isEqualTo(3);
    }

    private static void touchUnchecked(DFSClient client, String path) {
        try {
            touch(client, path);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void changeByAnotherFileSystemOfTheJvm_isSeenAtOnce_andRecallsNothing() throws IOException {
        start(LONG);
        DFSClient reader = client();
        DFSClient writer = client();
        long before = open(reader, "/f");
        touch(reader, "/beside");
        writer.delete("/f", true);
        int opens = nameNode.opens();

        assertThat(open(reader, "/f")).isNotEqualTo(before);
        touch(reader, "/beside");
        assertThat(Notes.clientNote(nameNode.changes().get(0)).getLease().getSession())
                .as("one session for the JVM")
                .isEqualTo(nameNode.noteOfLastOpen().getLease().getSession());
        assertThat(nameNode.sessions()).isEqualTo(1);
        assertThat(nameNode.opens()).isGreaterThan(opens);
    }

    @Test
    void fileReplacedOverAndOver_isNeverOpenedAsItWas() throws IOException {
        start(LONG);
        DFSClient reader = client();
        DFSClient writer = client();
        DFSClient stock = stockClient();
        touch(reader, "/f");
        awaitParked(1);
        for (int i = 1; i <= 50; i++) {
            (i % 2 == 0 ? writer : stock).delete("/f", true);
            touch(reader, "/f");
            int opens = nameNode.opens();
            assertThat(reader.open("/f").getAllBlocks().get(0).getBlock().getBlockId())
                    .isEqualTo(i);
            assertThat(opens).isEqualTo(nameNode.opens() - 1);
        }
    }

    @Test
    void replyWithoutALease_keepsNothing_butForImmutablePaths() throws IOException {
        start(LONG);
        nameNode.grantNoMore();
        DFSClient client = client("foresight.client.immutable.paths", "/fixed");
        for (String path : List.of("/f", "/f", "/fixed/f", "/fixed/f", "/fixed-not/f", "/fixed-not/f")) {
            touch(client, path);
        }
        assertThat(nameNode.opens()).isEqualTo(5);
        assertThat(threads("foresight-recalls")).isEmpty();
    }

    @Test
    void nameNodeThatGrantsNoMore_isNotParkedAt() throws IOException {
        start(SHORT);
        touch(client(), "/f");
        awaitParked(1);
        nameNode.grantNoMore();
        await().until(() -> threads("foresight-recalls").isEmpty());
    }

    @Test
    void bounded_asksForNoLease_andKeepsNothingWhereLeasesAreRequired() throws IOException {
        start(LONG);
        DFSClient client = client("foresight.client.consistency", "bounded");
        touch(client, "/f");
        touch(client, "/f");
        assertThat(nameNode.opens()).isEqualTo(1);
        assertThat(nameNode.noteOfLastOpen().hasLease()).isFalse();
        assertThat(nameNode.noteOfLastOpen().hasCacheId()).isTrue();

        nameNode.requireLeases();
        touch(client, "/g");
        touch(client, "/g");
        assertThat(nameNode.opens()).isEqualTo(3);
    }

    @Test
    void off_saysAndKeepsNothing() throws IOException {
        start(LONG);
        DFSClient client = client("foresight.client.consistency", "off");
        touch(client, "/f");
        touch(client, "/f");
        client.delete("/f", true);

        assertThat(nameNode.opens()).isEqualTo(2);
        assertThat(nameNode.noteOfLastOpen()).isNull();
        assertThat(nameNode.changes()).noneMatch(Notes::isIn);
    }

    @Test
    void pathNotInPlainForm_isAskedForEachTime() throws IOException {
        start(LONG);
        DFSClient client = client();
        touch(client, "/d//f");
        touch(client, "/d//f");

        assertThat(nameNode.opens()).isEqualTo(2);
    }

    @Test
    void lastClose_givesTheLeaseBack_andOthersDoNot() throws IOException {
        start(LONG);
        DFSClient first = client();
        DFSClient second = client();
        touch(first, "/f");
        touch(second, "/g");
        awaitParked(1);
        first.close();
        touch(second, "/g");
        assertThat(nameNode.opens()).isEqualTo(2);
        assertThat(nameNode.released()).isZero();

        second.close();
        await().until(() -> nameNode.released() == 1);
        await().until(() -> threads("foresight-recalls").isEmpty()
                && threads("foresight-release").isEmpty());
        assertThat(nameNode.sessions()).isZero();
    }

    @Test
    void cacheOfAClosedConnection_isServedFromNoMore() throws IOException {
        start(LONG);
        DFSClient first = client();
        touch(first, "/f");
        first.close();
        DFSClient second = client();
        touch(second, "/f");

        assertThat(nameNode.opens()).isEqualTo(2);
    }
}

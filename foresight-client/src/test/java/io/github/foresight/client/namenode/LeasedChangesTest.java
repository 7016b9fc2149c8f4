/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.ForesightProxyProvider;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.LeaseMarkProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.retry.AsyncCallHandler;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.util.concurrent.AsyncGet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client with leases, and its own layouts, when the client changes the files itself. */
final class LeasedChangesTest {

    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final FsPermission PERMISSION = FsPermission.getFileDefault();

    private LeasingNameNode nameNode;
    private DFSClient client;

    @BeforeEach
    void start() throws IOException {
        nameNode = LeasingNameNode.start(LEASE);
        Configuration conf = new Configuration();
        conf.setLong("dfs.blocksize", 512);
        conf.set("dfs.client.failover.proxy.provider.localhost", ForesightProxyProvider.class.getName());
        conf.set("foresight.client.lease", "5m");
        conf.set("foresight.client.metadata.age", "10m");
        client = new DFSClient(URI.create("hdfs://localhost:" + nameNode.port()), conf);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        nameNode.close();
    }

    @FunctionalInterface
    private interface Call {
        void on(ClientProtocol nameNode) throws IOException;
    }

    /** A change, and the files whose layouts it makes old. */
    private record Change(String name, Call call, List<String> files) {

        Change(String name, Call call, String... files) {
            this(name, call, List.of(files));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Change> changes() {
        return Stream.of(
                new Change(
                        "create",
                        nn -> nn.create(
                                "/f",
                                PERMISSION,
                                "client",
                                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE)),
                                false,
                                (short) 1,
                                512,
                                CryptoProtocolVersion.supported(),
                                null,
                                null),
                        "/f"),
                new Change("delete", nn -> nn.delete("/f", false), "/f"),
                new Change("delete of a directory", nn -> nn.delete("/d", true), "/d/f", "/d/e/g"),
                new Change("rename", nn -> nn.rename("/f", "/g"), "/f", "/g"),
                new Change("rename of a directory", nn -> nn.rename("/d", "/e"), "/d/f", "/e/f"),
                new Change("rename2", nn -> nn.rename2("/f", "/g", Options.Rename.OVERWRITE), "/f", "/g"),
                new Change("setPermission", nn -> nn.setPermission("/f", PERMISSION), "/f"),
                new Change("setPermission of a directory", nn -> nn.setPermission("/d", PERMISSION), "/d/f"),
                new Change(
                        "append",
                        nn -> nn.append("/f", "client", new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND))),
                        "/f"),
                new Change("truncate", nn -> nn.truncate("/f", 1, "client"), "/f"),
                new Change("concat", nn -> nn.concat("/f", new String[] {"/g", "/h"}), "/f", "/g", "/h"));
    }

    private void open(String path) {
        try {
            client.open(path).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int opensOf(String path) {
        int before = nameNode.opens();
        open(path);
        return nameNode.opens() - before;
    }

    private CompletableFuture<Void> inBackground(Change change) {
        return CompletableFuture.runAsync(() -> {
            try {
                change.call().on(client.getNamenode());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private LeaseMarkProto markOfChange(int index) {
        return Objects.requireNonNull(Notes.clientNote(nameNode.changes().get(index)))
                .getLease();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void ownChange_forgetsBeforeItIsSent_andLearnsNothingOldMeanwhile(Change change) throws Exception {
        open("/beside");
        for (String file : change.files()) {
            open(file);
            assertThat(opensOf(file)).as("%s is served from memory", file).isZero();
        }
        CountDownLatch held = nameNode.holdChanges();
        CompletableFuture<Void> changed = inBackground(change);
        await().until(() -> nameNode.changes().size() == 1);
        for (String file : change.files()) {
            assertThat(opensOf(file))
                    .as("%s, before the change is carried out", file)
                    .isEqualTo(1);
        }
        held.countDown();
        changed.get();

        for (String file : change.files()) {
            assertThat(opensOf(file)).as("%s, afterwards", file).isEqualTo(1);
            assertThat(opensOf(file)).as("%s, opened anew", file).isZero();
        }
        assertThat(opensOf("/beside")).isZero();
        assertThat(markOfChange(0).getSession())
                .isEqualTo(nameNode.noteOfLastOpen().getLease().getSession());
    }

    @ParameterizedTest
    @MethodSource("changes")
    void replyToAnOpenThatLeftBeforeTheChange_isNotKeptAfterIt(Change change) throws Exception {
        open("/beside");
        CountDownLatch held = nameNode.holdReplies();
        int before = nameNode.opens();
        List<CompletableFuture<Void>> opens = change.files().stream()
                .map(file -> CompletableFuture.runAsync(() -> open(file)))
                .toList();
        await().until(() -> nameNode.opens() == before + opens.size());
        change.call().on(client.getNamenode());
        nameNode.replyAtOnce();
        held.countDown();
        for (CompletableFuture<Void> late : opens) {
            late.get();
        }

        for (String file : change.files()) {
            assertThat(opensOf(file)).as(file).isEqualTo(1);
        }
    }

    @Test
    void changeInAsynchronousMode_forgetsBeforeItIsSent_andCarriesTheMark() throws Exception {
        open("/f");
        assertThat(opensOf("/f")).isZero();
        CountDownLatch held = nameNode.holdChanges();
        AsyncGet<Void, Exception> answer = setPermissionAsynchronously("/f");
        await().until(() -> nameNode.changes().size() == 1);
        assertThat(answer.isDone()).isFalse();
        assertThat(opensOf("/f")).as("before the change is carried out").isEqualTo(1);
        held.countDown();
        answer.get(1, TimeUnit.MINUTES);

        assertThat(opensOf("/f")).as("afterwards").isEqualTo(1);
        assertThat(opensOf("/f")).as("opened anew").isZero();
        assertThat(markOfChange(0).getSession())
                .isEqualTo(nameNode.noteOfLastOpen().getLease().getSession());
    }

    @Test
    void replyThatLeftBeforeAChangeInAsynchronousMode_isNotKept() throws Exception {
        open("/beside");
        CountDownLatch held = nameNode.holdReplies();
        CompletableFuture<Void> late = CompletableFuture.runAsync(() -> open("/f"));
        await().until(() -> nameNode.opens() == 2);
        setPermissionAsynchronously("/f").get(1, TimeUnit.MINUTES);
        nameNode.replyAtOnce();
        held.countDown();
        late.get();

        assertThat(opensOf("/f")).isEqualTo(1);
        assertThat(opensOf("/beside")).isZero();
    }

    private AsyncGet<Void, Exception> setPermissionAsynchronously(String path) throws IOException {
        Client.setAsynchronousMode(true);
        try {
            client.getNamenode().setPermission(path, PERMISSION);
            return AsyncCallHandler.getAsyncReturn();
        } finally {
            Client.setAsynchronousMode(false);
        }
    }
}

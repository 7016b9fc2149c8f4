/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.client.ForesightProxyProvider;
import io.github.foresight.protocol.note.Notes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several clients of one NameNode in one JVM: file systems of two users, contexts, and other names of the NameNode. */
final class SharedLeaseTest {

    private static final Path FILE = new Path("/d/f");
    private static final Path DIRECTORY = new Path("/d");

    private final List<AutoCloseable> opened = new ArrayList<>();
    private LeasingNameNode nameNode;

    @BeforeEach
    void start() throws IOException {
        nameNode = LeasingNameNode.startAtAllAddresses(Duration.ofMinutes(2));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        nameNode.close();
    }

    private static Configuration conf(String... settings) {
        Configuration conf = new Configuration();
        conf.setLong("dfs.blocksize", 512);
        for (String name : List.of("localhost", "127.0.0.1", "127.0.0.2", "cluster")) {
            conf.set("dfs.client.failover.proxy.provider." + name, ForesightProxyProvider.class.getName());
        }
        conf.set("foresight.client.lease", "5m");
        conf.set("foresight.client.metadata.age", "10m");
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        return conf;
    }

    private URI uri(String host) {
        return URI.create("hdfs://" + host + ":" + nameNode.port());
    }

    private FileSystem fileSystem(String user, URI uri, Configuration conf) throws Exception {
        FileSystem made = UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(uri, conf));
        opened.add(made);
        return made;
    }

    private FileSystem fileSystem(String user) throws Exception {
        return fileSystem(user, uri("localhost"), conf());
    }

    /** A context's connection is never closed by HDFS. */
    private FileContext context(String user) throws Exception {
        FileContext made = UserGroupInformation.createRemoteUser(user).doAs((PrivilegedExceptionAction<FileContext>)
                () -> FileContext.getFileContext(uri("localhost"), conf()));
        var field = made.getDefaultFileSystem().getClass().getDeclaredField("dfs");
        field.setAccessible(true);
        opened.add((DFSClient) field.get(made.getDefaultFileSystem()));
        return made;
    }

    /** The content that a stream was opened with. */
    private static long content(FSDataInputStream in) throws IOException {
        try (HdfsDataInputStream stream = (HdfsDataInputStream) in) {
            return stream.getAllBlocks().get(0).getBlock().getBlockId();
        }
    }

    private static void touch(FileSystem fileSystem) throws IOException {
        fileSystem.open(FILE).close();
    }

    private int opensDuring(AutoCloseable action) throws Exception {
        int before = nameNode.opens();
        action.close();
        return nameNode.opens() - before;
    }

    private boolean isOfTheSameSession(int change) {
        return Objects.requireNonNull(Notes.clientNote(nameNode.changes().get(change)))
                        .getLease()
                        .getSession()
                == nameNode.noteOfLastOpen().getLease().getSession();
    }

    @Test
    void fileSystemsOfTwoUsers_shareTheLease_andNoLayouts() throws Exception {
        FileSystem alices = fileSystem("alice");
        FileSystem bobs = fileSystem("bob");
        touch(alices);
        assertThat(opensDuring(() -> touch(alices))).isZero();
        assertThat(opensDuring(() -> touch(bobs)))
                .as("what alice may read bob asks for himself")
                .isEqualTo(1);
        assertThat(nameNode.sessions()).isEqualTo(1);
    }

    @Test
    void changeByAnotherUser_isForgottenBeforeItIsSent_andRecallsNothing() throws Exception {
        FileSystem alices = fileSystem("alice");
        FileSystem bobs = fileSystem("bob");
        touch(alices);
        await().until(() -> nameNode.parked() == 1);
        CountDownLatch held = nameNode.holdChanges();
        CompletableFuture<Boolean> deleted = CompletableFuture.supplyAsync(() -> delete(bobs));
        await().until(() -> nameNode.changes().size() == 1);
        assertThat(opensDuring(() -> touch(alices)))
                .as("before it is carried out")
                .isEqualTo(1);
        held.countDown();
        deleted.get();
        assertThat(content(alices.open(FILE))).isEqualTo(1);
        assertThat(isOfTheSameSession(0)).isTrue();
    }

    private static boolean delete(FileSystem fileSystem) {
        try {
            return fileSystem.delete(FILE, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void contextAndFileSystem_seeEachOthersChanges() throws Exception {
        FileSystem alices = fileSystem("alice");
        FileContext bobs = context("bob");
        for (int i = 0; i < 20; i += 2) {
            assertThat(content(alices.open(FILE))).isEqualTo(i);
            bobs.delete(FILE, false);
            assertThat(content(alices.open(FILE))).isEqualTo(i + 1);
            assertThat(content(bobs.open(FILE))).isEqualTo(i + 1);
            alices.rename(FILE, new Path("/elsewhere"));
            assertThat(content(bobs.open(FILE))).isEqualTo(i + 2);
        }
        assertThat(nameNode.sessions()).isEqualTo(1);
        assertThat(nameNode.opens()).isLessThan(50);
    }

    @Test
    void nameNodeByAnotherName_atTheSameAddress_isTheSame() throws Exception {
        Configuration named = conf(
                "dfs.nameservices", "cluster",
                "dfs.ha.namenodes.cluster", "nn1",
                "dfs.namenode.rpc-address.cluster.nn1", "127.0.0.1:" + nameNode.port());
        FileSystem byName = fileSystem("alice");
        FileSystem byNumber = fileSystem("alice", uri("127.0.0.1"), conf());
        FileSystem byNameservice = fileSystem("alice", URI.create("hdfs://cluster"), named);
        List<FileSystem> all = List.of(byName, byNumber, byNameservice);
        long contents = 0;
        for (FileSystem writer : all) {
            for (FileSystem reader : all) {
                touch(reader);
            }
            writer.delete(DIRECTORY, true);
            writer.delete(FILE, true);
            contents++;
            for (FileSystem reader : all) {
                assertThat(content(reader.open(FILE))).isEqualTo(contents);
            }
        }
        assertThat(nameNode.sessions()).isEqualTo(1);
    }

    /** For this JVM that is another NameNode; the NameNode knows better. */
    @Test
    void nameNodeAtAnotherAddress_isRecalledFromAsFromAnotherClient() throws Exception {
        FileSystem here = fileSystem("alice");
        FileSystem there = fileSystem("alice", uri("127.0.0.2"), conf());
        touch(here);
        touch(there);
        await().until(() -> nameNode.parked() == 2);
        assertThat(nameNode.sessions()).isEqualTo(2);
        CountDownLatch held = nameNode.holdChanges();
        CompletableFuture<Boolean> deleted = CompletableFuture.supplyAsync(() -> delete(there));
        await().until(() -> nameNode.changes().size() == 1);
        assertThat(opensDuring(() -> touch(here)))
                .as("served from memory until the change is carried out")
                .isZero();
        held.countDown();
        deleted.get();
        assertThat(content(here.open(FILE))).isEqualTo(1);
        assertThat(content(there.open(FILE))).isEqualTo(1);
        for (int i = 2; i < 20; i++) {
            FileSystem writer = i % 2 == 0 ? here : there;
            FileSystem reader = i % 2 == 0 ? there : here;
            writer.delete(FILE, false);
            assertThat(content(reader.open(FILE))).isEqualTo(i);
        }
    }

    @Test
    void boundedFileSystem_forgetsAtItsOwnChanges_andNotAtThoseOfOthers() throws Exception {
        Configuration bounded = conf("foresight.client.consistency", "bounded");
        FileSystem reader = fileSystem("alice", uri("localhost"), bounded);
        FileSystem writer = fileSystem("alice", uri("localhost"), bounded);
        touch(reader);
        writer.delete(FILE, false);
        assertThat(opensDuring(() -> touch(reader)))
                .as("the old version, for the metadata's age at most")
                .isZero();
        reader.delete(FILE, false);
        assertThat(content(reader.open(FILE))).isEqualTo(2);
    }
}

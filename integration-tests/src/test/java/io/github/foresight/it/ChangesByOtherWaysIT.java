/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static io.github.foresight.it.TestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.cluster.FreePorts;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The NameNode sends each change to the clients with a cached layout of the file. The NameNode also sends changes that no client's RPC makes at the
 * NameNode that granted the layout.
 */
final class ChangesByOtherWaysIT {

    private static final Path OTHER = new Path("/other");

    private static HaCluster cluster;
    private static FileSystem active;
    private static int servicePort;

    @BeforeAll
    static void start() throws Exception {
        servicePort = FreePorts.pick();
        Map<String, String> conf = new HashMap<>();
        conf.put("dfs.namenode.servicerpc-address." + HaCluster.NAMESERVICE + ".nn1", "127.0.0.1:" + servicePort);
        conf.put("dfs.namenode.servicerpc-address." + HaCluster.NAMESERVICE + ".nn2", "127.0.0.1:" + FreePorts.pick());
        conf.put("dfs.ha.log-roll.period", "1s");
        cluster = HaCluster.start(conf);
        active = cluster.client();
        write(OTHER);
        cluster.transition("-transitionToObserver", "nn2");
    }

    @AfterAll
    static void stop() throws Exception {
        active.close();
        cluster.close();
    }

    private static void write(Path path) throws IOException {
        try (OutputStream out = active.create(path)) {
            out.write(1);
        }
    }

    private static NameNodeTalk talkTo(String nameNode) throws Exception {
        return NameNodeTalk.as(
                UserGroupInformation.getCurrentUser(), cluster.configuration(), cluster.rpcPort(nameNode));
    }

    @FunctionalInterface
    private interface Change {
        void make() throws Exception;
    }

    /** Opens a file as a client, has the file changed, and opens another file. Returns the NameNode's note from the second open. */
    private static NameNodeNoteProto told(Path path, Change change) throws Exception {
        write(path);
        try (NameNodeTalk client = talkTo("nn1")) {
            NameNodeNoteProto granted = client.open(path.toString());
            assertThat(granted.getInvalidatedList()).doesNotContain(path.toString());
            change.make();
            NameNodeNoteProto told = client.open(OTHER.toString());
            assertThat(told.getGrantRecord()).isEqualTo(granted.getGrantRecord());
            return told;
        }
    }

    @Test
    void deleteByTheServicePort_isToldWithTheNextReply() throws Exception {
        Path path = new Path("/service");
        NameNodeNoteProto told = told(path, () -> {
            try (FileSystem service =
                    FileSystem.newInstance(URI.create("hdfs://127.0.0.1:" + servicePort), cluster.configuration())) {
                assertThat(service.delete(path, false)).isTrue();
            }
        });
        assertThat(told.getInvalidatedList()).containsExactly(path.toString());
    }

    @Test
    void deleteOnTheActive_isToldByTheObserverThatGrantedTheFile() throws Exception {
        Path path = new Path("/observed");
        write(path);
        try (NameNodeTalk client = talkTo("nn2")) {
            // An observer answers without a note until its features know its state.
            AtomicLong record = new AtomicLong();
            eventually(() -> {
                NameNodeNoteProto granted = client.open(path.toString());
                assertThat(granted).isNotNull();
                assertThat(granted.getInvalidatedList()).doesNotContain(path.toString());
                record.set(granted.getGrantRecord());
            });
            active.delete(path, false);
            eventually(() -> {
                NameNodeNoteProto told = client.open(OTHER.toString());
                assertThat(told).isNotNull();
                assertThat(told.getGrantRecord())
                        .as("the observer names the file and does not tell to forget everything")
                        .isEqualTo(record.get());
                assertThat(told.getInvalidatedList()).contains(path.toString());
            });
        }
    }
}

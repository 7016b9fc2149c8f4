/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.client.hint.HintSender;
import io.github.foresight.client.metadata.CachedFileTest;
import io.github.foresight.client.metadata.MetadataCache;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.Test;

/** A request whose reply does not arrive may have taken the news of changes with it. */
final class LostReplyTest {

    private static final byte[] FROM_START = {};

    private final Configuration conf = bounded();
    private final MetadataCache cache = new MetadataCache(ClientSettings.read(conf), () -> 0, () -> true);
    private IOException failure = new IOException("the connection is gone");

    private static Configuration bounded() {
        Configuration conf = new Configuration(false);
        conf.set("foresight.client.consistency", "bounded");
        conf.set("foresight.client.metadata.bundle.enabled", "true");
        return conf;
    }

    private ForesightTranslator translator() throws IOException {
        ClientNamenodeProtocolPB failing = (ClientNamenodeProtocolPB) Proxy.newProxyInstance(
                LostReplyTest.class.getClassLoader(),
                new Class<?>[] {ClientNamenodeProtocolPB.class},
                (proxy, method, arguments) -> {
                    throw new ServiceException(failure);
                });
        ClientSettings settings = ClientSettings.read(conf);
        return ForesightTranslator.over(
                failing,
                new InetSocketAddress("localhost", 1),
                settings,
                new HintSender(settings, conf, UserGroupInformation.getCurrentUser()),
                cache);
    }

    private void keep(String path) {
        LocatedBlocksProto layout = LocatedBlocksProto.newBuilder()
                .setFileLength(1)
                .setUnderConstruction(false)
                .setIsLastBlockComplete(true)
                .addBlocks(CachedFileTest.block(7, 0))
                .build();
        GetBlockLocationsResponseProto reply = GetBlockLocationsResponseProto.newBuilder()
                .setUnknownFields(
                        Notes.fieldsWith(NameNodeNoteProto.newBuilder().setGrantRecord(5)))
                .build();
        cache.answered(path, layout, Notes.nameNodeNote(reply), cache.position());
    }

    @Test
    void listing_withoutAnAnswer_makesAllForgotten() {
        keep("/a");
        assertThatThrownBy(() -> translator().getListing("/", FROM_START, false))
                .isSameAs(failure);
        assertThat(cache.has("/a")).isFalse();
    }

    @Test
    void listing_thatTheNameNodeRefuses_leavesAllKept() {
        keep("/a");
        failure = new RemoteException("java.io.FileNotFoundException", "/b");
        assertThatThrownBy(() -> translator().getListing("/b", FROM_START, false))
                .isSameAs(failure);
        assertThat(cache.has("/a")).isTrue();
    }
}

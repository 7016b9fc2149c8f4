/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;

/** Sends single messages to the NameNode as one user, including messages that no well-behaved client sends. */
final class NameNodeTalk implements AutoCloseable {

    private static final long CACHE_ID = 4711;

    private final ClientNamenodeProtocolPB nameNode;

    /** Connects as a user, by Hadoop's simple authentication. */
    static NameNodeTalk as(UserGroupInformation user, TestCluster cluster) throws Exception {
        URI uri = URI.create(cluster.processes().uri());
        return as(user, cluster.clientConf(), uri.getPort());
    }

    /** Connects as a user to the NameNode at a port of this host. */
    static NameNodeTalk as(UserGroupInformation user, Configuration conf, int port) throws Exception {
        RPC.setProtocolEngine(conf, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        return user.doAs((PrivilegedExceptionAction<NameNodeTalk>) () -> new NameNodeTalk(RPC.getProxy(
                ClientNamenodeProtocolPB.class,
                RPC.getProtocolVersion(ClientNamenodeProtocolPB.class),
                NetUtils.createSocketAddr("127.0.0.1:" + port),
                user,
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                60_000)));
    }

    private NameNodeTalk(ClientNamenodeProtocolPB nameNode) {
        this.nameNode = nameNode;
    }

    static ClientNoteProto.Builder greeting() {
        return ClientNoteProto.newBuilder()
                .setCacheId(CACHE_ID)
                .setFilesWanted(64)
                .setMaxAgeMillis(10_000);
    }

    /** Opens a file as a client with Foresight does, and returns the NameNode's note from the reply. */
    NameNodeNoteProto open(String path) throws Exception {
        return open(path, greeting());
    }

    NameNodeNoteProto open(String path, ClientNoteProto.Builder note) throws Exception {
        return Notes.nameNodeNote(open(path, Notes.fieldsWith(note)));
    }

    /** Opens a file with additional fields in the request. */
    GetBlockLocationsResponseProto open(String path, UnknownFieldSet besides) throws Exception {
        try {
            return nameNode.getBlockLocations(
                    null,
                    GetBlockLocationsRequestProto.newBuilder()
                            .setSrc(path)
                            .setOffset(0)
                            .setLength(1L << 30)
                            .setUnknownFields(besides)
                            .build());
        } catch (ServiceException e) {
            throw new IOException(path + " could not be opened", e);
        }
    }

    NameNodeNoteProto list(String path) throws Exception {
        return list(path, greeting());
    }

    NameNodeNoteProto list(String path, ClientNoteProto.Builder note) throws Exception {
        return Notes.nameNodeNote(nameNode.getListing(
                null,
                GetListingRequestProto.newBuilder()
                        .setSrc(path)
                        .setStartAfter(ByteString.EMPTY)
                        .setNeedLocation(false)
                        .setUnknownFields(Notes.fieldsWith(note))
                        .build()));
    }

    static List<String> paths(NameNodeNoteProto note) {
        return note.getFilesList().stream().map(PredictedFileProto::getPath).collect(Collectors.toList());
    }

    @Override
    public void close() {
        RPC.stopProxy(nameNode);
    }
}

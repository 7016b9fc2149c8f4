/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import io.github.foresight.core.lease.ClientLease;
import io.github.foresight.core.lease.ClientLease.Received;
import io.github.foresight.core.lease.ClientLease.Sent;
import io.github.foresight.core.lease.LeaseReply;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseMarkProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetServerDefaultsRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.jspecify.annotations.Nullable;

/** A client with a lease that a test controls step by step. Not thread-safe, except for the parked call. */
final class LeasedClient implements AutoCloseable {

    private static final int PARK_MILLIS = 60_000;

    private final ClientNamenodeProtocolPB nameNode;
    private final long session = new Random().nextLong() | 1;
    private final ClientLease lease = new ClientLease(TimeUnit.MINUTES.toNanos(5));

    /** The held layouts, by path, with the time of the request for each. */
    private final Map<String, Long> held = new HashMap<>();

    LeasedClient(InProcessCluster cluster) throws Exception {
        this(cluster, UserGroupInformation.getCurrentUser());
    }

    LeasedClient(InProcessCluster cluster, UserGroupInformation user) throws Exception {
        Configuration conf = new Configuration();
        RPC.setProtocolEngine(conf, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        nameNode = RPC.getProxy(
                ClientNamenodeProtocolPB.class,
                RPC.getProtocolVersion(ClientNamenodeProtocolPB.class),
                cluster.nameNode().getNameNodeAddress(),
                user,
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                60_000);
    }

    private static UnknownFieldSet fields(LeaseMarkProto.Builder mark) {
        return Notes.fieldsWith(
                ClientNoteProto.newBuilder().setCacheId(1).setFilesWanted(16).setLease(mark));
    }

    private LeaseMarkProto.Builder mark(Sent sent) {
        return LeaseMarkProto.newBuilder()
                .setSession(session)
                .setEpoch(sent.processed().epoch())
                .setIncarnation(sent.processed().incarnation())
                .setRecall(sent.processed().recall())
                .setRequest(sent.number());
    }

    /** Opens a file at the NameNode; whether the layout is held from then on. */
    boolean open(String path) throws ServiceException {
        Sent sent = lease.send(System.nanoTime());
        LeaseReplyProto reply = replyIn(nameNode.getBlockLocations(
                null,
                GetBlockLocationsRequestProto.newBuilder()
                        .setSrc(path)
                        .setOffset(0)
                        .setLength(1L << 30)
                        .setUnknownFields(fields(mark(sent)))
                        .build()));
        if (reply == null) {
            return false;
        }
        Received received = receive(sent, reply);
        if (reply.getLayoutGranted() && received.mayKeep(path)) {
            held.put(path, sent.sentAtNanos());
            return true;
        }
        return false;
    }

    /** A call that waits for a recall; it is received by {@link #unpark}. */
    CompletableFuture<Message> park(Sent sent) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return nameNode.getServerDefaults(
                        null,
                        GetServerDefaultsRequestProto.newBuilder()
                                .setUnknownFields(fields(mark(sent).setParkMillis(PARK_MILLIS)))
                                .build());
            } catch (ServiceException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    Sent send() {
        return lease.send(System.nanoTime());
    }

    void unpark(Sent sent, Message reply) {
        LeaseReplyProto ofLease = replyIn(reply);
        if (ofLease != null) {
            receive(sent, ofLease);
        }
    }

    /** Acknowledges the received recalls. */
    void acknowledge() throws ServiceException {
        Sent sent = send();
        unpark(
                sent,
                nameNode.getServerDefaults(
                        null,
                        GetServerDefaultsRequestProto.newBuilder()
                                .setUnknownFields(fields(mark(sent)))
                                .build()));
    }

    void delete(String path) throws ServiceException {
        Sent sent = lease.changing(java.util.List.of(path), System.nanoTime());
        held.remove(path);
        nameNode.delete(
                null,
                DeleteRequestProto.newBuilder()
                        .setSrc(path)
                        .setRecursive(true)
                        .setUnknownFields(fields(mark(sent)))
                        .build());
    }

    boolean holds(String path) {
        return held.containsKey(path) && lease.isLive(System.nanoTime());
    }

    /** Whether a held layout may open its file at some time after the request for it. */
    boolean mayOpen(String path, long millisAfterRequest) {
        Long askedAt = held.get(path);
        return askedAt != null && lease.mayServe(askedAt, askedAt + TimeUnit.MILLISECONDS.toNanos(millisAfterRequest));
    }

    private static @Nullable LeaseReplyProto replyIn(Message response) {
        NameNodeNoteProto note = Notes.nameNodeNote(response);
        return note != null && note.hasLease() ? note.getLease() : null;
    }

    private Received receive(Sent sent, LeaseReplyProto reply) {
        Received received = lease.receive(
                sent,
                new LeaseReply(
                        reply.getEpoch(),
                        reply.getIncarnation(),
                        reply.getGrantedAt(),
                        reply.getRecallsAfter(),
                        reply.getRecallsList(),
                        reply.getRenewed(),
                        TimeUnit.MILLISECONDS.toNanos(reply.getLeaseMillis()),
                        TimeUnit.MILLISECONDS.toNanos(reply.getLayoutMillis())));
        if (received.isEverythingForgotten()) {
            held.clear();
        }
        received.forgotten().forEach(path -> held.keySet()
                .removeIf(file -> path.equals("/") || (file + '/').startsWith(path + '/')));
        return received;
    }

    @Override
    public void close() {
        RPC.stopProxy(nameNode);
    }
}

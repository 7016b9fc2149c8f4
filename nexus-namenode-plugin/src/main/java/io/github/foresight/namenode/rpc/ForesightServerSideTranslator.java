/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.rpc;

import io.github.foresight.namenode.balance.ReplicaBalancer;
import io.github.foresight.namenode.change.Invalidations;
import io.github.foresight.namenode.client.Caller;
import io.github.foresight.namenode.client.KnownCallers;
import io.github.foresight.namenode.guard.Feature;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.layout.LayoutMessages;
import io.github.foresight.namenode.lease.LayoutLeases;
import io.github.foresight.namenode.lease.LeasedRequest;
import io.github.foresight.namenode.metrics.NameNodeMetrics;
import io.github.foresight.namenode.prefetch.PrefetchReplies;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.LeaseReplyProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's translator of client RPCs, with two additions: it reports opens, listings and statuses to Foresight, and adds notes to replies.
 * HDFS's answer is unchanged, except for the order of replicas at equal distance. Thread-safe.
 */
public final class ForesightServerSideTranslator extends ClientNamenodeProtocolServerSideTranslatorPB {

    private final ClientProtocol server;
    private final Features features;
    private final PrefetchReplies replies;
    private final Invalidations invalidations;
    private final LayoutLeases leases;
    private final ReplicaBalancer balancer;
    private final KnownCallers callers;
    private final LayoutMessages messages;
    private final NameNodeMetrics metrics;

    public ForesightServerSideTranslator(
            ClientProtocol server,
            Features features,
            PrefetchReplies replies,
            Invalidations invalidations,
            LayoutLeases leases,
            ReplicaBalancer balancer,
            KnownCallers callers,
            LayoutMessages messages,
            NameNodeMetrics metrics)
            throws IOException {
        super(server);
        this.server = server;
        this.features = features;
        this.replies = replies;
        this.invalidations = invalidations;
        this.leases = leases;
        this.balancer = balancer;
        this.callers = callers;
        this.messages = messages;
        this.metrics = metrics;
    }

    @Override
    public GetBlockLocationsResponseProto getBlockLocations(
            RpcController controller, GetBlockLocationsRequestProto request) throws ServiceException {
        long readAt = invalidations.position();
        ClientNoteProto clientNote = clientNote(request);
        LeasedRequest leased = leased(clientNote);
        if (leased != null) {
            leased.grantAsked(request.getSrc());
        }
        LocatedBlocks blocks;
        try {
            blocks = server.getBlockLocations(request.getSrc(), request.getOffset(), request.getLength());
        } catch (IOException e) {
            countLostHits(request);
            throw new ServiceException(e);
        }
        if (!features.isOn(Feature.LEARN)) {
            countLostHits(request);
        }
        GetBlockLocationsResponseProto.Builder response = GetBlockLocationsResponseProto.newBuilder();
        if (blocks == null) {
            return response.build();
        }
        boolean timed = NameNodeMetrics.isTimed();
        long begin = timed ? System.nanoTime() : 0;
        Feature asking = features.isOn(Feature.LEARN) ? Feature.LEARN : Feature.BALANCE;
        Caller caller = features.get(asking, callers::current);
        if (caller != null) {
            ReplicaBalancer.Use use = LocationRequests.isForSplits(request, blocks)
                    ? ReplicaBalancer.Use.LATER
                    : ReplicaBalancer.Use.READ;
            features.run(Feature.BALANCE, () -> balancer.order(blocks, caller.address(), use));
            if (LocationRequests.isOpen(request, blocks)) {
                NameNodeNoteProto.Builder note = features.get(
                        Feature.LEARN,
                        () -> replies.opened(caller, request.getSrc(), blocks, clientNote, leased, readAt));
                addNote(response, leased, note);
            }
        }
        if (timed) {
            metrics.timed(System.nanoTime() - begin);
        }
        return response.setLocations(messages.of(blocks)).build();
    }

    /** The client's lease at this NameNode, or null. */
    private @Nullable LeasedRequest leased(@Nullable ClientNoteProto clientNote) {
        return clientNote == null || !clientNote.hasLease() ? null : leases.request(clientNote.getLease());
    }

    /** Answers a client's note, also where Foresight has nothing to add to HDFS's answer. */
    private void addNote(
            GetBlockLocationsResponseProto.Builder response,
            @Nullable LeasedRequest leased,
            NameNodeNoteProto.@Nullable Builder note) {
        NameNodeNoteProto.Builder answer = note == null ? NameNodeNoteProto.newBuilder() : note;
        boolean hasLease = addLease(answer, leased);
        if (note != null || hasLease) {
            response.setUnknownFields(fields(answer));
        }
    }

    private static boolean addLease(NameNodeNoteProto.Builder note, @Nullable LeasedRequest leased) {
        LeaseReplyProto lease = leased == null ? null : leased.reply();
        if (lease == null) {
            return false;
        }
        note.setLease(lease);
        return true;
    }

    /** The client's note, or null. */
    private @Nullable ClientNoteProto clientNote(Message request) {
        ClientNoteProto clientNote = Notes.clientNote(request);
        if (clientNote == null && Notes.isIn(request)) {
            metrics.reportsRefused.incr();
        }
        return clientNote;
    }

    /** Counts reported hits that no audit log will contain. */
    private void countLostHits(Message request) {
        if (Notes.isIn(request)) {
            ClientNoteProto clientNote = Notes.clientNote(request);
            metrics.hitsLost.incr(clientNote == null ? 0 : clientNote.getHitsCount());
        }
    }

    private UnknownFieldSet fields(NameNodeNoteProto.Builder note) {
        UnknownFieldSet fields = Notes.fieldsWith(note);
        metrics.returnedBytes.incr(fields.getSerializedSize());
        return fields;
    }

    @Override
    public GetListingResponseProto getListing(RpcController controller, GetListingRequestProto request)
            throws ServiceException {
        long readAt = invalidations.position();
        ClientNoteProto clientNote = clientNote(request);
        LeasedRequest leased = leased(clientNote);
        GetListingResponseProto response = super.getListing(controller, request);
        if (clientNote == null || !response.hasDirList()) {
            return response;
        }
        if (!features.isOn(Feature.BUNDLE)) {
            features.run(Feature.LEARN, () -> replies.reported(callers.current(), clientNote));
            return response;
        }
        return features.call(Feature.BUNDLE, response, () -> {
            NameNodeNoteProto.Builder note = replies.listed(
                    callers.current(), request.getSrc(), filesIn(request, response), clientNote, leased, readAt);
            addLease(note, leased);
            return response.toBuilder().setUnknownFields(fields(note)).build();
        });
    }

    /** A client that sends a note is about to open the file, and gets its layout as well. */
    @Override
    public GetFileInfoResponseProto getFileInfo(RpcController controller, GetFileInfoRequestProto request)
            throws ServiceException {
        if (!Notes.isIn(request)) {
            return super.getFileInfo(controller, request);
        }
        long readAt = invalidations.position();
        ClientNoteProto clientNote = clientNote(request);
        LeasedRequest leased = leased(clientNote);
        GetFileInfoResponseProto response;
        try {
            response = super.getFileInfo(controller, request);
        } catch (ServiceException e) {
            countLostHits(request);
            throw e;
        }
        if (clientNote == null) {
            return response;
        }
        if (!features.isOn(Feature.LEARN)) {
            countLostHits(request);
        }
        boolean isOpenable = features.isOn(Feature.BUNDLE) && response.hasFs() && isFileWithContent(response.getFs());
        NameNodeNoteProto.Builder note = features.get(Feature.LEARN, () -> {
            if (isOpenable) {
                return replies.stated(callers.current(), request.getSrc(), clientNote, leased, readAt);
            }
            replies.reported(callers.current(), clientNote);
            return NameNodeNoteProto.newBuilder();
        });
        NameNodeNoteProto.Builder answer = note == null ? NameNodeNoteProto.newBuilder() : note;
        addLease(answer, leased);
        return response.toBuilder().setUnknownFields(fields(answer)).build();
    }

    private static boolean isFileWithContent(HdfsFileStatusProto status) {
        return status.getFileType() == HdfsFileStatusProto.FileType.IS_FILE && status.getLength() > 0;
    }

    private static List<String> filesIn(GetListingRequestProto request, GetListingResponseProto response) {
        List<String> files = new ArrayList<>();
        String parent = request.getSrc().endsWith("/") ? request.getSrc() : request.getSrc() + '/';
        for (HdfsFileStatusProto child : response.getDirList().getPartialListingList()) {
            if (isFileWithContent(child) && !child.getPath().isEmpty()) {
                files.add(parent + child.getPath().toStringUtf8());
            }
        }
        return files;
    }
}

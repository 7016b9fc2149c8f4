/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's own translator of client RPCs, which lets ours know of opens, listings and changes, and adds notes to replies. What HDFS
 * answers is not touched but for the order of replicas at equal distance. Thread-safe.
 */
final class ForesightTranslator extends ChangeObservingTranslator {

    private final ClientProtocol server;
    private final Features features;
    private final PrefetchReplies replies;
    private final Invalidations invalidations;
    private final ChangeNotices notices;
    private final ReplicaBalancer balancer;
    private final KnownCallers callers;
    private final LayoutMessages messages;
    private final NameNodeMetrics metrics;

    ForesightTranslator(
            ClientProtocol server,
            Features features,
            PrefetchReplies replies,
            Invalidations invalidations,
            ChangeNotices notices,
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
        this.notices = notices;
        this.balancer = balancer;
        this.callers = callers;
        this.messages = messages;
        this.metrics = metrics;
    }

    @Override
    public GetBlockLocationsResponseProto getBlockLocations(
            RpcController controller, GetBlockLocationsRequestProto request) throws ServiceException {
        long readAt = invalidations.position();
        LocatedBlocks blocks;
        try {
            blocks = server.getBlockLocations(request.getSrc(), request.getOffset(), request.getLength());
        } catch (IOException e) {
            throw new ServiceException(e);
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
                UnknownFieldSet note = features.call(
                        Feature.LEARN,
                        UnknownFieldSet.getDefaultInstance(),
                        () -> noteOnOpen(caller, request, blocks, readAt));
                response.setUnknownFields(note);
            }
        }
        if (timed) {
            metrics.timed(System.nanoTime() - begin);
        }
        return response.setLocations(messages.of(blocks)).build();
    }

    private UnknownFieldSet noteOnOpen(
            Caller caller, GetBlockLocationsRequestProto request, LocatedBlocks blocks, long readAt)
            throws IOException {
        NameNodeNoteProto.Builder note = replies.opened(caller, request.getSrc(), blocks, clientNote(request), readAt);
        return note == null ? UnknownFieldSet.getDefaultInstance() : fields(note);
    }

    /** The client's note, or null. */
    private @Nullable ClientNoteProto clientNote(Message request) {
        ClientNoteProto said = Notes.clientNote(request);
        if (said == null && Notes.isIn(request)) {
            metrics.reportsRefused.incr();
        }
        return said;
    }

    private UnknownFieldSet fields(NameNodeNoteProto.Builder note) {
        UnknownFieldSet fields = Notes.fieldsWith(note);
        metrics.handedOutBytes.incr(fields.getSerializedSize());
        return fields;
    }

    @Override
    public GetListingResponseProto getListing(RpcController controller, GetListingRequestProto request)
            throws ServiceException {
        long readAt = invalidations.position();
        GetListingResponseProto response = super.getListing(controller, request);
        ClientNoteProto said = clientNote(request);
        if (said == null || !response.hasDirList()) {
            return response;
        }
        if (!features.isOn(Feature.BUNDLE)) {
            features.run(Feature.LEARN, () -> replies.reported(callers.current(), said));
            return response;
        }
        return features.call(Feature.BUNDLE, response, () -> {
            NameNodeNoteProto.Builder note =
                    replies.listed(callers.current(), request.getSrc(), filesIn(request, response), said, readAt);
            return response.toBuilder().setUnknownFields(fields(note)).build();
        });
    }

    private static List<String> filesIn(GetListingRequestProto request, GetListingResponseProto response) {
        List<String> files = new ArrayList<>();
        String parent = request.getSrc().endsWith("/") ? request.getSrc() : request.getSrc() + '/';
        for (HdfsFileStatusProto child : response.getDirList().getPartialListingList()) {
            boolean file = child.getFileType() == HdfsFileStatusProto.FileType.IS_FILE;
            if (file && child.getLength() > 0 && !child.getPath().isEmpty()) {
                files.add(parent + child.getPath().toStringUtf8());
            }
        }
        return files;
    }

    @Override
    void changed(String path) {
        notices.changedByRpc(path);
    }
}

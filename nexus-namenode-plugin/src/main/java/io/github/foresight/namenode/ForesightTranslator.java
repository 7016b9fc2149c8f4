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
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.ModifyAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.ModifyAclEntriesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclEntriesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveDefaultAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveDefaultAclResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.SetAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.SetAclResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSymlinkRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSymlinkResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2RequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2ResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetOwnerRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetOwnerResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetPermissionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetPermissionResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetStoragePolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetTimesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetTimesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UnsetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UnsetStoragePolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.CreateEncryptionZoneRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.CreateEncryptionZoneResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ReencryptEncryptionZoneRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ReencryptEncryptionZoneResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrResponseProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;

/**
 * HDFS's own translator of client RPCs, which lets ours know of opens, listings and changes, and adds notes to replies. What HDFS
 * answers is not touched but for the order of replicas at equal distance. Thread-safe.
 */
final class ForesightTranslator extends ClientNamenodeProtocolServerSideTranslatorPB {

    private final ClientProtocol server;
    private final Features features;
    private final PrefetchReplies replies;
    private final Invalidations invalidations;
    private final ReplicaBalancer balancer;
    private final KnownCallers callers;
    private final NameNodeMetrics metrics;

    ForesightTranslator(
            ClientProtocol server,
            Features features,
            PrefetchReplies replies,
            Invalidations invalidations,
            ReplicaBalancer balancer,
            KnownCallers callers,
            NameNodeMetrics metrics)
            throws IOException {
        super(server);
        this.server = server;
        this.features = features;
        this.replies = replies;
        this.invalidations = invalidations;
        this.balancer = balancer;
        this.callers = callers;
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
            features.run(Feature.BALANCE, () -> balancer.order(blocks, caller.address()));
            if (isOpen(request, blocks)) {
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
        return response.setLocations(PBHelperClient.convert(blocks)).build();
    }

    /** A stream asks for the rest of a long file's layout later on; that is no open. */
    private static boolean isOpen(GetBlockLocationsRequestProto request, LocatedBlocks blocks) {
        return request.getOffset() == 0 && blocks.locatedBlockCount() > 0 && !blocks.isUnderConstruction();
    }

    private UnknownFieldSet noteOnOpen(
            Caller caller, GetBlockLocationsRequestProto request, LocatedBlocks blocks, long readAt)
            throws IOException {
        NameNodeNoteProto.Builder note =
                replies.opened(caller, request.getSrc(), blocks, Notes.clientNote(request), readAt);
        return note == null ? UnknownFieldSet.getDefaultInstance() : fields(note);
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
        ClientNoteProto said = Notes.clientNote(request);
        if (said == null || !response.hasDirList()) {
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
    public SetReplicationResponseProto setReplication(RpcController controller, SetReplicationRequestProto request)
            throws ServiceException {
        SetReplicationResponseProto response = super.setReplication(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public SetPermissionResponseProto setPermission(RpcController controller, SetPermissionRequestProto request)
            throws ServiceException {
        SetPermissionResponseProto response = super.setPermission(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public SetOwnerResponseProto setOwner(RpcController controller, SetOwnerRequestProto request)
            throws ServiceException {
        SetOwnerResponseProto response = super.setOwner(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public SetTimesResponseProto setTimes(RpcController controller, SetTimesRequestProto request)
            throws ServiceException {
        SetTimesResponseProto response = super.setTimes(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public SetStoragePolicyResponseProto setStoragePolicy(
            RpcController controller, SetStoragePolicyRequestProto request) throws ServiceException {
        SetStoragePolicyResponseProto response = super.setStoragePolicy(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public UnsetStoragePolicyResponseProto unsetStoragePolicy(
            RpcController controller, UnsetStoragePolicyRequestProto request) throws ServiceException {
        UnsetStoragePolicyResponseProto response = super.unsetStoragePolicy(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public CreateResponseProto create(RpcController controller, CreateRequestProto request) throws ServiceException {
        CreateResponseProto response = super.create(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public AppendResponseProto append(RpcController controller, AppendRequestProto request) throws ServiceException {
        AppendResponseProto response = super.append(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public TruncateResponseProto truncate(RpcController controller, TruncateRequestProto request)
            throws ServiceException {
        TruncateResponseProto response = super.truncate(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public ConcatResponseProto concat(RpcController controller, ConcatRequestProto request) throws ServiceException {
        ConcatResponseProto response = super.concat(controller, request);
        changed(request.getTrg());
        request.getSrcsList().forEach(this::changed);
        return response;
    }

    @Override
    public RenameResponseProto rename(RpcController controller, RenameRequestProto request) throws ServiceException {
        RenameResponseProto response = super.rename(controller, request);
        changed(request.getSrc(), request.getDst());
        return response;
    }

    @Override
    public Rename2ResponseProto rename2(RpcController controller, Rename2RequestProto request) throws ServiceException {
        Rename2ResponseProto response = super.rename2(controller, request);
        changed(request.getSrc(), request.getDst());
        return response;
    }

    @Override
    public DeleteResponseProto delete(RpcController controller, DeleteRequestProto request) throws ServiceException {
        DeleteResponseProto response = super.delete(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public CreateSymlinkResponseProto createSymlink(RpcController controller, CreateSymlinkRequestProto request)
            throws ServiceException {
        CreateSymlinkResponseProto response = super.createSymlink(controller, request);
        changed(request.getLink());
        return response;
    }

    @Override
    public ModifyAclEntriesResponseProto modifyAclEntries(
            RpcController controller, ModifyAclEntriesRequestProto request) throws ServiceException {
        ModifyAclEntriesResponseProto response = super.modifyAclEntries(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public RemoveAclEntriesResponseProto removeAclEntries(
            RpcController controller, RemoveAclEntriesRequestProto request) throws ServiceException {
        RemoveAclEntriesResponseProto response = super.removeAclEntries(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public RemoveDefaultAclResponseProto removeDefaultAcl(
            RpcController controller, RemoveDefaultAclRequestProto request) throws ServiceException {
        RemoveDefaultAclResponseProto response = super.removeDefaultAcl(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public RemoveAclResponseProto removeAcl(RpcController controller, RemoveAclRequestProto request)
            throws ServiceException {
        RemoveAclResponseProto response = super.removeAcl(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public SetAclResponseProto setAcl(RpcController controller, SetAclRequestProto request) throws ServiceException {
        SetAclResponseProto response = super.setAcl(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public SetXAttrResponseProto setXAttr(RpcController controller, SetXAttrRequestProto request)
            throws ServiceException {
        SetXAttrResponseProto response = super.setXAttr(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public RemoveXAttrResponseProto removeXAttr(RpcController controller, RemoveXAttrRequestProto request)
            throws ServiceException {
        RemoveXAttrResponseProto response = super.removeXAttr(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public CreateEncryptionZoneResponseProto createEncryptionZone(
            RpcController controller, CreateEncryptionZoneRequestProto request) throws ServiceException {
        CreateEncryptionZoneResponseProto response = super.createEncryptionZone(controller, request);
        changed(request.getSrc());
        return response;
    }

    @Override
    public ReencryptEncryptionZoneResponseProto reencryptEncryptionZone(
            RpcController controller, ReencryptEncryptionZoneRequestProto request) throws ServiceException {
        ReencryptEncryptionZoneResponseProto response = super.reencryptEncryptionZone(controller, request);
        changed(request.getZone());
        return response;
    }

    @Override
    public DeleteSnapshotResponseProto deleteSnapshot(RpcController controller, DeleteSnapshotRequestProto request)
            throws ServiceException {
        DeleteSnapshotResponseProto response = super.deleteSnapshot(controller, request);
        changed(request.getSnapshotRoot() + "/.snapshot/" + request.getSnapshotName());
        return response;
    }

    @Override
    public RenameSnapshotResponseProto renameSnapshot(RpcController controller, RenameSnapshotRequestProto request)
            throws ServiceException {
        RenameSnapshotResponseProto response = super.renameSnapshot(controller, request);
        changed(request.getSnapshotRoot() + "/.snapshot/" + request.getSnapshotOldName());
        return response;
    }

    private void changed(String path) {
        features.run(Feature.INVALIDATE, () -> invalidations.changed(path));
    }

    private void changed(String source, String target) {
        changed(source);
        changed(target);
    }
}

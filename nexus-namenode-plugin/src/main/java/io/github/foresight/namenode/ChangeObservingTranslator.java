/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
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
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrResponseProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** HDFS's own translator of client RPCs, which tells of files that were changed by them. Thread-safe. */
abstract class ChangeObservingTranslator extends ClientNamenodeProtocolServerSideTranslatorPB {

    ChangeObservingTranslator(ClientProtocol server) throws IOException {
        super(server);
    }

    /** A file was changed, or a directory and so what is below it. */
    abstract void changed(String path);

    private void changed(String source, String target) {
        changed(source);
        changed(target);
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
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.change;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.ModifyAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveDefaultAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.SetAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSymlinkRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RecoverLeaseRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2RequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetOwnerRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetPermissionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetTimesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UnsetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.CreateEncryptionZoneRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.ReencryptEncryptionZoneRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.SetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.UnsetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrRequestProto;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * The paths that a request of HDFS's {@code ClientNamenodeProtocol} changes; each path stands for itself and all paths
 * below it. Both sides use the same table. The client forgets the layouts of these paths before it sends the request.
 * The NameNode recalls these layouts before HDFS carries out the request.
 *
 * <p>A request is a change if it can change the content, layout, status or permissions of a file. {@code mkdirs},
 * quotas and the creation of snapshots change no existing file. {@code addBlock}, {@code complete}, {@code fsync} and
 * {@code updatePipeline} concern files under construction, whose layouts no client caches. One look-up in a hash table
 * for each request. Stateless.
 */
public final class ChangedPaths {

    /** The names of the classes of {@link Table}. A client that changes nothing loads none of these classes. */
    private static final Set<String> NAMES = new HashSet<>();

    static {
        names(
                "ClientNamenodeProtocolProtos",
                "Create",
                "Append",
                "Truncate",
                "Delete",
                "Rename",
                "Rename2",
                "Concat",
                "SetReplication",
                "SetPermission",
                "SetOwner",
                "SetTimes",
                "SetStoragePolicy",
                "UnsetStoragePolicy",
                "CreateSymlink",
                "RecoverLease",
                "DeleteSnapshot",
                "RenameSnapshot");
        names("ErasureCodingProtos", "SetErasureCodingPolicy", "UnsetErasureCodingPolicy");
        names("AclProtos", "ModifyAclEntries", "RemoveAclEntries", "RemoveDefaultAcl", "RemoveAcl", "SetAcl");
        names("XAttrProtos", "SetXAttr", "RemoveXAttr");
        names("EncryptionZonesProtos", "CreateEncryptionZone", "ReencryptEncryptionZone");
    }

    private static void names(String file, String... requests) {
        for (String request : requests) {
            NAMES.add("org.apache.hadoop.hdfs.protocol.proto." + file + "$" + request + "RequestProto");
        }
    }

    private ChangedPaths() {}

    /** How to read the paths out of each request that is a change. */
    private static final class Table {
        private static final Map<Class<?>, Function<Message, List<String>>> CHANGES = new HashMap<>();

        static {
            one(CreateRequestProto.class, CreateRequestProto::getSrc);
            one(AppendRequestProto.class, AppendRequestProto::getSrc);
            one(TruncateRequestProto.class, TruncateRequestProto::getSrc);
            one(DeleteRequestProto.class, DeleteRequestProto::getSrc);
            several(RenameRequestProto.class, r -> Arrays.asList(r.getSrc(), r.getDst()));
            several(Rename2RequestProto.class, r -> Arrays.asList(r.getSrc(), r.getDst()));
            several(ConcatRequestProto.class, Table::concatenated);
            one(SetReplicationRequestProto.class, SetReplicationRequestProto::getSrc);
            one(SetPermissionRequestProto.class, SetPermissionRequestProto::getSrc);
            one(SetOwnerRequestProto.class, SetOwnerRequestProto::getSrc);
            one(SetTimesRequestProto.class, SetTimesRequestProto::getSrc);
            one(SetStoragePolicyRequestProto.class, SetStoragePolicyRequestProto::getSrc);
            one(UnsetStoragePolicyRequestProto.class, UnsetStoragePolicyRequestProto::getSrc);
            one(SetErasureCodingPolicyRequestProto.class, SetErasureCodingPolicyRequestProto::getSrc);
            one(UnsetErasureCodingPolicyRequestProto.class, UnsetErasureCodingPolicyRequestProto::getSrc);
            one(ModifyAclEntriesRequestProto.class, ModifyAclEntriesRequestProto::getSrc);
            one(RemoveAclEntriesRequestProto.class, RemoveAclEntriesRequestProto::getSrc);
            one(RemoveDefaultAclRequestProto.class, RemoveDefaultAclRequestProto::getSrc);
            one(RemoveAclRequestProto.class, RemoveAclRequestProto::getSrc);
            one(SetAclRequestProto.class, SetAclRequestProto::getSrc);
            one(SetXAttrRequestProto.class, SetXAttrRequestProto::getSrc);
            one(RemoveXAttrRequestProto.class, RemoveXAttrRequestProto::getSrc);
            one(CreateSymlinkRequestProto.class, CreateSymlinkRequestProto::getLink);
            one(CreateEncryptionZoneRequestProto.class, CreateEncryptionZoneRequestProto::getSrc);
            one(ReencryptEncryptionZoneRequestProto.class, ReencryptEncryptionZoneRequestProto::getZone);
            one(RecoverLeaseRequestProto.class, RecoverLeaseRequestProto::getSrc);
            one(DeleteSnapshotRequestProto.class, r -> snapshot(r.getSnapshotRoot(), r.getSnapshotName()));
            several(
                    RenameSnapshotRequestProto.class,
                    r -> Arrays.asList(
                            snapshot(r.getSnapshotRoot(), r.getSnapshotOldName()),
                            snapshot(r.getSnapshotRoot(), r.getSnapshotNewName())));
        }

        private static <M extends Message> void one(Class<M> request, Function<M, String> path) {
            several(request, r -> Collections.singletonList(path.apply(r)));
        }

        private static <M extends Message> void several(Class<M> request, Function<M, List<String>> paths) {
            CHANGES.put(request, message -> paths.apply(request.cast(message)));
        }

        private static List<String> concatenated(ConcatRequestProto request) {
            List<String> paths = new ArrayList<>(1 + request.getSrcsCount());
            paths.add(request.getTrg());
            paths.addAll(request.getSrcsList());
            return paths;
        }

        private static String snapshot(String root, String name) {
            return root + (root.endsWith("/") ? "" : "/") + ".snapshot/" + name;
        }
    }

    /** The requests that are changes. */
    static Set<Class<?>> requests() {
        return Collections.unmodifiableSet(Table.CHANGES.keySet());
    }

    /** The names of the classes of all changes. */
    static Set<String> names() {
        return Collections.unmodifiableSet(NAMES);
    }

    /** Whether a request changes the namespace. */
    public static boolean isChange(Message request) {
        return NAMES.contains(request.getClass().getName());
    }

    /** The paths that a request changes, as the caller wrote them; empty if the request changes none. */
    public static List<String> of(Message request) {
        Function<Message, List<String>> paths = isChange(request) ? Table.CHANGES.get(request.getClass()) : null;
        return paths == null ? Collections.emptyList() : paths.apply(request);
    }
}

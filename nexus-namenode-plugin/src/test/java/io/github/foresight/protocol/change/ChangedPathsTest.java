/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameSnapshotRequestProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.junit.jupiter.api.Test;

class ChangedPathsTest {

    /** Calls that change none of an existing file; a call that is in neither list is new in this Hadoop and must be sorted in. */
    private static final Set<String> UNCHANGING = Set.of(
            "abandonBlock",
            "addBlock",
            "addCacheDirective",
            "addCachePool",
            "addErasureCodingPolicies",
            "allowSnapshot",
            "cancelDelegationToken",
            "checkAccess",
            "complete",
            "createSnapshot",
            "disableErasureCodingPolicy",
            "disallowSnapshot",
            "enableErasureCodingPolicy",
            "finalizeUpgrade",
            "fsync",
            "getAclStatus",
            "getAdditionalDatanode",
            "getBatchedListing",
            "getBlockLocations",
            "getContentSummary",
            "getCurrentEditLogTxid",
            "getDataEncryptionKey",
            "getDatanodeReport",
            "getDatanodeStorageReport",
            "getDelegationToken",
            "getECBlockGroupStats",
            "getECTopologyResultForPolicies",
            "getEZForPath",
            "getEditsFromTxid",
            "getEnclosingRoot",
            "getErasureCodingCodecs",
            "getErasureCodingPolicies",
            "getErasureCodingPolicy",
            "getFileInfo",
            "getFileLinkInfo",
            "getFsECBlockGroupStats",
            "getFsReplicatedBlockStats",
            "getFsStats",
            "getHAServiceState",
            "getLinkTarget",
            "getListing",
            "getLocatedFileInfo",
            "getPreferredBlockSize",
            "getQuotaUsage",
            "getReplicatedBlockStats",
            "getServerDefaults",
            "getSlowDatanodeReport",
            "getSnapshotDiffReport",
            "getSnapshotDiffReportListing",
            "getSnapshotListing",
            "getSnapshottableDirListing",
            "getStoragePolicies",
            "getStoragePolicy",
            "getXAttrs",
            "isFileClosed",
            "listCacheDirectives",
            "listCachePools",
            "listCorruptFileBlocks",
            "listEncryptionZones",
            "listOpenFiles",
            "listReencryptionStatus",
            "listXAttrs",
            "metaSave",
            "mkdirs",
            "modifyCacheDirective",
            "modifyCachePool",
            "msync",
            "refreshNodes",
            "removeCacheDirective",
            "removeCachePool",
            "removeErasureCodingPolicy",
            "renewDelegationToken",
            "renewLease",
            "reportBadBlocks",
            "restoreFailedStorage",
            "rollEdits",
            "rollingUpgrade",
            "satisfyStoragePolicy",
            "saveNamespace",
            "setBalancerBandwidth",
            "setQuota",
            "setSafeMode",
            "updateBlockForPipeline",
            "updatePipeline",
            "upgradeStatus");

    @Test
    void everyCallOfTheProtocol_isAChangeOrIsKnownNotToBe() {
        Set<String> changes = ClientNamenodeProtocol.getDescriptor().getMethods().stream()
                .filter(method -> ChangedPaths.requests().stream().anyMatch(request -> request.getSimpleName()
                        .equals(method.getInputType().getName())))
                .map(MethodDescriptor::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> unsorted = ClientNamenodeProtocol.getDescriptor().getMethods().stream()
                .map(MethodDescriptor::getName)
                .filter(name -> !changes.contains(name) && !UNCHANGING.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unsorted).as("calls of which nothing is known").isEmpty();
        assertThat(changes).doesNotContainAnyElementsOf(UNCHANGING);
        assertThat(changes).hasSameSizeAs(ChangedPaths.requests());
    }

    @Test
    void names_areThoseOfTheRequests() {
        assertThat(ChangedPaths.names())
                .containsExactlyInAnyOrderElementsOf(
                        ChangedPaths.requests().stream().map(Class::getName).collect(Collectors.toList()));
    }

    @Test
    void of_namesEachPath() {
        assertThat(ChangedPaths.of(RenameRequestProto.newBuilder()
                        .setSrc("/a")
                        .setDst("/b")
                        .build()))
                .containsExactly("/a", "/b");
        assertThat(ChangedPaths.of(ConcatRequestProto.newBuilder()
                        .setTrg("/d/t")
                        .addSrcs("/d/1")
                        .addSrcs("/d/2")
                        .build()))
                .containsExactly("/d/t", "/d/1", "/d/2");
        assertThat(ChangedPaths.of(DeleteSnapshotRequestProto.newBuilder()
                        .setSnapshotRoot("/")
                        .setSnapshotName("s")
                        .build()))
                .containsExactly("/.snapshot/s");
        assertThat(ChangedPaths.of(RenameSnapshotRequestProto.newBuilder()
                        .setSnapshotRoot("/d")
                        .setSnapshotOldName("s")
                        .setSnapshotNewName("t")
                        .build()))
                .containsExactly("/d/.snapshot/s", "/d/.snapshot/t");
    }

    @Test
    void of_aRead_isNothing() {
        GetFileInfoRequestProto read =
                GetFileInfoRequestProto.newBuilder().setSrc("/a").build();
        assertThat(ChangedPaths.of(read)).isEmpty();
        assertThat(ChangedPaths.isChange(read)).isFalse();
    }
}

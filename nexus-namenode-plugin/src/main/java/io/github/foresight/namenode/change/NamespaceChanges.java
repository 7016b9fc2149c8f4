/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.change;

import com.google.common.collect.ImmutableSet;
import io.github.foresight.namenode.path.NamespacePath;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notices all changes of the namespace, by whichever way they reach the namesystem, and passes them to a listener.
 *
 * <p>It has three sources:
 *
 * <table>
 *   <caption>Where changes come from</caption>
 *   <tr><th>NameNode</th><th>source</th><th>noticed</th></tr>
 *   <tr><td>active</td><td>{@link io.github.foresight.namenode.ChangeAuditLogger}, which HDFS calls for RPCs of both its servers, and for WebHDFS. HttpFS, NFS, routers
 *       and the trash are clients and come by RPC.</td><td>after the change, before its caller has the answer</td></tr>
 *   <tr><td>active, without that audit logger</td><td>{@link io.github.foresight.namenode.lease.RecallingService}: RPCs of clients only</td><td>the same</td></tr>
 *   <tr><td>observer, standby</td><td>{@link ChangeTail}: the edits that were applied</td><td>at most
 *       {@code foresight.namenode.invalidate.tail.period} after the edit was applied</td></tr>
 * </table>
 *
 * <p>The calls of {@code ClientProtocol} that change a layout or a status, and the paths that they change with everything below:
 *
 * <table>
 *   <caption>Changes</caption>
 *   <tr><th>call</th><th>paths</th></tr>
 *   <tr><td>{@code create, append, truncate, delete, setReplication, setPermission, setOwner, setTimes, setStoragePolicy,
 *       unsetStoragePolicy, setErasureCodingPolicy, unsetErasureCodingPolicy, modifyAclEntries, removeAclEntries, removeDefaultAcl,
 *       removeAcl, setAcl, setXAttr, removeXAttr, createEncryptionZone, reencryptEncryptionZone, recoverLease}</td>
 *       <td>the path</td></tr>
 *   <tr><td>{@code rename, rename2}</td><td>source and target; the target may be a directory that the source is moved into</td></tr>
 *   <tr><td>{@code createSymlink}</td><td>the link</td></tr>
 *   <tr><td>{@code concat}</td><td>the directory that holds the target; HDFS accepts sources of that directory only</td></tr>
 *   <tr><td>{@code deleteSnapshot}</td><td>{@code root/.snapshot/name}</td></tr>
 *   <tr><td>{@code renameSnapshot}</td><td>{@code root/.snapshot/} with the old and with the new name</td></tr>
 * </table>
 *
 * <p>The other calls change no granted entry: {@code mkdirs}, quotas, {@code allowSnapshot}, {@code disallowSnapshot}, {@code
 * createSnapshot} and {@code satisfyStoragePolicy} leave files' layouts and status as they are; {@code addBlock}, {@code
 * abandonBlock}, {@code complete}, {@code fsync}, {@code updatePipeline} and the ends of leases concern files under construction, of
 * which nothing is granted; cache directives change where replicas are cached, which is advice.
 *
 * <p>HDFS makes two kinds of change without an audit event. It removes lazily persisted files that have lost all replicas; their
 * entries are useless in any case. It re-encrypts data keys; the old keys stay valid. Replicas that move or
 * are lost are no change of the namespace.
 *
 * <p>Paths are taken as callers write them: below {@code /.reserved/raw} the same files stand, and a path below {@code
 * /.reserved/.inodes} is resolved. Where it can't be resolved any longer, as after a delete, anything may have changed; so it
 * may where a file is renamed by its inode, which stands for the new path afterwards.
 *
 * <p>If noticing a change fails, everything counts as changed. Thread-safe.
 */
public final class NamespaceChanges {

    /**
     * Receives changes on the thread that makes them, without a lock of Foresight. On an RPC handler it must be quick; a thread
     * without an RPC may wait.
     */
    public interface Listener {
        /**
         * A file, or a directory with all below it, has changed.
         *
         * @param path in the form of {@link NamespacePath}
         */
        void changed(String path);

        /** Anything may have changed. */
        void everythingChanged();
    }

    /** Resolves a path that begins with the id of an inode. */
    @FunctionalInterface
    public interface InodePaths {
        /** The path of a file or directory that is there, else null. */
        @Nullable
        String resolve(String path);
    }

    /** The commands in HDFS's audit log that leave all granted entries as they are. A command that is not known may change anything. */
    private static final Set<String> UNCHANGING = ImmutableSet.of(
            // Reads.
            "open",
            "getfileinfo",
            "listStatus",
            "isFileClosed",
            "contentSummary",
            "quotaUsage",
            "checkAccess",
            "getXAttrs",
            "listXAttrs",
            "getAclStatus",
            "getEZForPath",
            "getErasureCodingPolicy",
            "getErasureCodingPolicies",
            "getErasureCodingCodecs",
            "getECTopologyResultForPolicies",
            "getPreferredBlockSize",
            "getStoragePolicy",
            "getStoragePolicies",
            "getAdditionalBlock",
            "getAdditionalDatanode",
            "listEncryptionZones",
            "listReencryptionStatus",
            "listOpenFiles",
            "listCorruptFileBlocks",
            "listCacheDirectives",
            "listCachePools",
            "listSnapshottableDirectory",
            "ListSnapshot",
            "computeSnapshotDiff",
            "datanodeReport",
            "getDatanodeStorageReport",
            "slowDataNodesReport",
            "queryRollingUpgrade",
            "fsck",
            // Changes of other things.
            "mkdirs",
            "allowSnapshot",
            "disallowSnapshot",
            "createSnapshot",
            "satisfyStoragePolicy",
            "setQuota",
            "clearQuota",
            "setSpaceQuota",
            "clearSpaceQuota",
            "addCacheDirective",
            "modifyCacheDirective",
            "removeCacheDirective",
            "addCachePool",
            "modifyCachePool",
            "removeCachePool",
            "addErasureCodingPolicies",
            "removeErasureCodingPolicy",
            "enableErasureCodingPolicy",
            "disableErasureCodingPolicy",
            "getDelegationToken",
            "renewDelegationToken",
            "cancelDelegationToken",
            // Files under construction.
            "completeFile",
            "fsync",
            "abandonBlock",
            // Administration.
            "metaSave",
            "saveNamespace",
            "restoreFailedStorage",
            "refreshNodes",
            "setBalancerBandwidth",
            "rollEditLog",
            "finalizeUpgrade",
            "startRollingUpgrade",
            "finalizeRollingUpgrade");

    private static final String CONCAT = "concat";
    private static final String RENAME = "rename";

    private final InodePaths inodes;
    private final Listener listener;

    public NamespaceChanges(InodePaths inodes, Listener listener) {
        this.inodes = inodes;
        this.listener = listener;
    }

    /**
     * An operation has succeeded, by HDFS's audit log.
     *
     * @param command its name; options may stand behind a blank
     * @param source a path, several in brackets, another text, or null
     * @param target a path or null
     */
    public void audited(String command, @Nullable String source, @Nullable String target) {
        String name = nameOf(command);
        if (UNCHANGING.contains(name)) {
            return;
        }
        if (name.equals(RENAME) && source != null && NamespacePath.of(source) == null) {
            // The inode has the new path by now, and the old path is unknown.
            everythingChanged();
        } else if (name.equals(CONCAT)) {
            changedBeside(target);
        } else {
            changedIfPath(source);
            changedIfPath(target);
        }
    }

    private static String nameOf(String command) {
        int end = command.indexOf(' ');
        return end < 0 ? command : command.substring(0, end);
    }

    private void changedIfPath(@Nullable String path) {
        if (path != null && path.startsWith("/")) {
            changed(path);
        }
    }

    /**
     * The audit log joins the names of sources. They cannot be separated again, because a name may hold any character except a
     * slash.
     */
    private void changedBeside(@Nullable String path) {
        String plain = path == null ? null : plain(path);
        if (plain == null) {
            everythingChanged();
        } else {
            report(NamespacePath.parent(plain));
        }
    }

    /** A file, or a directory with all below it, has changed; its path as the caller wrote it. */
    public void changed(String path) {
        String plain = plain(path);
        if (plain == null) {
            everythingChanged();
        } else {
            report(plain);
        }
    }

    private @Nullable String plain(String path) {
        String plain = NamespacePath.of(path);
        return plain == null ? NamespacePath.of(inodes.resolve(path)) : plain;
    }

    private void report(String plain) {
        try {
            listener.changed(plain);
        } catch (RuntimeException | Error e) {
            listener.everythingChanged();
            throw e;
        }
    }

    /** Anything may have changed. */
    public void everythingChanged() {
        listener.everythingChanged();
    }
}

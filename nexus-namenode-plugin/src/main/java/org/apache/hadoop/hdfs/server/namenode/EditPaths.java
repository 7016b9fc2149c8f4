/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which paths an edit changes. HDFS writes resolved paths into edits: none begins with {@code /.reserved}. An edit of a kind that
 * is not known here may have changed anything. Stands in this package to reach the edits' fields. Stateless.
 */
final class EditPaths {

    /** The edits that leave all granted entries as they are: of files under construction, of other things than files, of the log. */
    static final Set<FSEditLogOpCodes> UNCHANGING = Collections.unmodifiableSet(EnumSet.of(
            FSEditLogOpCodes.OP_MKDIR,
            FSEditLogOpCodes.OP_CLOSE,
            FSEditLogOpCodes.OP_ADD_BLOCK,
            FSEditLogOpCodes.OP_UPDATE_BLOCKS,
            FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID,
            FSEditLogOpCodes.OP_SET_GENSTAMP_V1,
            FSEditLogOpCodes.OP_SET_GENSTAMP_V2,
            FSEditLogOpCodes.OP_REASSIGN_LEASE,
            FSEditLogOpCodes.OP_SET_NS_QUOTA,
            FSEditLogOpCodes.OP_CLEAR_NS_QUOTA,
            FSEditLogOpCodes.OP_SET_QUOTA,
            FSEditLogOpCodes.OP_SET_QUOTA_BY_STORAGETYPE,
            FSEditLogOpCodes.OP_GET_DELEGATION_TOKEN,
            FSEditLogOpCodes.OP_RENEW_DELEGATION_TOKEN,
            FSEditLogOpCodes.OP_CANCEL_DELEGATION_TOKEN,
            FSEditLogOpCodes.OP_UPDATE_MASTER_KEY,
            FSEditLogOpCodes.OP_START_LOG_SEGMENT,
            FSEditLogOpCodes.OP_END_LOG_SEGMENT,
            FSEditLogOpCodes.OP_ALLOW_SNAPSHOT,
            FSEditLogOpCodes.OP_DISALLOW_SNAPSHOT,
            FSEditLogOpCodes.OP_CREATE_SNAPSHOT,
            FSEditLogOpCodes.OP_ADD_CACHE_DIRECTIVE,
            FSEditLogOpCodes.OP_MODIFY_CACHE_DIRECTIVE,
            FSEditLogOpCodes.OP_REMOVE_CACHE_DIRECTIVE,
            FSEditLogOpCodes.OP_ADD_CACHE_POOL,
            FSEditLogOpCodes.OP_MODIFY_CACHE_POOL,
            FSEditLogOpCodes.OP_REMOVE_CACHE_POOL,
            FSEditLogOpCodes.OP_ROLLING_UPGRADE_START,
            FSEditLogOpCodes.OP_ROLLING_UPGRADE_FINALIZE,
            FSEditLogOpCodes.OP_ADD_ERASURE_CODING_POLICY,
            FSEditLogOpCodes.OP_ENABLE_ERASURE_CODING_POLICY,
            FSEditLogOpCodes.OP_DISABLE_ERASURE_CODING_POLICY,
            FSEditLogOpCodes.OP_REMOVE_ERASURE_CODING_POLICY));

    /** In an edit of times, the time that is not set. */
    private static final long UNSET = -1;

    private EditPaths() {}

    static void report(FSEditLogOp edit, Consumer<String> changed, Runnable everything) {
        if (UNCHANGING.contains(edit.opCode)) {
            return;
        }
        switch (edit.opCode) {
            case OP_ADD:
                changed.accept(((FSEditLogOp.AddCloseOp) edit).path);
                break;
            case OP_APPEND:
                changed.accept(((FSEditLogOp.AppendOp) edit).path);
                break;
            case OP_TRUNCATE:
                changed.accept(((FSEditLogOp.TruncateOp) edit).src);
                break;
            case OP_DELETE:
                changed.accept(((FSEditLogOp.DeleteOp) edit).path);
                break;
            case OP_RENAME_OLD:
                changed.accept(((FSEditLogOp.RenameOldOp) edit).src);
                changed.accept(((FSEditLogOp.RenameOldOp) edit).dst);
                break;
            case OP_RENAME:
                changed.accept(((FSEditLogOp.RenameOp) edit).src);
                changed.accept(((FSEditLogOp.RenameOp) edit).dst);
                break;
            case OP_CONCAT_DELETE:
                changed.accept(((FSEditLogOp.ConcatDeleteOp) edit).trg);
                for (String source : ((FSEditLogOp.ConcatDeleteOp) edit).srcs) {
                    changed.accept(source);
                }
                break;
            case OP_SYMLINK:
                changed.accept(((FSEditLogOp.SymlinkOp) edit).path);
                break;
            case OP_SET_REPLICATION:
                changed.accept(((FSEditLogOp.SetReplicationOp) edit).path);
                break;
            case OP_SET_PERMISSIONS:
                changed.accept(((FSEditLogOp.SetPermissionsOp) edit).src);
                break;
            case OP_SET_OWNER:
                changed.accept(((FSEditLogOp.SetOwnerOp) edit).src);
                break;
            case OP_TIMES:
                reportTimes((FSEditLogOp.TimesOp) edit, changed);
                break;
            case OP_SET_ACL:
                changed.accept(((FSEditLogOp.SetAclOp) edit).src);
                break;
            case OP_SET_XATTR:
                changed.accept(((FSEditLogOp.SetXAttrOp) edit).src);
                break;
            case OP_REMOVE_XATTR:
                changed.accept(((FSEditLogOp.RemoveXAttrOp) edit).src);
                break;
            case OP_SET_STORAGE_POLICY:
                changed.accept(((FSEditLogOp.SetStoragePolicyOp) edit).path);
                break;
            case OP_DELETE_SNAPSHOT:
                changed.accept(snapshot(
                        ((FSEditLogOp.DeleteSnapshotOp) edit).snapshotRoot,
                        ((FSEditLogOp.DeleteSnapshotOp) edit).snapshotName));
                break;
            case OP_RENAME_SNAPSHOT:
                changed.accept(snapshot(
                        ((FSEditLogOp.RenameSnapshotOp) edit).snapshotRoot,
                        ((FSEditLogOp.RenameSnapshotOp) edit).snapshotOldName));
                changed.accept(snapshot(
                        ((FSEditLogOp.RenameSnapshotOp) edit).snapshotRoot,
                        ((FSEditLogOp.RenameSnapshotOp) edit).snapshotNewName));
                break;
            default:
                everything.run();
        }
    }

    /** Each read may move an access time, which is no reason to forget an entry. */
    private static void reportTimes(FSEditLogOp.TimesOp edit, Consumer<String> changed) {
        if (edit.mtime != UNSET) {
            changed.accept(edit.path);
        }
    }

    private static String snapshot(String root, String name) {
        return root + "/.snapshot/" + name;
    }
}

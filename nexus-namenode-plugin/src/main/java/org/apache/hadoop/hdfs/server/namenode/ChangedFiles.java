/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Examines files before a change: are they old, and may the caller change them? Stands in this package to reach package-private members of HDFS.
 * Takes the namesystem's read lock for each look. Thread-safe.
 */
public final class ChangedFiles {

    private final FSNamesystem namesystem;
    private final NamesystemLock lock;
    private final boolean asksEnforcer;

    /**
     * Looks at the files of a NameNode.
     *
     * @param asksEnforcer whether an external enforcer may be asked; if not, every caller that it decides on may change everything
     */
    public ChangedFiles(NameNode nameNode, boolean asksEnforcer) throws ReflectiveOperationException {
        this.namesystem = nameNode.getNamesystem();
        this.lock = NamesystemLock.read();
        this.asksEnforcer = asksEnforcer;
    }

    /** The highest id of an inode so far; HDFS gives them out in ascending order. */
    public long lastInodeId() {
        return namesystem.getFSDirectory().getLastInodeId();
    }

    /**
     * Whether there is an old file or directory at one of the paths; true if that is unknown.
     *
     * @param lastOld the highest id of an old inode
     */
    public boolean isAnyOld(List<String> paths, long lastOld) {
        lock.lock(namesystem);
        try {
            for (String path : paths) {
                if (isOld(path, lastOld)) {
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock(namesystem);
        }
    }

    private boolean isOld(String path, long lastOld) {
        try {
            INode found = namesystem.getFSDirectory().getINode(path, DirOp.READ_LINK);
            return found != null && found.getId() <= lastOld;
        } catch (ParentNotDirectoryException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Whether the caller of the RPC in hand has some right without which HDFS allows no change of a path: to write it, or its directory, or
     * as its owner. Says nothing more; HDFS decides. A path that is not there may be changed by everybody who can look for it.
     */
    public boolean mayChange(String path) throws IOException {
        FSPermissionChecker caller = namesystem.getPermissionChecker();
        if (caller.isSuperUser() || !namesystem.getFSDirectory().isPermissionEnabled()) {
            return true;
        }
        if (caller.getAttributesProvider() != null && !asksEnforcer) {
            return true;
        }
        FSPermissionChecker.setOperationType(NamesystemLock.READ_NAME);
        lock.lock(namesystem);
        try {
            INodesInPath found = namesystem.getFSDirectory().resolvePath(caller, path, DirOp.READ_LINK);
            return found.getLastINode() == null
                    || (found.length() > 1 && isAllowed(caller, found, false, FsAction.WRITE, null))
                    || isAllowed(caller, found, false, null, FsAction.WRITE)
                    || isAllowed(caller, found, true, null, null);
        } catch (AccessControlException e) {
            return false;
        } catch (FileNotFoundException | ParentNotDirectoryException | UnresolvedLinkException e) {
            return true;
        } finally {
            lock.unlock(namesystem);
        }
    }

    private boolean isAllowed(
            FSPermissionChecker caller,
            INodesInPath found,
            boolean asOwner,
            @Nullable FsAction onParent,
            @Nullable FsAction onPath)
            throws IOException {
        try {
            namesystem.getFSDirectory().checkPermission(caller, found, asOwner, null, onParent, onPath, null);
            return true;
        } catch (AccessControlException e) {
            return false;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.jspecify.annotations.Nullable;

/**
 * Reads edits that a NameNode has applied, and paths by inode. Stands in this package to reach package-private members of HDFS. Thread-safe.
 *
 * <p>Edits are read from the journals as HDFS's own tailer reads them, but without the lock that the tailer holds: the journals may be
 * read by several at once, as {@code getEditsFromTxid} does.
 */
public final class TailedEdits {

    private final NameNode nameNode;
    private final NamesystemLock lock;
    private final boolean inProgress;

    public TailedEdits(NameNode nameNode) throws ReflectiveOperationException {
        this.nameNode = nameNode;
        this.lock = NamesystemLock.read();
        this.inProgress = nameNode.getConf()
                .getBoolean(
                        DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_KEY,
                        DFSConfigKeys.DFS_HA_TAILEDITS_INPROGRESS_DEFAULT);
    }

    /** The NameNode's audit loggers, with Foresight's if it is configured. */
    public List<AuditLogger> auditLoggers() {
        return nameNode.getNamesystem().getAuditLoggers();
    }

    public boolean isActive() {
        return nameNode.isActiveState();
    }

    public long lastTransition() {
        return nameNode.getLastHATransitionTime();
    }

    /** The last edit that was applied. HDFS sets it with the namesystem locked, after the edit's change is to be seen. */
    public long lastApplied() {
        return nameNode.getNamesystem().getFSImage().getLastAppliedTxId();
    }

    /**
     * Reads edits and reports the paths that they have changed.
     *
     * @param after the last one not to be read
     * @param upTo the last one to be read, which was applied
     * @return the last edit that was read, or {@code after} if there was none
     */
    public long read(long after, long upTo, Consumer<String> changed, Runnable everything) throws IOException {
        List<EditLogInputStream> streams = new ArrayList<>();
        nameNode.getNamesystem().getFSImage().getEditLog().selectInputStreams(streams, after + 1, inProgress, true);
        long read = after;
        try {
            for (EditLogInputStream stream : streams) {
                read = read(stream, read, upTo, changed, everything);
                if (read == upTo) {
                    break;
                }
            }
        } finally {
            FSEditLog.closeAllStreams(streams);
        }
        return read;
    }

    private static long read(
            EditLogInputStream stream, long after, long upTo, Consumer<String> changed, Runnable everything)
            throws IOException {
        if (stream.getFirstTxId() > after + 1) {
            return after;
        }
        long read = after;
        while (read < upTo) {
            FSEditLogOp edit = stream.readOp();
            if (edit == null) {
                break;
            }
            if (edit.getTransactionId() > read) {
                EditPaths.report(edit, changed, everything);
                read = edit.getTransactionId();
            }
        }
        return read;
    }

    /** The path that one with an inode's id stands for; null if the inode is not there. Takes the namesystem's read lock. */
    public @Nullable String resolve(String path) {
        FSNamesystem namesystem = nameNode.getNamesystem();
        lock.lock(namesystem);
        try {
            return FSDirectory.resolvePath(path, namesystem.getFSDirectory());
        } catch (FileNotFoundException e) {
            return null;
        } finally {
            lock.unlock(namesystem);
        }
    }
}

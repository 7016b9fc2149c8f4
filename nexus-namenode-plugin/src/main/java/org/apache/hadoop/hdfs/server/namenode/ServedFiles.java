/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.ipc.CallerContext;
import org.jspecify.annotations.Nullable;

/**
 * Does for files that clients have opened by themselves what {@code getBlockLocations} does besides answering: finds their paths, hands
 * the opens to the cluster's audit loggers, and sets access times. Never on a handler. Stands in this package to reach package-private members
 * of HDFS. Thread-safe.
 */
public final class ServedFiles {

    /** A file that was opened. Immutable. */
    public static final class Served {
        private final String path;
        private final long inodeId;
        private final boolean accessTimeDue;

        /**
         * A file.
         *
         * @param accessTimeDue whether its access time is older than the precision in which HDFS keeps it
         */
        public Served(String path, long inodeId, boolean accessTimeDue) {
            this.path = path;
            this.inodeId = inodeId;
            this.accessTimeDue = accessTimeDue;
        }

        public String path() {
            return path;
        }

        public long inodeId() {
            return inodeId;
        }

        public boolean isAccessTimeDue() {
            return accessTimeDue;
        }
    }

    private final NameNode nameNode;
    private final FSNamesystem namesystem;
    private final NamesystemLock lock;
    private final NamesystemLock writeLock;
    private final int contextMax;

    public ServedFiles(NameNode nameNode) throws ReflectiveOperationException {
        this.nameNode = nameNode;
        this.namesystem = nameNode.getNamesystem();
        this.lock = NamesystemLock.read();
        this.writeLock = NamesystemLock.writeNames();
        Configuration conf = nameNode.getConf();
        boolean withContext = conf.getBoolean(
                CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_ENABLED_KEY,
                CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_ENABLED_DEFAULT);
        this.contextMax = withContext
                ? conf.getInt(
                        CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_MAX_SIZE_KEY,
                        CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_MAX_SIZE_DEFAULT)
                : 0;
    }

    /** How many characters of a caller context HDFS's audit log shows; 0 for none. */
    public int contextMax() {
        return contextMax;
    }

    /**
     * Finds files under one read lock.
     *
     * @param firstBlocks the files' first blocks' ids
     * @param openedMillis when they were opened, wall clock
     * @return each file, in order; null for a deleted file
     */
    public List<@Nullable Served> find(long[] firstBlocks, long openedMillis) {
        List<@Nullable Served> found = new ArrayList<>(firstBlocks.length);
        FSDirectory directory = namesystem.getFSDirectory();
        boolean keepsTimes = directory.isAccessTimeSupported();
        lock.lock(namesystem);
        try {
            for (long firstBlock : firstBlocks) {
                BlockInfo block = namesystem.getBlockManager().getStoredBlock(new Block(firstBlock));
                INode inode = block == null ? null : directory.getInode(block.getBlockCollectionId());
                if (inode == null || !inode.isFile()) {
                    found.add(null);
                } else {
                    boolean due =
                            keepsTimes && openedMillis > inode.getAccessTime() + directory.getAccessTimePrecision();
                    found.add(new Served(inode.getFullPathName(), inode.getId(), due));
                }
            }
        } finally {
            lock.unlock(namesystem);
        }
        return found;
    }

    /** Whether HDFS keeps access times. */
    public boolean keepsTimes() {
        return namesystem.getFSDirectory().isAccessTimeSupported();
    }

    /**
     * Sets files' access times as {@code getBlockLocations} does, all under one write lock: where they are older than HDFS's precision, and
     * without waiting for the edit log. Does nothing on a NameNode that is not active, or in safe mode.
     *
     * @return how many of the files are there
     */
    public int setAccessTimes(long[] inodeIds, long millis) throws IOException {
        int found = 0;
        if (!isWritable()) {
            return found;
        }
        FSDirectory directory = namesystem.getFSDirectory();
        writeLock.lock(namesystem);
        try {
            if (!isWritable()) {
                return found;
            }
            for (long inodeId : inodeIds) {
                INode inode = directory.getInode(inodeId);
                if (inode != null && inode.isFile() && setAccessTime(directory, inode, millis)) {
                    found++;
                }
            }
        } finally {
            writeLock.unlock(namesystem);
        }
        return found;
    }

    /** Whether the file is there, and not in a snapshot alone. */
    private boolean setAccessTime(FSDirectory directory, INode inode, long millis) throws IOException {
        String path = inode.getFullPathName();
        INodesInPath file = directory.getINodesInPath(path, FSDirectory.DirOp.READ);
        if (!inode.equals(file.getLastINode())) {
            return false;
        }
        if (FSDirAttrOp.setTimes(directory, file, -1, millis, false)) {
            namesystem.getEditLog().logTimes(path, -1, millis);
        }
        return true;
    }

    private boolean isWritable() {
        return nameNode.isActiveState() && !namesystem.isInSafeMode();
    }

    /** Hands an open to the cluster's audit loggers, as HDFS would have on the handler. */
    public void audit(String user, @Nullable InetAddress address, String path, @Nullable CallerContext context) {
        for (AuditLogger logger : namesystem.getAuditLoggers()) {
            if (logger instanceof HdfsAuditLogger) {
                ((HdfsAuditLogger) logger)
                        .logAuditEvent(true, user, address, "open", path, null, null, context, null, null);
            } else {
                logger.logAuditEvent(true, user, address, "open", path, null, null);
            }
        }
    }
}

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
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Does for files that clients have opened by themselves what {@code getBlockLocations} does besides answering: finds their paths, hands
 * the opens to the cluster's audit loggers, and sets access times. Never on a handler. Stands in this package to reach what is private
 * to it. Thread-safe.
 */
@NullMarked
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
    private final ReadLock lock;
    private final int contextMax;

    public ServedFiles(NameNode nameNode) throws ReflectiveOperationException {
        this.nameNode = nameNode;
        this.namesystem = nameNode.getNamesystem();
        this.lock = ReadLock.find();
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
     * @return each file, in order; null for one that is there no longer
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

    /** Whether this NameNode may change access times now. */
    public boolean isWritable() {
        return nameNode.isActiveState() && !namesystem.isInSafeMode();
    }

    /**
     * Sets a file's access time, as the NameNode itself. Takes the write lock for this one file, and waits for the edit log.
     *
     * @throws IOException if the file is gone, or this NameNode has become standby
     */
    public void setAccessTime(long inodeId, long millis) throws IOException {
        namesystem.setTimes("/.reserved/.inodes/" + inodeId, -1, millis);
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Reads files' layouts as the caller of the RPC in hand would, several under one read lock, with the checks of
 * {@code getBlockLocations} and without its side effects: no access time is set and nothing is written to HDFS's audit log. Stands
 * in this package to reach what is private to it. Thread-safe.
 */
@NullMarked
public final class NamespaceReader {

    /** Why a file is not read for the caller. */
    public enum Refusal {
        /** There is no such file, any more or yet. */
        UNKNOWN,
        NOT_PERMITTED,
        UNDER_CONSTRUCTION,
        /** It has a block without a location, or one that is corrupt. */
        UNLOCATED
    }

    /** A file as it is to be looked up. */
    public static final class Wanted {
        private final long firstBlockId;
        private final @Nullable String path;
        private final int confidenceClass;

        private Wanted(long firstBlockId, @Nullable String path, int confidenceClass) {
            this.firstBlockId = firstBlockId;
            this.path = path;
            this.confidenceClass = confidenceClass;
        }

        public static Wanted byFirstBlock(long blockId, int confidenceClass) {
            return new Wanted(blockId, null, confidenceClass);
        }

        public static Wanted byPath(String path, int confidenceClass) {
            return new Wanted(0, path, confidenceClass);
        }

        public int confidenceClass() {
            return confidenceClass;
        }
    }

    /** A file that the caller may read, with content that is complete. */
    public static final class ReadableFile {
        private final Wanted wanted;
        private final String path;
        private final LocatedBlocks blocks;
        private final @Nullable HdfsFileStatus status;

        private ReadableFile(Wanted wanted, String path, LocatedBlocks blocks, @Nullable HdfsFileStatus status) {
            this.wanted = wanted;
            this.path = path;
            this.blocks = blocks;
            this.status = status;
        }

        public Wanted wanted() {
            return wanted;
        }

        public String path() {
            return path;
        }

        /** At least one block, each with a location, not sorted yet. */
        public LocatedBlocks blocks() {
            return blocks;
        }

        /** Null if it was not asked for. */
        public @Nullable HdfsFileStatus status() {
            return status;
        }
    }

    private final FSNamesystem namesystem;
    private final ReadLock lock;
    private final boolean avoidsStale;
    private final long staleMillis;

    public NamespaceReader(NameNode nameNode) throws ReflectiveOperationException {
        this.namesystem = nameNode.getNamesystem();
        this.lock = ReadLock.find();
        Configuration conf = nameNode.getConf();
        this.avoidsStale = conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_READ_KEY,
                DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_READ_DEFAULT);
        this.staleMillis = conf.getLong(
                DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
                DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
    }

    /** Whether files may be told of at all. */
    public boolean isServing() {
        return !namesystem.isInSafeMode();
    }

    /** Whether the caller of the RPC in hand is a superuser. */
    public boolean isCallerSuperuser() throws AccessControlException {
        return namesystem.getPermissionChecker().isSuperUser();
    }

    public String blockPoolId() {
        return namesystem.getBlockPoolId();
    }

    /**
     * Reads files.
     *
     * @param blocksMax the most blocks of each
     * @param withStatus whether the files' status is wanted too
     * @param readable told each file that the caller may read, in order, with the lock held: it must be brief
     * @param refused told why, for each that is not
     */
    public void read(
            List<Wanted> files,
            int blocksMax,
            boolean withStatus,
            Consumer<ReadableFile> readable,
            Consumer<Refusal> refused)
            throws IOException {
        FSPermissionChecker caller = namesystem.getPermissionChecker();
        lock.lock(namesystem);
        try {
            for (Wanted file : files) {
                read(file, blocksMax, withStatus, caller, readable, refused);
            }
        } finally {
            lock.unlock(namesystem);
        }
    }

    private void read(
            Wanted file,
            int blocksMax,
            boolean withStatus,
            FSPermissionChecker caller,
            Consumer<ReadableFile> readable,
            Consumer<Refusal> refused)
            throws IOException {
        FSDirectory directory = namesystem.getFSDirectory();
        INode inode = file.path == null ? inodeOf(file.firstBlockId) : directory.getINode(file.path);
        if (inode == null || !inode.isFile()) {
            refused.accept(Refusal.UNKNOWN);
            return;
        }
        if (inode.asFile().isUnderConstruction()) {
            refused.accept(Refusal.UNDER_CONSTRUCTION);
            return;
        }
        String path = inode.getFullPathName();
        try {
            long length = inode.asFile().getPreferredBlockSize() * blocksMax;
            FSDirStatAndListingOp.GetBlockLocationsResult result =
                    FSDirStatAndListingOp.getBlockLocations(directory, caller, path, 0, length, true);
            if (!inode.equals(result.getIIp().getLastINode())) {
                refused.accept(Refusal.UNKNOWN);
            } else if (!isLocated(result.blocks)) {
                refused.accept(Refusal.UNLOCATED);
            } else {
                HdfsFileStatus status =
                        withStatus ? FSDirStatAndListingOp.getFileInfo(directory, result.getIIp(), false, false) : null;
                readable.accept(new ReadableFile(file, path, result.blocks, status));
            }
        } catch (AccessControlException e) {
            refused.accept(Refusal.NOT_PERMITTED);
        } catch (FileNotFoundException | UnresolvedLinkException e) {
            refused.accept(Refusal.UNKNOWN);
        }
    }

    private @Nullable INode inodeOf(long firstBlockId) {
        BlockInfo block = namesystem.getBlockManager().getStoredBlock(new Block(firstBlockId));
        return block == null ? null : namesystem.getFSDirectory().getInode(block.getBlockCollectionId());
    }

    private static boolean isLocated(LocatedBlocks blocks) {
        for (LocatedBlock block : blocks.getLocatedBlocks()) {
            if (block.isCorrupt() || block.getLocations().length == 0) {
                return false;
            }
        }
        return blocks.locatedBlockCount() > 0;
    }

    /** Orders a layout's replicas by their distance from a reader, as HDFS does. */
    public void sort(String readerAddress, LocatedBlocks blocks) {
        namesystem.getBlockManager().getDatanodeManager().sortLocatedBlocks(readerAddress, blocks.getLocatedBlocks());
    }

    /** The network location of a host, from what HDFS has resolved already; an empty text where it is not known. */
    public String locationOf(String address) {
        DatanodeManager nodes = namesystem.getBlockManager().getDatanodeManager();
        DatanodeDescriptor node = nodes.getDatanodeByHost(address);
        if (node != null) {
            return node.getNetworkLocation();
        }
        List<String> locations = nodes.resolveNetworkLocation(List.of(address));
        String location = locations == null || locations.isEmpty() ? null : locations.get(0);
        return location == null ? "" : location;
    }

    /** Whether HDFS puts a DataNode behind others that are as near to a reader, being stale or slow. */
    public boolean isAvoided(DatanodeInfo node) {
        DatanodeManager nodes = namesystem.getBlockManager().getDatanodeManager();
        return (avoidsStale && node.isStale(staleMillis))
                || (nodes.getEnableAvoidSlowDataNodesForRead()
                        && DatanodeManager.getSlowNodesUuidSet().contains(node.getDatanodeUuid()));
    }

    /**
     * The namesystem's read lock, for names and blocks both. Up to Hadoop 3.4 there is one lock; from 3.5 on it is taken in a mode,
     * of which {@code GLOBAL} is what {@code getBlockLocations} takes.
     */
    private static final class ReadLock {
        private static final String NAME = "foresightPrefetch";

        private final MethodHandle lock;
        private final MethodHandle unlock;

        private ReadLock(MethodHandle lock, MethodHandle unlock) {
            this.lock = lock;
            this.unlock = unlock;
        }

        static ReadLock find() throws ReflectiveOperationException {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            try {
                return new ReadLock(
                        lookup.findVirtual(FSNamesystem.class, "readLock", MethodType.methodType(void.class)),
                        lookup.findVirtual(
                                FSNamesystem.class, "readUnlock", MethodType.methodType(void.class, String.class)));
            } catch (NoSuchMethodException upTo34) {
                Class<?> mode = Class.forName("org.apache.hadoop.hdfs.util.RwLockMode");
                Object global = mode.getField("GLOBAL").get(null);
                return new ReadLock(
                        MethodHandles.insertArguments(
                                lookup.findVirtual(
                                        FSNamesystem.class, "readLock", MethodType.methodType(void.class, mode)),
                                1,
                                global),
                        MethodHandles.insertArguments(
                                lookup.findVirtual(
                                        FSNamesystem.class,
                                        "readUnlock",
                                        MethodType.methodType(void.class, mode, String.class)),
                                1,
                                global));
            }
        }

        void lock(FSNamesystem namesystem) {
            try {
                lock.invokeExact(namesystem);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("the namesystem could not be locked", e);
            }
        }

        void unlock(FSNamesystem namesystem) {
            try {
                unlock.invokeExact(namesystem, NAME);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("the namesystem could not be unlocked", e);
            }
        }
    }
}

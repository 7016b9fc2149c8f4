/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import io.github.foresight.core.guard.ReadLimits;
import io.github.foresight.core.guard.UserAccessHistory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.ReaderDistances;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Reads files' layouts as the caller of the RPC in hand would, several under one hold of the read lock, with the checks of
 * {@code getBlockLocations} and without its side effects: no access time is set and nothing is written to HDFS's audit log.
 *
 * <p>A file's path is given only to a caller who may list its directory or has opened that path. An external enforcer
 * ({@code dfs.namenode.inode.attributes.provider.class}) is asked only if {@link UserAccessHistory} allows it, and not again about a file
 * that it has refused lately.
 *
 * <p>One hold of the lock covers as many files and goes on as long as {@link ReadLimits} says; between two holds others have the lock.
 * A file that fails is left out, the others are read.
 *
 * <p>Stands in this package to reach package-private members of HDFS. Thread-safe.
 */
public final class NamespaceReader {

    /** Why a file is not read for the caller. */
    public enum Refusal {
        /** There is no such file, any more or yet. */
        UNKNOWN,
        NOT_PERMITTED,
        UNDER_CONSTRUCTION,
        /** A block of the file has no location or is corrupt. */
        UNLOCATED,
        /** The caller may read it, but neither list its directory nor has opened its path. */
        NOT_LISTABLE,
        /** An external enforcer decides, which is not to be asked, or has refused the file lately. */
        LEFT_TO_ENFORCER,
        /** Too many wait for the namesystem's lock, or this NameNode no longer serves reads. */
        NOT_NOW,
        /** It could not be read; {@link Answers#failed} receives the cause. */
        FAILED
    }

    /** Events for the metrics. Each method is called by many threads and must be brief. */
    public interface Events {

        /** The lock was given up in the middle of a prediction. */
        void yielded();

        /** Nothing is predicted as too many wait for the lock or for a handler. */
        void skipped();

        /** Fewer files are predicted, as HDFS's scheduler has lowered the caller's priority. */
        void limited();
    }

    /** Receives the files in their order, with the namesystem's lock held. Each method must be brief. */
    public interface Answers {

        /** The caller may read a file. */
        void readable(ReadableFile file);

        /** A file is left out. */
        void refused(Refusal reason);

        /** A file could not be read, and is {@linkplain #refused refused} as {@link Refusal#FAILED}. */
        void failed(Throwable cause);
    }

    /** A file as it is to be looked up. */
    public static final class Wanted {
        private final long firstBlockId;
        private final @Nullable String path;
        private final int confidenceClass;
        private final boolean named;

        private Wanted(long firstBlockId, @Nullable String path, int confidenceClass, boolean named) {
            this.firstBlockId = firstBlockId;
            this.path = path;
            this.confidenceClass = confidenceClass;
            this.named = named;
        }

        public static Wanted byFirstBlock(long blockId, int confidenceClass) {
            return new Wanted(blockId, null, confidenceClass, true);
        }

        /** A file whose path is not sent to the caller. The caller need not have the right to list its directory. */
        public static Wanted unnamed(long blockId, int confidenceClass) {
            return new Wanted(blockId, null, confidenceClass, false);
        }

        public static Wanted byPath(String path, int confidenceClass) {
            return new Wanted(0, path, confidenceClass, true);
        }

        /** A file of which the caller knows the path. */
        public static Wanted asked(String path) {
            return new Wanted(0, path, 0, false);
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
    private final NameNodeRpcServer rpcServer;
    private final NamesystemLock lock;
    private final ReadLimits limits;
    private final UserAccessHistory accessHistory;
    private final boolean asksEnforcer;
    private final Events events;
    private final boolean avoidsStale;
    private final long staleMillis;
    private final boolean considersStorageType;
    private final boolean considersLoad;

    /**
     * Reads the files of a NameNode.
     *
     * @param accessHistory what users have opened and were refused
     * @param asksEnforcer whether an external enforcer may be asked about files that no user has asked for
     */
    public NamespaceReader(
            NameNode nameNode, ReadLimits limits, UserAccessHistory accessHistory, boolean asksEnforcer, Events events)
            throws ReflectiveOperationException {
        this.namesystem = nameNode.getNamesystem();
        this.rpcServer = (NameNodeRpcServer) nameNode.getRpcServer();
        this.lock = NamesystemLock.read();
        this.limits = limits;
        this.accessHistory = accessHistory;
        this.asksEnforcer = asksEnforcer;
        this.events = events;
        Configuration conf = nameNode.getConf();
        this.avoidsStale = conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_READ_KEY,
                DFSConfigKeys.DFS_NAMENODE_AVOID_STALE_DATANODE_FOR_READ_DEFAULT);
        this.staleMillis = conf.getLong(
                DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
                DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
        this.considersStorageType = conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_READ_CONSIDERSTORAGETYPE_KEY,
                DFSConfigKeys.DFS_NAMENODE_READ_CONSIDERSTORAGETYPE_DEFAULT);
        this.considersLoad = conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_READ_CONSIDERLOAD_KEY, DFSConfigKeys.DFS_NAMENODE_READ_CONSIDERLOAD_DEFAULT);
    }

    /** Whether files may be predicted now: this NameNode serves reads, and not too many calls wait for it. */
    public boolean isServing() {
        if (namesystem.isInSafeMode() || !servesReads()) {
            return false;
        }
        if (limits.areCallsWaiting(rpcServer.getClientRpcServer().getCallQueueLen()) || isLockBusy()) {
            events.skipped();
            return false;
        }
        return true;
    }

    /**
     * How many files may be predicted for the caller of the RPC in hand, which HDFS's scheduler may have put behind others.
     *
     * @param most files of a caller at the highest priority
     */
    public int filesAtPriority(int most) {
        int priority = Server.getPriorityLevel();
        if (priority <= 0) {
            return most;
        }
        int files = limits.filesAt(priority, rpcServer.getClientRpcServer().getCallQueueLen(), most);
        if (files < most) {
            events.limited();
        }
        return files;
    }

    private boolean servesReads() {
        try {
            namesystem.checkOperation(OperationCategory.READ);
            return true;
        } catch (StandbyException e) {
            return false;
        }
    }

    private boolean isLockBusy() {
        return limits.isLockBusy(namesystem.getFsLockQueueLength());
    }

    /** Whether the caller of the RPC in hand is a superuser. */
    public boolean isCallerSuperuser() throws AccessControlException {
        return namesystem.getPermissionChecker().isSuperUser();
    }

    public String blockPoolId() {
        return namesystem.getBlockPoolId();
    }

    /** A user has opened a path, which may be named to that user again. */
    public void opened(String user, String path) {
        accessHistory.opened(user, path);
    }

    /**
     * Reads files.
     *
     * @param blocksMax the most blocks of each
     * @param withStatus whether the files' status is wanted too
     * @param answers receives each file that the caller may read, and the reason for each refusal
     */
    public void read(List<Wanted> files, int blocksMax, boolean withStatus, Answers answers) throws IOException {
        Reading reading = new Reading(blocksMax, withStatus, answers);
        if (reading.enforced && !asksEnforcer) {
            files.forEach(file -> answers.refused(Refusal.LEFT_TO_ENFORCER));
            return;
        }
        FSPermissionChecker.setOperationType(NamesystemLock.READ_NAME);
        int next = 0;
        while (next < files.size() && !isLockBusy()) {
            if (next > 0) {
                events.yielded();
            }
            next = reading.hold(files, next);
        }
        leaveOut(files, next, answers);
    }

    private static void leaveOut(List<Wanted> files, int first, Answers answers) {
        for (int left = first; left < files.size(); left++) {
            answers.refused(Refusal.NOT_NOW);
        }
    }

    /** Files that are read for one caller. Confined to a thread. */
    private final class Reading {
        private final FSDirectory directory = namesystem.getFSDirectory();
        private final FSPermissionChecker caller;
        private final String user;
        private final int blocksMax;
        private final boolean withStatus;
        private final Answers answers;

        /** Whether an external enforcer decides on this caller's rights. */
        private final boolean enforced;

        /** The directory that was looked at last in this hold of the lock, by its inode's id; 0 is none. */
        private long lastParent;

        private boolean isLastParentListable;

        Reading(int blocksMax, boolean withStatus, Answers answers) throws IOException {
            this.caller = namesystem.getPermissionChecker();
            this.user = NameNode.getRemoteUser().getUserName();
            this.blocksMax = blocksMax;
            this.withStatus = withStatus;
            this.answers = answers;
            this.enforced = caller.getAttributesProvider() != null;
        }

        /**
         * Reads files under one hold of the lock.
         *
         * @return the first that is left for another hold
         */
        int hold(List<Wanted> files, int first) {
            lock.lock(namesystem);
            try {
                if (!servesReads()) {
                    leaveOut(files, first, answers);
                    return files.size();
                }
                lastParent = 0;
                long beginNanos = System.nanoTime();
                int next = first;
                do {
                    readOrLeaveOut(files.get(next));
                    next++;
                } while (next < files.size() && !limits.isHoldOver(next - first, System.nanoTime() - beginNanos));
                return next;
            } finally {
                lock.unlock(namesystem);
            }
        }

        private void readOrLeaveOut(Wanted file) {
            Refusal refusal;
            try {
                refusal = read(file);
            } catch (AccessControlException e) {
                refusal = Refusal.NOT_PERMITTED;
            } catch (FileNotFoundException | UnresolvedLinkException | ParentNotDirectoryException e) {
                refusal = Refusal.UNKNOWN;
            } catch (VirtualMachineError e) {
                throw e;
            } catch (Throwable e) { // HDFS reports what it does not expect by AssertionError, too
                answers.failed(e);
                refusal = Refusal.FAILED;
            }
            if (refusal != null) {
                answers.refused(refusal);
            }
        }

        /** Passes a file to the answers, or returns the reason for a refusal. */
        private @Nullable Refusal read(Wanted file) throws IOException {
            // A link at the end of the path is a link, not a reason to fail.
            INode inode =
                    file.path == null ? inodeOf(file.firstBlockId) : directory.getINode(file.path, DirOp.READ_LINK);
            if (inode == null || !inode.isFile()) {
                return Refusal.UNKNOWN;
            }
            if (inode.asFile().isUnderConstruction()) {
                return Refusal.UNDER_CONSTRUCTION;
            }
            if (isRefusedLately(inode)) {
                return Refusal.LEFT_TO_ENFORCER;
            }
            String path = inode.getFullPathName();
            FSDirStatAndListingOp.GetBlockLocationsResult result;
            try {
                long length = inode.asFile().getPreferredBlockSize() * blocksMax;
                result = FSDirStatAndListingOp.getBlockLocations(directory, caller, path, 0, length, true);
            } catch (AccessControlException e) {
                rememberRefusal(inode);
                return Refusal.NOT_PERMITTED;
            }
            if (!inode.equals(result.getIIp().getLastINode())) {
                return Refusal.UNKNOWN;
            }
            if (!isLocated(result.blocks)) {
                return Refusal.UNLOCATED;
            }
            if (file.named && !mayBeNamed(path, result.getIIp())) {
                return Refusal.NOT_LISTABLE;
            }
            HdfsFileStatus status =
                    withStatus ? FSDirStatAndListingOp.getFileInfo(directory, result.getIIp(), false, false) : null;
            answers.readable(new ReadableFile(file, path, result.blocks, status));
            return null;
        }

        private boolean mayBeNamed(String path, INodesInPath file) {
            if (!directory.isPermissionEnabled()) {
                return true;
            }
            INodesInPath parent = file.getParentINodesInPath();
            INode directoryOfFile = parent.getLastINode();
            if (directoryOfFile.getId() == lastParent && isLastParentListable) {
                return true;
            }
            if (accessHistory.hasOpened(user, path)) {
                return true;
            }
            if (directoryOfFile.getId() != lastParent) {
                lastParent = directoryOfFile.getId();
                isLastParentListable = mayList(parent, directoryOfFile);
            }
            return isLastParentListable;
        }

        /** As {@code getListing} checks it. */
        private boolean mayList(INodesInPath path, INode last) {
            if (isRefusedLately(last)) {
                return false;
            }
            try {
                directory.checkPathAccess(caller, path, FsAction.READ_EXECUTE);
                return true;
            } catch (AccessControlException e) {
                rememberRefusal(last);
                return false;
            }
        }

        private boolean isRefusedLately(INode inode) {
            return enforced && accessHistory.isRefused(user, inode.getId(), System.nanoTime());
        }

        private void rememberRefusal(INode inode) {
            if (enforced) {
                accessHistory.refused(user, inode.getId(), System.nanoTime());
            }
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

    /** The distances of DataNodes from a reader, as {@link #sort} sees them. */
    public ToIntFunction<Node> distancesFrom(String readerAddress) {
        DatanodeManager nodes = namesystem.getBlockManager().getDatanodeManager();
        DatanodeDescriptor dataNode = nodes.getDatanodeByHost(readerAddress);
        return ReaderDistances.from(
                nodes.getNetworkTopology(),
                dataNode,
                readerAddress,
                dataNode == null ? nodes.resolveNetworkLocation(Collections.singletonList(readerAddress)) : null);
    }

    /** Whether {@link #sort} prefers one storage type to another. */
    public boolean isStorageTypeConsidered() {
        return considersStorageType;
    }

    /** Whether {@link #sort} prefers the less loaded DataNode. */
    public boolean isLoadConsidered() {
        return considersLoad;
    }

    /** Whether HDFS puts a DataNode behind others that are as near to a reader, being stale or slow. */
    public boolean isAvoided(DatanodeInfo node) {
        DatanodeManager nodes = namesystem.getBlockManager().getDatanodeManager();
        return (avoidsStale && node.isStale(staleMillis))
                || (nodes.getEnableAvoidSlowDataNodesForRead()
                        && DatanodeManager.getSlowNodesUuidSet().contains(node.getDatanodeUuid()));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.ReplicaNodes;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockUnderConstructionFeature;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells files by their inode ids, which HDFS does not hand to a placement policy, and by where their blocks lie: it looks them up in
 * the namesystem.
 *
 * <p>The namesystem is found from the statistics that the policy is initialised with: they are an inner class of the DatanodeManager,
 * which knows it. Where that is not so (another Hadoop, a test's own statistics) files are told by their paths.
 *
 * <p>No lock of HDFS's is taken. A lookup sees what this thread's request has seen of the namespace, and perhaps a change that is under way. So
 * what was found counts only if its own path is the one asked for, and a lookup that fails is repeated a few times. A wrong answer costs a block its
 * place on the replica node, nothing else. The lookup reads at most {@value BlockHolders#LOOKED_AT_MAX} blocks.
 *
 * <p>A file that is being written is looked up once. After that its inode is remembered, with its replica node, and known to be the path's as
 * long as its own path is still that. Only when that node can take no more is the file looked at again. A file that was renamed since keeps
 * its node while it is being written, unless its old path has become another file's. Bounded; inodes are held weakly. Thread-safe.
 */
final class NamespaceFiles implements PlacedFiles {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceFiles.class);

    /** How often a path is looked up that changes meanwhile; chosen, not measured. */
    private static final int LOOKS_MAX = 3;

    /** A file of which nothing was placed for so long may have been moved as a whole since. */
    private static final Duration IDLE_MAX = Duration.ofMinutes(1);

    private final FSNamesystem namesystem;
    private final PlacementMetrics metrics;
    private final Cache<String, FoundFile> remembered;

    private NamespaceFiles(FSNamesystem namesystem, int filesMax, PlacementMetrics metrics) {
        this.namesystem = namesystem;
        this.metrics = metrics;
        this.remembered = Caffeine.newBuilder()
                .maximumSize(filesMax)
                .expireAfterAccess(IDLE_MAX)
                .executor(Runnable::run)
                .build();
    }

    /**
     * By the namesystem behind some statistics, or else by paths.
     *
     * @param filesMax the most files that are remembered
     */
    static PlacedFiles behind(FSClusterStats stats, int filesMax, PlacementMetrics metrics)
            throws ReflectiveOperationException {
        Object nodes = fieldOf(stats, DatanodeManager.class);
        Object namesystem =
                nodes == null ? null : fieldOf(nodes, org.apache.hadoop.hdfs.server.namenode.Namesystem.class);
        if (namesystem instanceof FSNamesystem) {
            return new NamespaceFiles((FSNamesystem) namesystem, filesMax, metrics);
        }
        return new UnknownFiles(metrics);
    }

    /** A file with its inode, which is held weakly. */
    private static final class FoundFile extends PlacedFile {
        final WeakReference<INodeFile> inode;

        FoundFile(INodeFile inode) {
            super(inode.getId());
            this.inode = new WeakReference<>(inode);
        }
    }

    /** Files of which only the path is known. */
    private static final class UnknownFiles implements PlacedFiles {
        private final PlacementMetrics metrics;

        UnknownFiles(PlacementMetrics metrics) {
            this.metrics = metrics;
        }

        @Override
        public PlacedFile at(
                String path, ReplicaNodes<DatanodeDescriptor> nodes, Predicate<? super DatanodeDescriptor> isThere) {
            return byPath(path, metrics);
        }

        @Override
        public @Nullable String pathOf(long inodeId) {
            return null;
        }

        @Override
        public BlockHolders<DatanodeDescriptor> holders(long inodeId) {
            return new BlockHolders<>();
        }
    }

    /** The value of an object's field by its type, whatever its name. */
    private static @Nullable Object fieldOf(Object owner, Class<?> type) throws IllegalAccessException {
        for (Class<?> owned = owner.getClass(); owned != null; owned = owned.getSuperclass()) {
            for (Field field : owned.getDeclaredFields()) {
                if (field.getType() == type) {
                    field.setAccessible(true);
                    return field.get(owner);
                }
            }
        }
        return null;
    }

    @Override
    public PlacedFile at(
            String path, ReplicaNodes<DatanodeDescriptor> nodes, Predicate<? super DatanodeDescriptor> isThere) {
        FoundFile known = remembered.getIfPresent(path);
        INodeFile inode = known == null ? null : known.inode.get();
        if (known != null && inode != null && isAt(inode, path) && known.replicaNode(nodes, isThere) != null) {
            return known;
        }
        FoundFile found = find(path, nodes, isThere);
        if (found != null) {
            remembered.put(path, found);
            return found;
        }
        if (known != null && inode != null && inode.getParent() != null && inode.isUnderConstruction()) {
            return known;
        }
        return byPath(path, metrics);
    }

    private static PlacedFile byPath(String path, PlacementMetrics metrics) {
        metrics.byPath.incr();
        return new PlacedFile(path);
    }

    /**
     * Whether an inode's path is this one. Without the lock: what happened before this call's own use of the namesystem is seen, and
     * what happens meanwhile may count or not.
     */
    private static boolean isAt(INodeFile file, String path) {
        return path.equals(pathOf(file));
    }

    private static @Nullable String pathOf(INode inode) {
        try {
            return inode.getFullPathName();
        } catch (IndexOutOfBoundsException | NullPointerException e) {
            return null; // it is just being renamed
        }
    }

    /** The file at a path without any lock of HDFS's: what was found counts if it is at the path then. */
    private @Nullable FoundFile find(
            String path, ReplicaNodes<DatanodeDescriptor> nodes, Predicate<? super DatanodeDescriptor> isThere) {
        Long id = PlacementParts.inodeOf(path);
        FSDirectory directory = namesystem.getFSDirectory();
        for (int look = 0; look < LOOKS_MAX; look++) {
            try {
                INode inode = id == null ? directory.getINode(path) : directory.getInode(id);
                if (inode != null && inode.isFile() && (id != null || isAt(inode.asFile(), path))) {
                    FoundFile file = new FoundFile(inode.asFile());
                    file.settle(holders(inode.asFile()).most(nodes, file.number(), isThere));
                    return file;
                }
            } catch (IOException e) {
                return null; // no such path any more
            } catch (RuntimeException | AssertionError e) {
                LOG.debug("{} changed while it was looked up", path, e);
            }
        }
        return null;
    }

    @Override
    public @Nullable String pathOf(long inodeId) {
        INode inode = namesystem.getFSDirectory().getInode(inodeId);
        return inode == null ? null : pathOf(inode);
    }

    @Override
    public BlockHolders<DatanodeDescriptor> holders(long inodeId) {
        INode inode = namesystem.getFSDirectory().getInode(inodeId);
        return inode != null && inode.isFile() ? holders(inode.asFile()) : new BlockHolders<>();
    }

    private static BlockHolders<DatanodeDescriptor> holders(INodeFile file) {
        BlockInfo[] blocks = file.getBlocks();
        return BlockHolders.of(blocks.length, (holders, i) -> addHolders(blocks[i], holders));
    }

    private static void addHolders(BlockInfo block, BlockHolders<DatanodeDescriptor> holders) {
        BlockUnderConstructionFeature beingWritten = block.getUnderConstructionFeature();
        if (beingWritten != null) {
            for (DatanodeStorageInfo expected : beingWritten.getExpectedStorageLocations()) {
                holders.add(expected.getDatanodeDescriptor());
            }
        } else {
            for (Iterator<DatanodeStorageInfo> replicas = block.getStorageInfos(); replicas.hasNext(); ) {
                holders.add(replicas.next().getDatanodeDescriptor());
            }
        }
    }
}

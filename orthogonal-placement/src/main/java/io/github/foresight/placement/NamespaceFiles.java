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
 * Finds files in the namesystem, to know their inode ids and the places of their blocks. HDFS hands only a path to a placement policy.
 *
 * <p>The namesystem is found through the statistics with which the policy is initialised. The statistics are an inner class of the DatanodeManager,
 * and the DatanodeManager knows the namesystem. On another Hadoop, or with a test's own statistics, this may fail. Files are then identified by
 * their paths.
 *
 * <p>No HDFS lock is taken. A lookup sees the namespace as this thread's request has seen it, and perhaps a change in progress. Therefore a found
 * inode counts only if its own path is the requested path. A lookup that fails is repeated a few times. The only effect of a wrong answer is that a
 * block gets no place on the replica node. A lookup reads at most {@value BlockHolders#LOOKED_AT_MAX} blocks.
 *
 * <p>A file that is being written is looked up once. After the lookup its inode and its replica node are remembered. The remembered inode is valid
 * for a path as long as the inode's own path is the same. The file is looked up again only when its replica node cannot take more blocks. A renamed
 * file keeps its replica node while it is being written, unless another file takes its old path. The number of remembered files is bounded; inodes
 * are held weakly. Thread-safe.
 */
final class NamespaceFiles implements PlacedFiles {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceFiles.class);

    /** The number of lookups of a path that changes during the lookup; chosen, not measured. */
    private static final int LOOKS_MAX = 3;

    /** The time after which an idle file is forgotten. In a longer time a mover may have moved all its blocks. */
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
     * Returns the files of the namesystem behind some statistics. Without a namesystem, files are identified by their paths.
     *
     * @param filesMax the largest number of remembered files
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

    /** Files that are known by their paths only. */
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

    /** Returns the value of an object's field of a type, whatever the field's name; null if the object has no such field. */
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
        metrics.identifiedByPath.incr();
        return new PlacedFile(path);
    }

    /**
     * Whether an inode is at a path. The check takes no lock. The check sees changes before this call's own use of the namesystem. The check may or
     * may not see changes during the call.
     */
    private static boolean isAt(INodeFile file, String path) {
        return path.equals(pathOf(file));
    }

    private static @Nullable String pathOf(INode inode) {
        try {
            return inode.getFullPathName();
        } catch (IndexOutOfBoundsException | NullPointerException e) {
            return null; // the inode is being renamed
        }
    }

    /**
     * Returns the file at a path, without any HDFS lock; null if no lookup succeeds. A found inode counts only if it is at the path after the
     * lookup.
     */
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
                return null; // the path no longer exists
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

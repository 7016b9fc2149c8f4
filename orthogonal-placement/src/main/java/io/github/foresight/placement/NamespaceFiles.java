/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.foresight.core.layout.LayoutHash;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.jspecify.annotations.Nullable;

/**
 * Tells files by their inode ids, which HDFS does not hand to a placement policy: it looks them up in the namesystem.
 *
 * <p>The namesystem is found from the statistics that the policy is initialised with: they are an inner class of the DatanodeManager,
 * which knows it. Where that is not so (another Hadoop, a test's own statistics) files are told by their paths.
 *
 * <p>The lookup takes the namesystem's read lock, once for a file that is being written: after that its inode is remembered, and
 * known to be the path's as long as its own path is still that. A file that was renamed since keeps its number while it is being
 * written, though its writer still names it by its old path, unless that has become another file's. Bounded; inodes are held
 * weakly.
 */
final class NamespaceFiles implements FileNumbers {

    private static final String INODES = "/.reserved/.inodes/";

    private final FSNamesystem namesystem;
    private final ReadLock lock;
    private final PlacementMetrics metrics;
    private final Cache<String, INodeFile> remembered;

    private NamespaceFiles(FSNamesystem namesystem, ReadLock lock, int filesMax, PlacementMetrics metrics) {
        this.namesystem = namesystem;
        this.lock = lock;
        this.metrics = metrics;
        this.remembered = Caffeine.newBuilder()
                .maximumSize(filesMax)
                .weakValues()
                .executor(Runnable::run)
                .build();
    }

    /**
     * By the namesystem behind some statistics, or else by paths.
     *
     * @param filesMax the most files that are remembered
     */
    static FileNumbers behind(FSClusterStats stats, int filesMax, PlacementMetrics metrics)
            throws ReflectiveOperationException {
        Object nodes = fieldOf(stats, DatanodeManager.class);
        Object namesystem =
                nodes == null ? null : fieldOf(nodes, org.apache.hadoop.hdfs.server.namenode.Namesystem.class);
        if (namesystem instanceof FSNamesystem) {
            return new NamespaceFiles((FSNamesystem) namesystem, ReadLock.find(), filesMax, metrics);
        }
        return path -> byPath(path, metrics);
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
    public long of(String path) {
        if (path.startsWith(INODES)) {
            Long id = parse(path.substring(INODES.length()));
            if (id != null) {
                return LayoutHash.ofFile(id);
            }
        }
        INodeFile known = remembered.getIfPresent(path);
        if (known != null && isAt(known, path)) {
            return LayoutHash.ofFile(known.getId());
        }
        INodeFile found = find(path);
        if (found != null) {
            remembered.put(path, found);
            return LayoutHash.ofFile(found.getId());
        }
        if (known != null && known.getParent() != null && known.isUnderConstruction()) {
            return LayoutHash.ofFile(known.getId());
        }
        return byPath(path, metrics);
    }

    private static long byPath(String path, PlacementMetrics metrics) {
        metrics.byPath.incr();
        return LayoutHash.ofName(path);
    }

    private static @Nullable Long parse(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * Whether an inode's path is this one. Without the lock: what happened before this call's own use of the namesystem is seen, and
     * what happens meanwhile may count or not.
     */
    private static boolean isAt(INodeFile file, String path) {
        try {
            return file.getFullPathName().equals(path);
        } catch (IndexOutOfBoundsException | NullPointerException e) {
            return false; // it is just being renamed
        }
    }

    private @Nullable INodeFile find(String path) {
        lock.lock(namesystem);
        try {
            INode inode = namesystem.getFSDirectory().getINode(path);
            return inode != null && inode.isFile() ? inode.asFile() : null;
        } catch (IOException e) {
            return null; // no such path any more
        } finally {
            lock.unlock(namesystem);
        }
    }

    /** The lock for names: the only one up to Hadoop 3.4, of a mode from 3.5 on. */
    private static final class ReadLock {
        private static final String NAME = "foresightPlacement";

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
                Object names = mode.getField("FS").get(null);
                return new ReadLock(
                        MethodHandles.insertArguments(
                                lookup.findVirtual(
                                        FSNamesystem.class, "readLock", MethodType.methodType(void.class, mode)),
                                1,
                                names),
                        MethodHandles.insertArguments(
                                lookup.findVirtual(
                                        FSNamesystem.class,
                                        "readUnlock",
                                        MethodType.methodType(void.class, mode, String.class)),
                                1,
                                names));
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

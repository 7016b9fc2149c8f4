/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;

/**
 * HDFS's own lock over a replica, as narrow as each version of HDFS has it: the directory's of the replica in 3.5, the volume's in 3.4, the
 * whole data set's in 3.3. Only the replica map is changed under the lock; nothing done under it touches a disk.
 */
interface DatasetLock {

    /** Something done under the lock. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws IOException;
    }

    <T> T underWriteLock(String blockPool, String storageUuid, long blockId, Action<T> action) throws IOException;

    /** The lock of a data set, as its version of HDFS has it. */
    static DatasetLock of(FsDatasetImpl dataset) throws ReflectiveOperationException {
        Method whole;
        try {
            whole = FsDatasetImpl.class.getMethod("acquireDatasetLock");
        } catch (NoSuchMethodException e) {
            return PerDirectory.isThere() ? new PerDirectory(dataset) : new PerVolume(dataset);
        }
        return new Whole(MethodHandles.lookup().unreflect(whole).bindTo(dataset));
    }

    /** From 3.5 on. */
    final class PerDirectory implements DatasetLock {

        private static final String LEVEL = "DIR";

        private final FsDatasetImpl dataset;
        private final LockLevel level = LockLevel.valueOf(LEVEL);
        private final MethodHandle directoryOf;

        /** Whether HDFS locks single directories of replicas. */
        static boolean isThere() {
            return Stream.of(LockLevel.values()).anyMatch(level -> level.name().equals(LEVEL));
        }

        PerDirectory(FsDatasetImpl dataset) throws ReflectiveOperationException {
            this.dataset = dataset;
            // The name that HDFS gives a directory's lock; 3.4 has neither.
            this.directoryOf = MethodHandles.lookup()
                    .unreflect(DatanodeUtil.class.getMethod("idToBlockDirSuffix", long.class))
                    .asType(MethodType.methodType(String.class, long.class));
        }

        @Override
        @SuppressWarnings("try") // held, not used
        public <T> T underWriteLock(String blockPool, String storageUuid, long blockId, Action<T> action)
                throws IOException {
            String directory = directoryOf(blockId);
            try (AutoCloseable held =
                    dataset.acquireDatasetLockManager().writeLock(level, blockPool, storageUuid, directory)) {
                return action.run();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException("lock of " + blockPool + " on " + storageUuid + directory, e);
            }
        }

        private String directoryOf(long blockId) throws IOException {
            try {
                return (String) directoryOf.invokeExact(blockId);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IOException("directory of block " + blockId, e);
            }
        }
    }

    /** 3.4. */
    final class PerVolume implements DatasetLock {

        private final FsDatasetImpl dataset;

        PerVolume(FsDatasetImpl dataset) {
            this.dataset = dataset;
        }

        @Override
        @SuppressWarnings("try") // held, not used
        public <T> T underWriteLock(String blockPool, String storageUuid, long blockId, Action<T> action)
                throws IOException {
            try (AutoCloseable held =
                    dataset.acquireDatasetLockManager().writeLock(LockLevel.VOLUME, blockPool, storageUuid)) {
                return action.run();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException("lock of " + blockPool + " on " + storageUuid, e);
            }
        }
    }

    /** 3.3. */
    final class Whole implements DatasetLock {

        private final MethodHandle acquire;

        Whole(MethodHandle acquire) {
            this.acquire = acquire;
        }

        @Override
        @SuppressWarnings("try") // held, not used
        public <T> T underWriteLock(String blockPool, String storageUuid, long blockId, Action<T> action)
                throws IOException {
            try (AutoCloseable held = acquire()) {
                return action.run();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException("lock of the data set", e);
            }
        }

        private AutoCloseable acquire() throws IOException {
            try {
                return (AutoCloseable) acquire.invoke();
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IOException("lock of the data set", e);
            }
        }
    }
}

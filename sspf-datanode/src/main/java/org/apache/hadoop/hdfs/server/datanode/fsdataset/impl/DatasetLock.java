/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;

/**
 * HDFS's own lock over the replicas of one volume: the volume's from 3.4 on, the whole data set's in 3.3. What is held under it is
 * as short as what HDFS itself does there, a rename or a truncation of one file.
 */
interface DatasetLock {

    /** Something done under the lock. */
    @FunctionalInterface
    interface Action<T> {
        T run() throws IOException;
    }

    <T> T underWriteLock(String blockPool, String storageUuid, Action<T> action) throws IOException;

    /** The lock of a data set, as its version of HDFS has it. */
    static DatasetLock of(FsDatasetImpl dataset) throws ReflectiveOperationException {
        Method whole;
        try {
            whole = FsDatasetImpl.class.getMethod("acquireDatasetLock");
        } catch (NoSuchMethodException e) {
            return new PerVolume(dataset);
        }
        return new Whole(MethodHandles.lookup().unreflect(whole).bindTo(dataset));
    }

    /** From 3.4 on. */
    final class PerVolume implements DatasetLock {

        private final FsDatasetImpl dataset;

        PerVolume(FsDatasetImpl dataset) {
            this.dataset = dataset;
        }

        @Override
        @SuppressWarnings("try") // held, not used
        public <T> T underWriteLock(String blockPool, String storageUuid, Action<T> action) throws IOException {
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
        public <T> T underWriteLock(String blockPool, String storageUuid, Action<T> action) throws IOException {
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

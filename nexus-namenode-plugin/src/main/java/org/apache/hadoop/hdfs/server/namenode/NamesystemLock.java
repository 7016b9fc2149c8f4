/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * One of the namesystem's locks, under its name in HDFS's lock metrics. Up to Hadoop 3.4 there is one read-write lock. From 3.5 on a lock is
 * taken in a mode, which says whether it covers names, blocks or both. Thread-safe.
 */
final class NamesystemLock {

    /** The name of {@link #read}. */
    static final String READ_NAME = "foresightPrefetch";

    private static final String WRITE_NAMES_NAME = "foresightAccessTimes";

    private final MethodHandle lock;
    private final MethodHandle unlock;
    private final String name;

    private NamesystemLock(MethodHandle lock, MethodHandle unlock, String name) {
        this.lock = lock;
        this.unlock = unlock;
        this.name = name;
    }

    /** The read lock of names and blocks, in the mode in which {@code getBlockLocations} takes it. */
    static NamesystemLock read() throws ReflectiveOperationException {
        return find("readLock", "readUnlock", "GLOBAL", READ_NAME);
    }

    /** The write lock, of names alone where HDFS tells names from blocks; {@code getBlockLocations} takes it to set an access time. */
    static NamesystemLock writeNames() throws ReflectiveOperationException {
        return find("writeLock", "writeUnlock", "FS", WRITE_NAMES_NAME);
    }

    private static NamesystemLock find(String lock, String unlock, String modeName, String name)
            throws ReflectiveOperationException {
        try {
            return new NamesystemLock(method(lock), method(unlock, String.class), name);
        } catch (NoSuchMethodException upTo34) {
            Class<?> type = Class.forName("org.apache.hadoop.hdfs.util.RwLockMode");
            Object mode = type.getField(modeName).get(null);
            return new NamesystemLock(
                    MethodHandles.insertArguments(method(lock, type), 1, mode),
                    MethodHandles.insertArguments(method(unlock, type, String.class), 1, mode),
                    name);
        }
    }

    private static MethodHandle method(String name, Class<?>... parameters) throws ReflectiveOperationException {
        return MethodHandles.publicLookup()
                .findVirtual(FSNamesystem.class, name, MethodType.methodType(void.class, parameters));
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
            unlock.invokeExact(namesystem, name);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the namesystem could not be unlocked", e);
        }
    }
}

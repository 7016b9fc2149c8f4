/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The namesystem's write lock, for names alone where HDFS tells names from blocks. Up to Hadoop 3.4 there is one lock; from 3.5 on it is
 * taken in a mode, of which {@code FS} is what {@code getBlockLocations} takes to set an access time. Thread-safe.
 */
final class NamesWriteLock {
    static final String NAME = "foresightAccessTimes";

    private final MethodHandle lock;
    private final MethodHandle unlock;

    private NamesWriteLock(MethodHandle lock, MethodHandle unlock) {
        this.lock = lock;
        this.unlock = unlock;
    }

    static NamesWriteLock find() throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        try {
            return new NamesWriteLock(
                    lookup.findVirtual(FSNamesystem.class, "writeLock", MethodType.methodType(void.class)),
                    lookup.findVirtual(
                            FSNamesystem.class, "writeUnlock", MethodType.methodType(void.class, String.class)));
        } catch (NoSuchMethodException upTo34) {
            Class<?> mode = Class.forName("org.apache.hadoop.hdfs.util.RwLockMode");
            Object names = mode.getField("FS").get(null);
            return new NamesWriteLock(
                    MethodHandles.insertArguments(
                            lookup.findVirtual(
                                    FSNamesystem.class, "writeLock", MethodType.methodType(void.class, mode)),
                            1,
                            names),
                    MethodHandles.insertArguments(
                            lookup.findVirtual(
                                    FSNamesystem.class,
                                    "writeUnlock",
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

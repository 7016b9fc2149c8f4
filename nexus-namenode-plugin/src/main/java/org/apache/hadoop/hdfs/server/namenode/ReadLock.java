/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The namesystem's read lock, for names and blocks both. Up to Hadoop 3.4 there is one lock; from 3.5 on it is taken in a mode,
 * of which {@code GLOBAL} is what {@code getBlockLocations} takes. Thread-safe.
 */
final class ReadLock {
    static final String NAME = "foresightPrefetch";

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
                            lookup.findVirtual(FSNamesystem.class, "readLock", MethodType.methodType(void.class, mode)),
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

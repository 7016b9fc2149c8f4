/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import io.github.foresight.protocol.conf.ByteSize;
import io.github.foresight.protocol.conf.DataNodeKeys;
import io.github.foresight.protocol.conf.InvalidValueException;
import java.lang.reflect.InvocationTargetException;

/** Checks the native calls and the memory limits of a DataNode. Not thread-safe. */
final class DataNodeCheck {

    private static final String FACTORY_KEY = "dfs.datanode.fsdataset.factory";
    static final String FORESIGHT_FACTORY =
            "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ForesightDatasetFactory";
    private static final String NATIVE_CALLS = "io.github.foresight.datanode.pagecache.ResidentFile";
    private static final String HDFS_LOCKED = "dfs.datanode.max.locked.memory";

    private final NodeConfiguration configuration;
    private final NodeClasses classes;
    private final LockLimit lockLimit;
    private final Findings findings;

    DataNodeCheck(NodeConfiguration configuration, NodeClasses classes, LockLimit lockLimit, Findings findings) {
        this.configuration = configuration;
        this.classes = classes;
        this.lockLimit = lockLimit;
        this.findings = findings;
    }

    /** Whether the configuration names the dataset of Foresight. */
    boolean isInstalled() {
        return configuration.uses(FACTORY_KEY, FORESIGHT_FACTORY);
    }

    void run() {
        checkNativeCalls();
        checkMemory();
    }

    private void checkNativeCalls() {
        String unavailable;
        try {
            Object reason = classes.load(NATIVE_CALLS)
                    .getMethod("nativeUnavailableReason")
                    .invoke(null);
            if (reason == null) {
                findings.fine("native calls", "memory can be mapped, locked and released.");
                return;
            }
            unavailable = reason.toString();
        } catch (InvocationTargetException e) {
            unavailable = String.valueOf(e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            unavailable = e.toString();
        }
        findings.warning(
                "native calls",
                "not to be had (" + unavailable + "): prefetched data is not held in memory, and the kernel may drop it"
                        + " before it is read.",
                "let the DataNode's user execute files in its java.io.tmpdir and home (JNA unpacks its library there).");
    }

    private void checkMemory() {
        long machine = lockLimit.machineBytes();
        long lockable = lockLimit.lockableBytes();
        long hdfs;
        long capacity;
        try {
            String configured = configuration.get(HDFS_LOCKED);
            hdfs = configured == null ? 0 : ByteSize.parse(configured);
            capacity = DataNodeKeys.CACHE_CAPACITY.get(configuration::get);
        } catch (InvalidValueException e) {
            return; // checkKeys reports it
        } catch (IllegalArgumentException e) {
            findings.wrong(HDFS_LOCKED, e.getMessage() + ": the DataNode will not start.", "give a size.");
            return;
        }
        String key = DataNodeKeys.CACHE_CAPACITY.name();
        String raise = "raise the limit of the DataNode's user ('ulimit -l', LimitMEMLOCK in a systemd unit)";
        if (machine == 0) {
            findings.warning("memory", "/proc does not show this machine's memory limits.", "run the check on Linux.");
        } else if (capacity < 0 && lockable - hdfs < machine / 32) {
            findings.warning(
                    "memory",
                    lockLimit.user() + " may lock only " + mib(lockable) + ": " + key
                            + "=auto uses an eighth of the machine's memory, which cannot be locked.",
                    raise + ", or run this check as that user.");
        } else if (capacity > machine / 2) {
            findings.warning(
                    key,
                    mib(capacity) + " is more than half of the machine's " + mib(machine) + ".",
                    "give less, so that daemons and the kernel have room.");
        } else if (capacity > 0 && capacity + hdfs > lockable) {
            findings.warning(
                    "memory",
                    lockLimit.user() + " may lock " + mib(lockable) + ", less than " + key + " (" + mib(capacity)
                            + ") and " + HDFS_LOCKED + " (" + mib(hdfs) + ") together: the rest is not held.",
                    raise + " to " + mib(capacity + hdfs) + " or more.");
        } else {
            findings.fine("memory", lockLimit.user() + " may lock " + mib(lockable) + " of " + mib(machine) + ".");
        }
        if (!lockLimit.isOfRunningDaemon()) {
            findings.fine(
                    "memory",
                    "these are the limits of this shell, without a heap. The DataNode's unit or container may have less"
                            + " (MemoryMax, LimitMEMLOCK): --pid looks at a running DataNode.");
        }
    }

    private static String mib(long bytes) {
        return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
    }
}

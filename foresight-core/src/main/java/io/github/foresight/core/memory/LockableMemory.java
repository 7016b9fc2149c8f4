/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.memory;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much memory a process has and may lock, as Linux tells in {@code /proc}. Immutable.
 *
 * <p>The process has the machine's memory or, where that is less, the smallest limit of its control groups. {@link ControlGroups}
 * finds these limits. A page that is locked counts against them as the heap does: so what the heap may grow to is not {@linkplain
 * #usableBytes() usable}.
 */
public final class LockableMemory {

    private static final long CAP_IPC_LOCK = 1L << 14;
    private static final Pattern MEM_TOTAL = Pattern.compile("(?m)^MemTotal:\\s+(\\d{1,15}) kB");
    private static final Pattern EFFECTIVE_CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+([0-9a-fA-F]{1,16})");
    private static final Pattern LOCK_LIMIT = Pattern.compile("(?m)^Max locked memory\\s+(\\d+|unlimited)\\s");

    private final long machineBytes;
    private final long usableBytes;
    private final long lockableBytes;

    private LockableMemory(long machineBytes, long usableBytes, long lockLimitBytes) {
        this.machineBytes = machineBytes;
        this.usableBytes = usableBytes;
        this.lockableBytes = Math.min(lockLimitBytes, usableBytes);
    }

    /**
     * What holds for the process that reads the files. Where {@code /proc} cannot be read, nothing may be locked and the memory is
     * taken for 0.
     *
     * @param files gives the text of a file by its path, or an empty text where the file cannot be read
     * @param heapBytes what the process's heap may grow to
     */
    public static LockableMemory read(UnaryOperator<String> files, long heapBytes) {
        Matcher total = MEM_TOTAL.matcher(files.apply("/proc/meminfo"));
        long machine = total.find() ? Long.parseLong(total.group(1)) << 10 : 0;
        machine = Math.min(machine, ControlGroups.memoryLimitBytes(files));
        long limit = lockLimitBytes(files.apply("/proc/self/status"), files.apply("/proc/self/limits"));
        return of(machine, heapBytes, limit);
    }

    /** A process with so much memory, heap and lock limit. */
    public static LockableMemory of(long machineBytes, long heapBytes, long lockLimitBytes) {
        return new LockableMemory(machineBytes, Math.max(0, machineBytes - heapBytes), lockLimitBytes);
    }

    private static long lockLimitBytes(String status, String limits) {
        Matcher capabilities = EFFECTIVE_CAPABILITIES.matcher(status);
        if (capabilities.find() && (Long.parseUnsignedLong(capabilities.group(1), 16) & CAP_IPC_LOCK) != 0) {
            return Long.MAX_VALUE;
        }
        Matcher limit = LOCK_LIMIT.matcher(limits);
        return limit.find() ? ControlGroups.bytes(limit.group(1)) : 0;
    }

    /** The machine's memory, or the smallest limit of the process's control groups. */
    public long machineBytes() {
        return machineBytes;
    }

    /** What is left of {@link #machineBytes()} beside the heap. */
    public long usableBytes() {
        return usableBytes;
    }

    /** What the process may lock in all, bytes; all that is usable with CAP_IPC_LOCK or without a limit. */
    public long lockableBytes() {
        return lockableBytes;
    }
}

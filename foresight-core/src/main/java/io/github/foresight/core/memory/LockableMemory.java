/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.memory;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory that a process has and may lock, as Linux reports it in {@code /proc}. Immutable and thread-safe.
 *
 * <p>The process has the machine's memory, or the smallest limit of its control groups if this is less.
 * {@link ControlGroups} finds these limits. Locked pages and the heap count against the same limits. For this reason
 * the largest heap is not {@linkplain #usableBytes() usable}.
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
     * The memory of the process that reads the files. If {@code /proc} cannot be read, nothing may be locked and the
     * memory is assumed to be 0.
     *
     * @param files maps a file's path to its text, or to an empty string if the file cannot be read
     * @param heapBytes the largest size of the process's heap
     */
    public static LockableMemory read(UnaryOperator<String> files, long heapBytes) {
        Matcher total = MEM_TOTAL.matcher(files.apply("/proc/meminfo"));
        long machine = total.find() ? Long.parseLong(total.group(1)) << 10 : 0;
        machine = Math.min(machine, ControlGroups.memoryLimitBytes(files));
        long limit = lockLimitBytes(files.apply("/proc/self/status"), files.apply("/proc/self/limits"));
        return of(machine, heapBytes, limit);
    }

    /** A process with this memory, heap and lock limit. */
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

    /** The part of {@link #machineBytes()} beside the heap. */
    public long usableBytes() {
        return usableBytes;
    }

    /** The bytes that the process may lock in all. With CAP_IPC_LOCK or without a limit this is all usable memory. */
    public long lockableBytes() {
        return lockableBytes;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much memory the machine has and this process may lock, as Linux tells in {@code /proc}. Immutable.
 *
 * <p>The machine's memory is that of the control group where one limits it.
 */
public final class LockableMemory {

    private static final long CAP_IPC_LOCK = 1L << 14;
    private static final Pattern MEM_TOTAL = Pattern.compile("(?m)^MemTotal:\\s+(\\d+) kB");
    private static final Pattern EFFECTIVE_CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+([0-9a-fA-F]+)");
    private static final Pattern LOCK_LIMIT = Pattern.compile("(?m)^Max locked memory\\s+(\\d+|unlimited)\\s");

    private final long machineBytes;
    private final long lockableBytes;

    private LockableMemory(long machineBytes, long lockableBytes) {
        this.machineBytes = machineBytes;
        this.lockableBytes = lockableBytes;
    }

    /** What holds for this process; where {@code /proc} cannot be read, nothing may be locked and memory is taken for 0. */
    public static LockableMemory ofThisProcess() {
        long limit = cgroupLimit();
        long total = firstNumber(read(Path.of("/proc/meminfo")), MEM_TOTAL, 10, 0) << 10;
        return parse(Math.min(total, limit), read(Path.of("/proc/self/status")), read(Path.of("/proc/self/limits")));
    }

    static LockableMemory parse(long machineBytes, String status, String limits) {
        long capabilities = firstNumber(status, EFFECTIVE_CAPABILITIES, 16, 0);
        if ((capabilities & CAP_IPC_LOCK) != 0) {
            return new LockableMemory(machineBytes, machineBytes);
        }
        Matcher limit = LOCK_LIMIT.matcher(limits);
        if (!limit.find()) {
            return new LockableMemory(machineBytes, 0);
        }
        long bytes = limit.group(1).equals("unlimited") ? machineBytes : Long.parseLong(limit.group(1));
        return new LockableMemory(machineBytes, Math.min(bytes, machineBytes));
    }

    public long machineBytes() {
        return machineBytes;
    }

    /** What the process may lock in all, bytes; all of the machine's memory with CAP_IPC_LOCK or without a limit. */
    public long lockableBytes() {
        return lockableBytes;
    }

    private static long cgroupLimit() {
        for (String file : List.of("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")) {
            String text = read(Path.of(file)).trim();
            if (text.matches("\\d{1,18}")) {
                return Long.parseLong(text);
            }
        }
        return Long.MAX_VALUE;
    }

    private static long firstNumber(String text, Pattern pattern, int radix, long otherwise) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Long.parseUnsignedLong(matcher.group(1), radix) : otherwise;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}

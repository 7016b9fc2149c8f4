/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory the machine has and a process of this user may lock, as Linux tells in {@code /proc}; immutable. */
final class LockLimit {

    private static final long CAP_IPC_LOCK = 1L << 14;
    private static final Pattern TOTAL = Pattern.compile("(?m)^MemTotal:\\s+(\\d+) kB");
    private static final Pattern CAPABILITIES = Pattern.compile("(?m)^CapEff:\\s+([0-9a-fA-F]+)");
    private static final Pattern LIMIT = Pattern.compile("(?m)^Max locked memory\\s+(\\d+|unlimited)\\s");

    private final String user;
    private final long machineBytes;
    private final long lockableBytes;

    LockLimit(String user, long machineBytes, long lockableBytes) {
        this.user = user;
        this.machineBytes = machineBytes;
        this.lockableBytes = lockableBytes;
    }

    /** What holds for this process; 0 for what cannot be told. */
    static LockLimit ofThisProcess() {
        return parse(
                System.getProperty("user.name", "?"),
                read(Path.of("/proc/meminfo")),
                read(Path.of("/proc/self/status")),
                read(Path.of("/proc/self/limits")));
    }

    static LockLimit parse(String user, String meminfo, String status, String limits) {
        Matcher total = TOTAL.matcher(meminfo);
        long machine = total.find() ? Long.parseLong(total.group(1)) << 10 : 0;
        Matcher capabilities = CAPABILITIES.matcher(status);
        Matcher limit = LIMIT.matcher(limits);
        boolean privileged =
                capabilities.find() && (Long.parseUnsignedLong(capabilities.group(1), 16) & CAP_IPC_LOCK) != 0;
        if (!privileged && !limit.find()) {
            return new LockLimit(user, machine, 0);
        }
        boolean unlimited = privileged || limit.group(1).equals("unlimited");
        return new LockLimit(user, machine, unlimited ? machine : Math.min(machine, Long.parseLong(limit.group(1))));
    }

    /** Whose limit it is. */
    String user() {
        return user;
    }

    long machineBytes() {
        return machineBytes;
    }

    /** Bytes; all of the machine's memory for who has no limit. */
    long lockableBytes() {
        return lockableBytes;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}

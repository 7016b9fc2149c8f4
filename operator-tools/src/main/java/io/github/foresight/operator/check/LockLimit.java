/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.check;

import io.github.foresight.core.memory.LockableMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much memory a process has and may lock; as the DataNode finds out, with {@link LockableMemory}.
 *
 * <p>A daemon's unit or container may limit it more than the shell of the check. So the limits of a running daemon are read from
 * its own files in {@code /proc}. Immutable.
 */
final class LockLimit {

    private static final String SELF = "/proc/self/";
    private static final Pattern HEAP = Pattern.compile("-(?:Xmx|XX:MaxHeapSize=)(\\d+)([kKmMgGtT]?)");

    /** The part of its memory that a JVM takes for its heap if nobody says how much. */
    private static final int USUAL_HEAP_DIVISOR = 4;

    private final String user;
    private final boolean running;
    private final long machineBytes;
    private final long lockableBytes;

    LockLimit(String user, long machineBytes, long lockableBytes) {
        this(user, false, machineBytes, lockableBytes);
    }

    private LockLimit(String user, boolean running, long machineBytes, long lockableBytes) {
        this.user = user;
        this.running = running;
        this.machineBytes = machineBytes;
        this.lockableBytes = lockableBytes;
    }

    /** What holds for this process; 0 if unknown. The DataNode's heap is not known here and not subtracted. */
    static LockLimit ofThisProcess() {
        return of(System.getProperty("user.name", "?"), LockableMemory.read(LockLimit::read, 0));
    }

    static LockLimit of(String user, LockableMemory memory) {
        return new LockLimit(user, memory.machineBytes(), memory.lockableBytes());
    }

    /**
     * What holds for a running daemon, its heap subtracted.
     *
     * @param files gives the text of a file by its path, or an empty text where the file cannot be read
     */
    static LockLimit ofProcess(long pid, UnaryOperator<String> files) {
        String process = "/proc/" + pid + "/";
        // Other paths are as the daemon sees them, who may have a root and control groups of its own.
        UnaryOperator<String> its = path -> path.startsWith(SELF)
                ? files.apply(process + path.substring(SELF.length()))
                : inRoot(process + "root", path, files);
        long all = LockableMemory.read(its, 0).machineBytes();
        LockableMemory memory = LockableMemory.read(its, heapBytes(files.apply(process + "cmdline"), all));
        return new LockLimit("process " + pid, true, memory.machineBytes(), memory.lockableBytes());
    }

    /** As {@link #ofProcess(long, UnaryOperator)}, from this machine's {@code /proc}. */
    static LockLimit ofProcess(long pid) {
        return ofProcess(pid, LockLimit::read);
    }

    private static String inRoot(String root, String path, UnaryOperator<String> files) {
        String seen = path.startsWith("/proc/") ? "" : files.apply(root + path);
        return seen.isEmpty() ? files.apply(path) : seen;
    }

    /** The value of the last of the options; a quarter of the memory if none does. */
    private static long heapBytes(String commandLine, long machineBytes) {
        long heap = machineBytes / USUAL_HEAP_DIVISOR;
        for (Matcher option = HEAP.matcher(commandLine); option.find(); ) {
            int shift = 10 * (1 + "kmgt".indexOf(option.group(2).toLowerCase(Locale.ROOT)));
            heap = Long.parseLong(option.group(1)) << (option.group(2).isEmpty() ? 0 : shift);
        }
        return heap;
    }

    /** Whether these are the limits of the running daemon; else they are those of the shell that the check runs in. */
    boolean isOfRunningDaemon() {
        return running;
    }

    /** Whose limit it is. */
    String user() {
        return user;
    }

    /** The machine's memory, or the smallest limit of this process's control groups. */
    long machineBytes() {
        return machineBytes;
    }

    /** Bytes; all of the machine's memory if there is no limit. */
    long lockableBytes() {
        return lockableBytes;
    }

    private static String read(String file) {
        try {
            return new String(Files.readAllBytes(Paths.get(file)), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }
}

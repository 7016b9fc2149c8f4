/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.check;

import io.github.foresight.core.memory.LockableMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory a process of this user has and may lock; as the DataNode finds out, with {@link LockableMemory}. Immutable. */
final class LockLimit {

    private final String user;
    private final long machineBytes;
    private final long lockableBytes;

    LockLimit(String user, long machineBytes, long lockableBytes) {
        this.user = user;
        this.machineBytes = machineBytes;
        this.lockableBytes = lockableBytes;
    }

    /** What holds for this process; 0 for what cannot be told. The DataNode's heap is not known here and not subtracted. */
    static LockLimit ofThisProcess() {
        return of(System.getProperty("user.name", "?"), LockableMemory.read(LockLimit::read, 0));
    }

    static LockLimit of(String user, LockableMemory memory) {
        return new LockLimit(user, memory.machineBytes(), memory.lockableBytes());
    }

    /** Whose limit it is. */
    String user() {
        return user;
    }

    /** The machine's memory, or the smallest limit of this process's control groups. */
    long machineBytes() {
        return machineBytes;
    }

    /** Bytes; all of the machine's memory for who has no limit. */
    long lockableBytes() {
        return lockableBytes;
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            return "";
        }
    }
}

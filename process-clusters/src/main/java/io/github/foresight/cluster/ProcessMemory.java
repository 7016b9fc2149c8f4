/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of a process, as Linux's {@code /proc} says. */
final class ProcessMemory {

    /** Memory that is locked against eviction. */
    static final String LOCKED = "VmLck";

    /** The most physical memory at once since the process started. */
    static final String PEAK = "VmHWM";

    private ProcessMemory() {}

    /**
     * A size in the status of a process, bytes.
     *
     * @throws IOException if there is no such process, or its status has no such field
     */
    static long bytes(long pid, String field) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith(field + ":")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new IOException("no " + field + " in the status of process " + pid);
    }
}

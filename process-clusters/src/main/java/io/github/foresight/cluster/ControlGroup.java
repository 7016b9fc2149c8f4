/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Control groups of Linux. Stateless. */
final class ControlGroup {

    /** The file to which the process numbers of a group's members are written. */
    static final String MEMBERS = "cgroup.procs";

    private static final int REMOVE_ATTEMPTS = 50;
    private static final long REMOVE_PAUSE_NANOS = 20_000_000;

    private ControlGroup() {}

    /** Removes a group whose processes have ended. The kernel frees the group only a moment after the end of its last process. */
    static void remove(Path group) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (IOException e) {
                if (attempt == REMOVE_ATTEMPTS) {
                    throw e;
                }
                LockSupport.parkNanos(REMOVE_PAUSE_NANOS);
            }
        }
    }
}

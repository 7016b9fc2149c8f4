/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.util.concurrent.TimeUnit;

/** The end of a process that a test has started. */
final class ProcessEnd {

    private static final long SECONDS = 60;

    private ProcessEnd() {}

    /** Ends a process by SIGTERM, after {@value #SECONDS} s or an interruption by SIGKILL. */
    static void of(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

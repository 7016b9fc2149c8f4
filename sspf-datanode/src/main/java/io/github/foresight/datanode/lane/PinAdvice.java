/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.lane;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once per process the reason why blocks are not pinned, and the operator's remedy. */
public final class PinAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(PinAdvice.class);
    private static final AtomicBoolean SAID = new AtomicBoolean();

    private PinAdvice() {}

    public static void logOnce(@Nullable String reason) {
        if (SAID.compareAndSet(false, true)) {
            LOG.warn(
                    "Prefetched blocks are not locked in memory ({}); the kernel may drop them before they are read."
                            + " Raise 'ulimit -l' for the DataNode's user (LimitMEMLOCK= in systemd) or give it"
                            + " CAP_IPC_LOCK.",
                    reason);
        }
    }
}

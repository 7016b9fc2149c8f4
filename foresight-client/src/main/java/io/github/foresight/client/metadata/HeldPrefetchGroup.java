/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.metrics.ClientMetrics;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Holds the latest group of predicted files back until the client has opened a predicted file, and waits for the data of files. Until then no
 * DataNode reads their data. For a client whose predictions never come true, that would cost connections and disk reads for nothing; for
 * one whose files are in memory, processor time. Thread-safe.
 */
final class HeldPrefetchGroup {

    private final BooleanSupplier isWaiting;
    private volatile boolean hasHit;
    private volatile boolean isHolding;

    @GuardedBy("this")
    private List<PredictedLayout> held = Collections.emptyList();

    /**
     * Begins without a group.
     *
     * @param isWaiting whether the client waits for the data of files
     */
    HeldPrefetchGroup(BooleanSupplier isWaiting) {
        this.isWaiting = isWaiting;
    }

    /**
     * The NameNode has returned predicted files.
     *
     * @return the layouts of the files that are to be made resident now
     */
    synchronized List<PredictedLayout> admit(List<PredictedLayout> layouts) {
        if (hasHit && isWaiting.getAsBoolean()) {
            return layouts;
        }
        if (!layouts.isEmpty()) {
            held = layouts;
            isHolding = true;
            ClientMetrics.INSTANCE.filesHeldBack.incr(layouts.size());
        }
        return Collections.emptyList();
    }

    /**
     * A prediction has come true.
     *
     * @param firstBlock of the file that is just being opened and needs no more help
     * @return the layouts of the files that are to be made resident now
     */
    List<PredictedLayout> releaseOnHit(long firstBlock) {
        hasHit = true;
        return isHolding && isWaiting.getAsBoolean() ? release(firstBlock) : Collections.emptyList();
    }

    private synchronized List<PredictedLayout> release(long firstBlock) {
        isHolding = false;
        List<PredictedLayout> released = held.stream()
                .filter(file -> file.layout().getBlocks(0).getB().getBlockId() != firstBlock)
                .collect(Collectors.toList());
        held = Collections.emptyList();
        return released;
    }
}

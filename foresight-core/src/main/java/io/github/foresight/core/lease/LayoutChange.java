/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import com.google.common.collect.ImmutableList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One change of the namespace, from its begin to its end at {@link NameNodeLeases}, which guards its state.
 *
 * <p>A change waits until each client that held a layout has acknowledged the recall, or the client's lease has
 * expired.
 */
public final class LayoutChange {

    private final ImmutableList<String> paths;
    private final Set<LeaseSession> awaited = new HashSet<>();

    LayoutChange(List<String> paths) {
        this.paths = ImmutableList.copyOf(paths);
    }

    /** The changed paths; each path stands for itself and all paths below it. */
    public ImmutableList<String> paths() {
        return paths;
    }

    /** Whether the change may be carried out now. */
    public boolean isReady() {
        return awaited.isEmpty();
    }

    void await(LeaseSession session) {
        awaited.add(session);
    }

    /**
     * Stops waiting for a client.
     *
     * @return whether the change has just become ready; it becomes ready once
     */
    boolean release(LeaseSession session) {
        return awaited.remove(session) && awaited.isEmpty();
    }

    @Override
    public String toString() {
        return paths + (isReady() ? "" : " waits for " + awaited);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** The result of an admission: whether the block was admitted, and the blocks that were evicted for it. Immutable. */
public final class Admission<K> {

    private final boolean admitted;
    private final ImmutableList<Eviction<K>> victims;

    private Admission(boolean admitted, ImmutableList<Eviction<K>> victims) {
        this.admitted = admitted;
        this.victims = victims;
    }

    static <K> Admission<K> refused() {
        return new Admission<>(false, ImmutableList.of());
    }

    static <K> Admission<K> admitted(List<Eviction<K>> victims) {
        return new Admission<>(true, ImmutableList.copyOf(victims));
    }

    public boolean isAdmitted() {
        return admitted;
    }

    /** The evicted blocks, in the order of eviction; none if the block was refused. */
    public ImmutableList<Eviction<K>> victims() {
        return victims;
    }

    @Override
    public String toString() {
        return admitted ? "admitted for " + victims : "refused";
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

/**
 * A cache of layouts that are granted under leases. A hub calls it with the hub's lock held; the cache must not call a hub. Thread-safe.
 */
public interface LeasedCache {

    /**
     * Forgets the layouts at and below a path, whoever granted them.
     *
     * @param path in plain form, as {@link PlainPaths} makes it
     * @return how many there were
     */
    int forget(String path);

    /** Forgets all layouts that a hub has granted; returns how many there were. */
    int forgetGrantedBy(LeaseHub hub);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

/** How the caching queue chooses its victims. */
public enum CachingPolicyKind {
    /** By frequency and recency, through Caffeine: one pass over many blocks does not displace the popular ones. */
    W_TINYLFU,
    /** By recency alone; the paper's example, and the yardstick for the other. */
    LRU
}

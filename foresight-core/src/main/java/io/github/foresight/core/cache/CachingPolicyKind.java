/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.cache;

/** The policy by which the caching queue chooses its victims. */
public enum CachingPolicyKind {
    /** By frequency and recency, with Caffeine: one pass over many blocks does not evict the popular blocks. */
    W_TINYLFU,
    /** By recency alone: the paper's example, and the baseline for {@link #W_TINYLFU}. */
    LRU
}

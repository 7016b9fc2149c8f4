/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The DataNode's block cache: three queues, their order of eviction, and the moving border between their shares.
 *
 * <p>{@link io.github.foresight.core.cache.MultiQueueCache} decides,
 * {@link io.github.foresight.core.cache.CacheSettings} bounds it, and {@link io.github.foresight.core.cache.Eviction}
 * reports each evicted block with a reason. Follows SSPF (Li et al.), section II.C.
 */
package io.github.foresight.core.cache;

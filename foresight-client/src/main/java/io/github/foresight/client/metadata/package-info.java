/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Layouts and statuses in memory: {@link io.github.foresight.client.metadata.MetadataCache} holds the
 * layouts that NameNodes have granted, forgets recalled layouts, and counts the predictions that were used.
 */
package io.github.foresight.client.metadata;

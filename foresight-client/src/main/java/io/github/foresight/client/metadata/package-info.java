/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Layouts and statuses in memory: {@link io.github.foresight.client.metadata.MetadataCache} holds what NameNodes have granted and predicted,
 * drops what they recall, and counts which predictions were used.
 */
package io.github.foresight.client.metadata;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Writes the audit trail of predictions: {@link io.github.foresight.namenode.audit.GrantLog} for granted files, {@link
 * io.github.foresight.namenode.audit.OpenTrail} for opens that clients served from a cached layout.
 */
package io.github.foresight.namenode.audit;

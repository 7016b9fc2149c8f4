/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Vectored reads: which of the ranges of one request are read together, and from which replica each is read. {@link
 * io.github.foresight.core.vectored.ReplicaSpread} assigns the reads to replicas. {@link
 * io.github.foresight.core.vectored.RangeMerger} merges ranges.
 */
package io.github.foresight.core.vectored;

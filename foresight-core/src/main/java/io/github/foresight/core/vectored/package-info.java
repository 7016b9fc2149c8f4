/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Vectored reads: which of the ranges that a reader asks for at once are read together. {@link
 * io.github.foresight.core.vectored.RangeMerger} decides.
 */
package io.github.foresight.core.vectored;

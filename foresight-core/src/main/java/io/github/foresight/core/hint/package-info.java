/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Hints: how a file's layout becomes one block sequence for each DataNode, and which blocks a DataNode prefetches from
 * its sequence.
 *
 * <p>Follows SSPF (Li et al.), section II.B: {@code client_session}, {@code file_block_map} and Algorithm 1. The state
 * machine is {@link io.github.foresight.core.hint.ReadAhead}; {@link io.github.foresight.core.hint.ReadPattern} decides
 * which streams a client hints.
 */
package io.github.foresight.core.hint;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Hints: how a file's layout becomes one block sequence per DataNode, and what a DataNode does with its sequence.
 *
 * <p>Follows SSPF (Li et al.), section II.B: {@code client_session}, {@code file_block_map} and Algorithm 1.
 */
package io.github.foresight.core.hint;

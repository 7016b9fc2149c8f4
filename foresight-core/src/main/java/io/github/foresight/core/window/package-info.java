/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Moving windows: the part of a file around a random reader that the file's replica node prefetches.
 *
 * <p>Follows NBJLOFS (Sui et al.), section 3.2. {@link io.github.foresight.core.window.MovingWindow} is the client's
 * side; {@link io.github.foresight.core.window.WindowTable} is the node's side.
 */
package io.github.foresight.core.window;

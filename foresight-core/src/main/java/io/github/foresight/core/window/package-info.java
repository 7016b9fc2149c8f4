/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Moving windows: how much of a file around a random reader one node, which holds a replica of the whole file, reads ahead.
 *
 * <p>Follows NBJLOFS (Sui et al.), section 3.2. {@link io.github.foresight.core.window.MovingWindow} is the client's side, {@link
 * io.github.foresight.core.window.WindowTable} the node's.
 */
package io.github.foresight.core.window;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Hints to DataNodes: {@link io.github.foresight.client.hint.OpenFiles} knows the files whose layout is known and the pattern in which each
 * is read, and {@link io.github.foresight.client.hint.HintSender} sends hints in the background.
 */
package io.github.foresight.client.hint;

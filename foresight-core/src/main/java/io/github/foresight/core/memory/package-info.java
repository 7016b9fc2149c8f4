/* SPDX-License-Identifier: Apache-2.0 */
/** How much memory a process may hold: {@link io.github.foresight.core.memory.LockableMemory}. */
@NullMarked
package io.github.foresight.core.memory;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/** How much memory a process may hold: {@link io.github.foresight.core.memory.LockableMemory}. */
package io.github.foresight.core.memory;

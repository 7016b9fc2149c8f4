/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The memory, descriptors and mappings that a process may use: {@link io.github.foresight.core.memory.LockableMemory}
 * and {@link io.github.foresight.core.memory.FileLimits}.
 */
package io.github.foresight.core.memory;

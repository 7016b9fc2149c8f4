/* SPDX-License-Identifier: Apache-2.0 */
/** Paths of the namespace in the one form in which they are compared: {@link io.github.foresight.namenode.path.NamespacePath}. */
package io.github.foresight.namenode.path;

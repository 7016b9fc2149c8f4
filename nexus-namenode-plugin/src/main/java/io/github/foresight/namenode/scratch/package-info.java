/* SPDX-License-Identifier: Apache-2.0 */
/** Working space that RPC handlers borrow: {@link io.github.foresight.namenode.scratch.ScratchPool}. */
package io.github.foresight.namenode.scratch;

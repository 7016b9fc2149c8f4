/* SPDX-License-Identifier: Apache-2.0 */
/** Answers the hint RPC, and checks the block tokens of its callers. */
package io.github.foresight.datanode.hint;

/* SPDX-License-Identifier: Apache-2.0 */
/** Feeds the decisions of {@code foresight-core} with what happens on the DataNode, and carries the decisions out. */
package io.github.foresight.datanode.prefetch;

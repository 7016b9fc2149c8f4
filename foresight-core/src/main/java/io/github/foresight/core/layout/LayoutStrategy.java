/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

/** One of the paper's two ways of spreading a file's originals over the nodes but for its replica node. */
public interface LayoutStrategy {

    /** The node that holds an object's replica, in [0, nodes). */
    int replicaNode(long file);

    /** The node that holds an object's original, in [0, nodes) and never the file's replica node. */
    int originalNode(long file, int object);
}

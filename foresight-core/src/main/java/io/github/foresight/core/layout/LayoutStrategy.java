/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

/**
 * One of the paper's two strategies for the originals of a file: they are spread over all nodes except its replica
 * node.
 */
public interface LayoutStrategy {

    /** The node that holds the replicas of a file's objects, in [0, nodes). */
    int replicaNode(long file);

    /** The node that holds an object's original, in [0, nodes) and never the file's replica node. */
    int originalNode(long file, int object);
}

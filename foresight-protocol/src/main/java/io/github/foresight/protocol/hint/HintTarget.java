/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.protocol.hint;

import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * The replica of a block that the client will try first: its DataNode, and the block token for this DataNode.
 * Immutable.
 *
 * <p>Two targets are equal if they are on the same DataNode, whatever their tokens. For this reason sequences can be
 * grouped by target.
 */
public final class HintTarget {

    private final DatanodeInfo node;
    private final Token<BlockTokenIdentifier> token;

    public HintTarget(DatanodeInfo node, Token<BlockTokenIdentifier> token) {
        this.node = Objects.requireNonNull(node, "node");
        this.token = Objects.requireNonNull(token, "token");
    }

    public DatanodeInfo node() {
        return node;
    }

    public Token<BlockTokenIdentifier> token() {
        return token;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof HintTarget
                && ((HintTarget) o).node.getDatanodeUuid().equals(node.getDatanodeUuid());
    }

    @Override
    public int hashCode() {
        return node.getDatanodeUuid().hashCode();
    }

    @Override
    public String toString() {
        return node.toString();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.caller;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells a positioned read that reaches to its block's very end from a stream's read, which always does: HDFS opens a block for
 * both in the same way, so only the calling method says which it is. Stateless.
 */
public final class PositionedRead {

    private static final String STREAM_CLASS = "org.apache.hadoop.hdfs.DFSInputStream";

    /** In Hadoop 3.3 to 3.5; were they renamed, such a read would be taken for a stream's, and no worse. */
    private static final Set<String> METHODS =
            new HashSet<>(Arrays.asList("actualGetFromOneDataNode", "fetchBlockByteRange"));

    private PositionedRead() {}

    /** Whether this thread opens a block for a positioned read; to be asked of a thread that opens one. */
    public static boolean isOnStack() {
        return CallStack.first(
                        Integer.MAX_VALUE,
                        (type, method) -> (METHODS.contains(method) && type.equals(STREAM_CLASS)) ? Boolean.TRUE : null)
                != null;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** The layout of an open stream, which Hadoop shows only to its own package. */
public final class OpenedLayout {

    private OpenedLayout() {}

    /** Returns the file's length in bytes, or -1 if the file was under construction at the open. */
    public static long closedLength(FSDataInputStream in) {
        LocatedBlocks layout = ((DFSInputStream) in.getWrappedStream()).getLocatedBlocks();
        return layout.isUnderConstruction() ? -1 : layout.getFileLength();
    }
}

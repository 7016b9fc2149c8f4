/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** The layout that a stream has been opened with; Hadoop shows it to its own package only. */
public final class OpenedLayout {

    private OpenedLayout() {}

    /** The length of the file, or -1 if it was under construction. */
    public static long closedLength(FSDataInputStream in) {
        LocatedBlocks layout = ((DFSInputStream) in.getWrappedStream()).getLocatedBlocks();
        return layout.isUnderConstruction() ? -1 : layout.getFileLength();
    }
}

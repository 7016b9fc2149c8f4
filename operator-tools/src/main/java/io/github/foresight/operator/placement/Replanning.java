/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/** Looks anew at a block whose move did not succeed; by its file's id, as the file may have been renamed. */
final class Replanning {

    private Replanning() {}

    /** The move as it is to be made now, or null if there is nothing to move any more. */
    static @Nullable BlockMove again(DFSClient client, BlockMove move) throws IOException {
        String path = "/.reserved/.inodes/" + move.fileId;
        HdfsFileStatus file = client.getFileInfo(path);
        LocatedBlocks blocks = file == null ? null : client.getLocatedBlocks(path, move.offset, 1);
        if (file == null || blocks == null) {
            return null;
        }
        ClusterMap cluster = ClusterMap.read(client);
        for (BlockMove again : FilePlan.towards(cluster.node(move.target), file, blocks, cluster)
                .moves()) {
            if (again.block.getBlockId() == move.block.getBlockId()) {
                return again;
            }
        }
        return null;
    }
}

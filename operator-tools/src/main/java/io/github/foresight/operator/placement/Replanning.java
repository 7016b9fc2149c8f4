/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/** Plans a block anew after a failed move. It finds the file by its id, because a client may have renamed the file. */
final class Replanning {

    private Replanning() {}

    /** The new move, or null if the block need not move any more. */
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

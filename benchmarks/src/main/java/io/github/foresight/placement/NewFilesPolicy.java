/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.jspecify.annotations.Nullable;

/** The policy in a NameNode without a namespace, where each block that is asked for is the first of a new file. */
public final class NewFilesPolicy {

    private NewFilesPolicy() {}

    public static OrthogonalPlacementPolicy create() {
        AtomicLong inodes = new AtomicLong(16_386);
        return new OrthogonalPlacementPolicy((stats, filesMax, metrics) -> new PlacedFiles() {
            @Override
            public PlacedFile at(String path, ReplicaNodes<DatanodeDescriptor> nodes) {
                return new PlacedFile(inodes.getAndIncrement());
            }

            @Override
            public @Nullable String pathOf(long inodeId) {
                return null;
            }

            @Override
            public BlockHolders<DatanodeDescriptor> holders(long inodeId) {
                return new BlockHolders<>();
            }
        });
    }
}

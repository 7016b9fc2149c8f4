/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.BlockHolders;
import io.github.foresight.core.layout.ReplicaNodes;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.jspecify.annotations.Nullable;

/** The orthogonal policy without a namespace: each block is the first of a new file. */
public final class NewFilesPolicy {

    private NewFilesPolicy() {}

    /** A task that reads the DataNodes of a cluster anew; a thread of the policy does this each second. */
    public static Runnable refresh(NetworkTopology topology) {
        return new ClusterNodes(topology)::renew;
    }

    public static OrthogonalPlacementPolicy create() {
        AtomicLong inodes = new AtomicLong(16_386);
        return new OrthogonalPlacementPolicy((stats, filesMax, metrics) -> new PlacedFiles() {
            @Override
            public PlacedFile at(
                    String path,
                    ReplicaNodes<DatanodeDescriptor> nodes,
                    Predicate<? super DatanodeDescriptor> isThere) {
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.placement;

import io.github.foresight.core.layout.EvenShares;
import io.github.foresight.core.layout.ExcludedDirectories;
import io.github.foresight.core.layout.RecoveryBound;
import io.github.foresight.protocol.conf.KeyValues;
import io.github.foresight.protocol.conf.PlacementKeys;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.jspecify.annotations.Nullable;

/** What a policy has only where something is placed: in a NameNode in which it is enabled. Thread-safe. */
final class PlacementParts {

    /** As often as HDFS chooses targets by default; a batch is counted before the next begins. Longer than any batch takes. */
    private static final long RECOVERY_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** What the namespace calls a file by its inode id. */
    private static final String INODES = "/.reserved/.inodes/";

    final FSClusterStats stats;
    final PlacedFiles files;
    final ClusterNodes nodes;
    final PlacementMetrics metrics;
    final Guard guard;
    final double loadFactor;
    final boolean returnEnabled;
    final boolean spareEnabled;
    final boolean evenEnabled;
    final EvenShares<DatanodeDescriptor> shares = new EvenShares<>();
    final RecoveryBound<DatanodeDescriptor> recovery;
    final ExcludedDirectories excluded;
    final BasePolicy base;

    PlacementParts(
            FSClusterStats stats,
            PlacedFiles files,
            ClusterNodes nodes,
            PlacementMetrics metrics,
            KeyValues values,
            BasePolicy base) {
        this.stats = stats;
        this.files = files;
        this.nodes = nodes;
        this.metrics = metrics;
        this.guard = new Guard(values.get(PlacementKeys.FAILURES_MAX), metrics);
        this.loadFactor = values.get(PlacementKeys.LOAD_FACTOR);
        this.recovery = new RecoveryBound<>(values.get(PlacementKeys.RECOVERY_MAX), RECOVERY_PERIOD_NANOS);
        this.returnEnabled = values.get(PlacementKeys.RETURN_ENABLED);
        this.spareEnabled = values.get(PlacementKeys.SPARE_ENABLED);
        this.evenEnabled = values.get(PlacementKeys.EVEN_ENABLED);
        this.excluded = new ExcludedDirectories(values.get(PlacementKeys.EXCLUDED));
        this.base = base;
    }

    /** The inode id in a path that names a file by it; null in any other path. */
    static @Nullable Long inodeOf(String path) {
        if (!path.startsWith(INODES)) {
            return null;
        }
        try {
            return Long.valueOf(path.substring(INODES.length()));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Whether the file at a path lies in a directory that an operator excluded. */
    boolean isExcluded(String path) {
        if (excluded.isEmpty()) {
            return false;
        }
        Long inode = inodeOf(path);
        return excluded.contains(inode == null ? path : files.pathOf(inode));
    }
}

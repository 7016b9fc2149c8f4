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

/** The parts of a policy that places blocks; only a NameNode with the policy enabled has them. Thread-safe. */
final class PlacementParts {

    /**
     * The period of the recovery bound: HDFS's default interval between two choices of targets for lost replicas. This period is longer than a batch
     * of choices takes, so a batch is counted before the next batch begins.
     */
    private static final long RECOVERY_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** The beginning of a path that names a file by its inode id. */
    private static final String INODES = "/.reserved/.inodes/";

    final FSClusterStats stats;
    final PlacedFiles files;
    final ClusterNodes nodes;
    final PlacementMetrics metrics;
    final FailureLog failures;
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
        this.failures = new FailureLog(values.get(PlacementKeys.FAILURES_MAX), metrics);
        this.loadFactor = values.get(PlacementKeys.LOAD_FACTOR);
        this.recovery = new RecoveryBound<>(values.get(PlacementKeys.RECOVERY_MAX), RECOVERY_PERIOD_NANOS);
        this.returnEnabled = values.get(PlacementKeys.RETURN_ENABLED);
        this.spareEnabled = values.get(PlacementKeys.SPARE_ENABLED);
        this.evenEnabled = values.get(PlacementKeys.EVEN_ENABLED);
        this.excluded = new ExcludedDirectories(values.get(PlacementKeys.EXCLUDED));
        this.base = base;
    }

    /** Returns the inode id if a path names a file by inode id; null for any other path. */
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

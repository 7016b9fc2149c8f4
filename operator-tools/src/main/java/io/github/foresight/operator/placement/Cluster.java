/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import io.github.foresight.core.layout.ExcludedDirectories;
import io.github.foresight.operator.site.SiteConfiguration;
import io.github.foresight.protocol.conf.PlacementKeys;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** A running cluster, and the path in it that is asked about. */
final class Cluster implements Closeable {

    private final HdfsConfiguration configuration;
    private final DistributedFileSystem fs;
    private final String path;
    private final ExcludedDirectories excluded;

    private Cluster(
            HdfsConfiguration configuration, DistributedFileSystem fs, String path, ExcludedDirectories excluded) {
        this.configuration = configuration;
        this.fs = fs;
        this.path = path;
        this.excluded = excluded;
    }

    /**
     * The file system of the path, or of the configuration where the path names none.
     *
     * @throws IOException also if it is not HDFS
     * @throws io.github.foresight.protocol.conf.InvalidValueException if the configuration's excluded directories are refused
     */
    static Cluster open(ClusterOption option) throws IOException {
        HdfsConfiguration configuration = SiteConfiguration.read(option.conf);
        ExcludedDirectories excluded = new ExcludedDirectories(PlacementKeys.EXCLUDED.get(configuration::get));
        URI asked = new Path(option.path).toUri();
        URI uri = asked.getScheme() == null ? FileSystem.getDefaultUri(configuration) : asked;
        FileSystem fs = FileSystem.newInstance(uri, configuration);
        if (!(fs instanceof DistributedFileSystem)) {
            fs.close();
            throw new IOException(uri + " is not HDFS; set fs.defaultFS or give a path with hdfs://");
        }
        return new Cluster(configuration, (DistributedFileSystem) fs, asked.getPath(), excluded);
    }

    /** Counts how the files lie that are in no excluded directory, and shows each to a visitor. */
    LayoutTotals scan(PlanVisitor visitor) throws IOException, InterruptedException {
        LayoutTotals totals = new LayoutTotals();
        new FileScan(client()).run(path, counting(excluded, ClusterMap.read(client()), totals, visitor));
        return totals;
    }

    /** Adds each file that is in no excluded directory to the totals, and shows it to a visitor. */
    static FileScan.Visitor counting(
            ExcludedDirectories excluded, ClusterMap map, LayoutTotals totals, PlanVisitor visitor) {
        return (file, status, blocks) -> {
            if (!excluded.contains(file)) {
                FilePlan plan = FilePlan.of(status, blocks, map);
                totals.add(plan);
                visitor.visit(file, plan);
            }
        };
    }

    /** Receives the plan of a file. */
    @FunctionalInterface
    interface PlanVisitor {
        void visit(String file, FilePlan plan) throws InterruptedException;
    }

    BlockMover mover() throws IOException {
        return new BlockMover(fs, configuration);
    }

    DFSClient client() {
        return fs.getClient();
    }

    /** Without the file system's name. */
    String path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        fs.close();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import io.github.foresight.core.layout.ExcludedDirectories;
import io.github.foresight.protocol.conf.PlacementKeys;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** A running cluster, and a path in it. */
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
     * Opens the file system of the path, or of the configuration if the path names none.
     *
     * @throws IOException if the file system is not HDFS, or fails
     * @throws io.github.foresight.protocol.conf.InvalidValueException if the value of the excluded directories is not accepted
     */
    static Cluster open(ClusterOption option) throws IOException {
        HdfsConfiguration configuration = configuration(option);
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

    private static HdfsConfiguration configuration(ClusterOption option) throws IOException {
        HdfsConfiguration configuration = new HdfsConfiguration();
        java.nio.file.Path folder = option.conf;
        if (folder != null) {
            for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
                java.nio.file.Path file = folder.resolve(name);
                if (!Files.isReadable(file)) {
                    throw new IOException(file + " is not there or cannot be read");
                }
                configuration.addResource(file.toUri().toURL());
            }
        }
        return configuration;
    }

    /** Adds up the layouts of the files outside of excluded directories, and passes the plan of each to a visitor. */
    LayoutTotals scan(PlanVisitor visitor) throws IOException, InterruptedException {
        LayoutTotals totals = new LayoutTotals();
        new FileScan(client()).run(path, counting(excluded, ClusterMap.read(client()), totals, visitor));
        return totals;
    }

    /** Adds each file outside of excluded directories to the totals, and passes its plan to a visitor. */
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

    /** A visitor of plans. */
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

    /** The path without the name of the file system. */
    String path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        fs.close();
    }
}

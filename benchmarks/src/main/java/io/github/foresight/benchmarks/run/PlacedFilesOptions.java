/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import io.github.foresight.cluster.DiskThrottle;
import io.github.foresight.cluster.ProcessCluster;
import io.github.foresight.cluster.SlowLinks;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a cluster whose files lie as HDFS places them, with users' defaults, and whose reader is on a host without a DataNode. */
public final class PlacedFilesOptions {

    private static final long MIB = 1 << 20;
    private static final long BYTES_OF_MBIT = 1_000_000 / 8;

    @Option(
            names = "--block-size",
            defaultValue = "128m",
            converter = ClusterOptions.Size.class,
            description = "HDFS block size (${DEFAULT-VALUE}).")
    @AtLeast(MIB)
    private long blockSize;

    @Option(names = "--replication", defaultValue = "3", description = "Replicas of each block (${DEFAULT-VALUE}).")
    @AtLeast(1)
    private int replication;

    @Option(
            names = "--link",
            defaultValue = "0",
            description =
                    "Mbit/s of all that the DataNodes send together, as over one link of the reader; needs root and tc; 0: not limited"
                            + " (${DEFAULT-VALUE}).")
    @AtLeast(0)
    private int linkMbit;

    @Mixin
    private DataNodesOption dataNodes = new DataNodesOption(6);

    /** The reader's host, where the machine has an address for it. */
    private Optional<InetAddress> clients = Optional.empty();

    public long blockSize() {
        return blockSize;
    }

    public int replication() {
        return replication;
    }

    public int dataNodes() {
        return dataNodes.count();
    }

    /** Whether the link to the reader has a limit. */
    public boolean hasSlowLink() {
        return linkMbit > 0;
    }

    /** The cluster, not yet started, with its data below a directory. */
    public ProcessCluster.Builder cluster(ClusterOptions options, Path directory, DiskThrottle throttle)
            throws IOException {
        options.require("--datanodes", dataNodes.count(), replication);
        ProcessCluster.Builder builder = ProcessCluster.builder()
                .hadoopClasspath(options.hadoopClasspath())
                .workDir(directory)
                .dataNodes(dataNodes.count())
                .conf("dfs.replication", String.valueOf(replication))
                .conf("dfs.blocksize", String.valueOf(blockSize))
                .throttle(throttle);
        clients = ProcessCluster.otherAddress();
        clients.ifPresent(builder::clientsAt);
        return builder;
    }

    /**
     * Limits the link between a running cluster's DataNodes and the reader, until the result is closed.
     *
     * @throws IOException if a limit is asked for and cannot be set
     */
    public Closeable limitLink(ProcessCluster on) throws IOException {
        if (linkMbit == 0) {
            return () -> {};
        }
        List<Integer> ports = new ArrayList<>();
        for (int node = 0; node < dataNodes.count(); node++) {
            ports.add(on.dataPort(node));
        }
        SlowLinks links = null;
        try {
            links = SlowLinks.open();
            links.limit(ports, linkMbit * BYTES_OF_MBIT);
            return links;
        } catch (IOException e) {
            if (links != null) {
                links.close();
            }
            throw new IOException(
                    "--link is " + linkMbit + ", but no link can be limited here (root and tc are needed): " + e, e);
        }
    }

    /** A report's words about where the files and the reader of {@link #cluster} are. */
    public String describe() {
        return "placed by HDFS, replication " + replication + " on " + dataNodes.count() + " DataNodes, blocks of "
                + blockSize / MIB + " MiB; "
                + (clients.isPresent()
                        ? "no DataNode is on the reader's host"
                        : "all DataNodes are on the reader's host")
                + (linkMbit == 0 ? "" : "; the DataNodes send at most " + linkMbit + " Mbit/s together");
    }
}

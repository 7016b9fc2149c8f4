/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A cluster of one side, and the processes that open its files ({@link OpenPlan}). Not thread-safe. */
final class MetadataContestant implements Closeable {

    private static final String ADMIN = "org.apache.hadoop.hdfs.tools.DFSAdmin";
    private static final Duration ADMIN_LIMIT = Duration.ofSeconds(60);

    final MetadataSide side;
    private final ProcessCluster cluster;
    private final OpenClients clients;
    private final PassMeter meter;
    private final Path log;

    /** Takes over a cluster and its clients; closes both at the end. */
    MetadataContestant(MetadataSide side, ProcessCluster cluster, OpenClients clients, Path log)
            throws IOException, InterruptedException {
        this.side = side;
        this.cluster = cluster;
        this.clients = clients;
        this.meter = new PassMeter(cluster);
        this.log = log;
    }

    ProcessCluster cluster() {
        return cluster;
    }

    /** Makes the NameNode forget its access graph, if it has one. */
    void forget() throws IOException, InterruptedException {
        if (!side.nameNode) {
            return;
        }
        List<String> command = cluster.clientCommand(
                cluster.clientConf("admin", Installation.STOCK), Installation.STOCK, List.of(), ADMIN);
        command.addAll(List.of("-refresh", cluster.uri().substring("hdfs://".length()), "foresight", "clear"));
        ClientProcess.run(command, log, ADMIN_LIMIT, "'dfsadmin -refresh foresight clear'");
    }

    /** Does a pass without measuring it. */
    void warmUp(int round, int pass) throws IOException {
        clients.prepare(0, round, pass, pass, 1);
        clients.open();
    }

    /** Waits for the counters, and leaves out events until now. */
    void settle() throws IOException, InterruptedException {
        meter.settle();
    }

    /** Prepares a measured pass in parts. */
    void begin(int round, int pass, int parts) throws IOException {
        clients.prepare(0, round, pass, pass, parts);
        meter.begin(clients);
    }

    /** Does the next part of the pass. */
    void open() throws IOException {
        meter.open(clients);
    }

    /** Ends the pass, and returns its figures. */
    OpenPass end() throws IOException, InterruptedException {
        return meter.end(clients);
    }

    @Override
    public void close() throws IOException {
        clients.close();
        cluster.close();
    }
}

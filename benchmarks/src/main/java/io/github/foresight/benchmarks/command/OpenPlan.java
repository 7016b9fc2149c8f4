/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.OpenOrders;
import io.github.foresight.benchmarks.workload.OpenWorkload;
import io.github.foresight.benchmarks.workload.SmallFiles;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Which small files the clients of a cluster open, and how. Immutable.
 *
 * @param bytes of each file
 * @param clients processes that open files at the same time
 * @param opensOfClient in one pass
 */
record OpenPlan(
        int files,
        int bytes,
        int clients,
        int opensOfClient,
        OpenOrders.Kind orders,
        OpenWorkload.Depth depth,
        int dataNodes) {

    /** The folder of the files. */
    static final String FOLDER = "/metadata";

    private static final String CLIENT_HEAP = "256m";

    /**
     * Starts a cluster with the files and the client processes.
     *
     * @param hadoopClasspath of all processes
     * @param directory for the cluster's data and the clients' log
     * @param limit for the life of each client
     */
    MetadataContestant start(MetadataSide side, Release release, String hadoopClasspath, Path directory, Duration limit)
            throws IOException, InterruptedException {
        Path log = directory.resolve("clients.log");
        ProcessCluster started = ProcessCluster.builder()
                .hadoopClasspath(hadoopClasspath)
                .workDir(Files.createDirectories(directory.resolve(side.name().toLowerCase(Locale.ROOT))))
                .dataNodes(dataNodes)
                .conf("dfs.replication", "1")
                .nameNodeInstallation(side.nameNode(release))
                .dataNodeInstallation(side.dataNode(release))
                .start();
        try {
            new SmallFileSet(FOLDER, files, bytes, SmallFiles.Naming.LETTERS).writeTo(started, release);
            OpenClients processes =
                    OpenClients.launch(clients, command(started, side.client(release), release), log, limit);
            try {
                return new MetadataContestant(side, started, processes, log);
            } catch (IOException | InterruptedException e) {
                processes.close();
                throw e;
            }
        } catch (IOException | InterruptedException e) {
            started.close();
            throw e;
        }
    }

    /**
     * The command of a process that opens files, with a heap of fixed size. A JVM collects garbage and shrinks its heap when it has loaded
     * a certain number of classes. HDFS's client alone stays just below that number. An application is above it, and a client with
     * Foresight too.
     */
    private List<String> command(ProcessCluster of, Installation client, Release release) throws IOException {
        Path conf = of.clientConf("reading", client);
        List<String> command =
                of.clientCommand(conf, client, List.of(release.toolsJar()), OpenWorkload.class.getName());
        command.addAll(2, List.of("-Xms" + CLIENT_HEAP, "-Xmx" + CLIENT_HEAP));
        command.addAll(List.of(
                FOLDER,
                String.valueOf(bytes),
                String.valueOf(files),
                String.valueOf(opensOfClient),
                orders.name(),
                depth.name(),
                conf.toString()));
        return command;
    }
}

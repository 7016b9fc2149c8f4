/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.report.Measurement;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.BlockPrefetchFileSystem;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A side of a benchmark: the installations of the daemons and of the client. Immutable. */
record Side(String name, Installation nameNode, Installation dataNode, Installation client) {

    private static final Duration LIMIT = Duration.ofMinutes(20);

    /** HDFS as it is. */
    static Side stock() {
        return stock(Baseline.STOCK, Installation.STOCK);
    }

    /** HDFS as it is, with a client of other settings. */
    static Side stock(String name, Installation client) {
        return new Side(name, Installation.STOCK, Installation.STOCK, client);
    }

    /** HDFS as it is, with a client that fetches whole blocks ahead into its heap, as HDFS-17975 proposes. */
    static Side blockPrefetch(String name, int blocks, long blockBytes) {
        return stock(
                name,
                Installation.STOCK
                        .with("fs.hdfs.impl", BlockPrefetchFileSystem.NAME)
                        .with(BlockPrefetchFileSystem.THREADS, String.valueOf(blocks))
                        .with(BlockPrefetchFileSystem.STREAM_BYTES, String.valueOf(blocks * blockBytes)));
    }

    /** All of Foresight. */
    static Side foresight(Release release) throws IOException {
        return new Side(Baseline.FORESIGHT, release.nameNode(), release.dataNode(), release.client());
    }

    /** What one side does in one round. */
    @FunctionalInterface
    interface Turn {
        List<Measurement> measure(Side side, int round) throws IOException, InterruptedException;
    }

    /** Measures all sides in each round, one after the other. Each round begins with another side. */
    static List<Measurement> inTurn(List<Side> sides, int rounds, Turn turn) throws IOException, InterruptedException {
        List<Measurement> measured = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<Side> order = new ArrayList<>(sides);
            Collections.rotate(order, round - 1);
            for (Side side : order) {
                measured.addAll(turn.measure(side, round));
            }
        }
        return measured;
    }

    /** Starts the daemons of a cluster anew with this side's installations. */
    void install(ProcessCluster on) throws IOException, InterruptedException {
        on.restartNameNode(nameNode);
        on.restartDataNodes(dataNode);
    }

    /** Starts a program with this side's client, and waits for its line {@code READY}. */
    ClientProcess launch(ProcessCluster on, Path toolsJar, Class<?> program, Object... arguments) throws IOException {
        return launch(on, List.of(toolsJar), program.getName(), arguments);
    }

    /**
     * Starts a program that needs more jars than those of Hadoop and of this side, and waits for its line {@code READY}.
     *
     * @param program the name of its class, which may not be on the class path here
     */
    ClientProcess launch(ProcessCluster on, List<Path> jars, String program, Object... arguments) throws IOException {
        List<String> command = on.clientCommand(on.clientConf(folder(), client), client, jars, program);
        for (Object argument : arguments) {
            command.add(String.valueOf(argument));
        }
        ClientProcess process = ClientProcess.launch(command, on.workDir().resolve("clients.log"), LIMIT);
        process.awaitLine("READY", "a client's start");
        return process;
    }

    /** The name of the client's configuration folder. */
    String folder() {
        return name.replaceAll("[^A-Za-z0-9]+", "-");
    }
}

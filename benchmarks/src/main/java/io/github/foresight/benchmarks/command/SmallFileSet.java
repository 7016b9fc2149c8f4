/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.FileLengths;
import io.github.foresight.benchmarks.workload.SmallFiles;
import io.github.foresight.benchmarks.workload.SmallFilesWorkload;
import io.github.foresight.cluster.ClientProcess;
import io.github.foresight.cluster.Installation;
import io.github.foresight.cluster.ProcessCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The small files of a benchmark. Immutable. */
final class SmallFileSet {

    private static final String COMPLETION = "dfs.client.block.write.locateFollowingBlock.";

    /** Polls the NameNode for a complete block sooner and more often than the default, because the files are small. */
    private static final Installation WRITER =
            Installation.STOCK.with(COMPLETION + "initial.delay.ms", "5").with(COMPLETION + "retries", "10");

    private final String folder;
    private final int count;
    private final FileLengths lengths;
    private final SmallFiles.Naming naming;

    /**
     * Files of one length, which {@link #writeTo} writes.
     *
     * @param bytes of each file
     */
    SmallFileSet(String folder, int count, int bytes, SmallFiles.Naming naming) {
        this(folder, count, FileLengths.equal(bytes), naming);
    }

    /** Files which {@link #writeTo} writes. */
    SmallFileSet(String folder, int count, FileLengths lengths, SmallFiles.Naming naming) {
        this.folder = folder;
        this.count = count;
        this.lengths = lengths;
        this.naming = naming;
    }

    /** Writes the files with the stock client. */
    void writeTo(ProcessCluster cluster, Release release) throws IOException, InterruptedException {
        System.out.println("Writing " + count + " files of " + lengths + " bytes to " + cluster.uri());
        List<String> command = cluster.clientCommand(
                cluster.clientConf("writer", WRITER),
                Installation.STOCK,
                List.of(release.toolsJar()),
                SmallFilesWorkload.class.getName());
        command.addAll(List.of(folder, String.valueOf(count), lengths.toString(), naming.name()));
        ClientProcess.run(
                command,
                cluster.workDir().resolve("writer.log"),
                Duration.ofSeconds(120 + count / 20),
                "writing small files");
    }
}

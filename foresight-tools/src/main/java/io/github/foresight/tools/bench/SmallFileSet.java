/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.bench;

import io.github.foresight.tools.cluster.ClientProcess;
import io.github.foresight.tools.cluster.Installation;
import io.github.foresight.tools.cluster.ProcessCluster;
import io.github.foresight.tools.run.Release;
import io.github.foresight.tools.workload.SmallFiles;
import io.github.foresight.tools.workload.SmallFilesWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Small files that a benchmark is about. Immutable. */
final class SmallFileSet {

    private final String folder;
    private final int count;
    private final int bytes;
    private final SmallFiles.Naming naming;

    /**
     * Files that may not be there yet.
     *
     * @param bytes of each
     */
    SmallFileSet(String folder, int count, int bytes, SmallFiles.Naming naming) {
        this.folder = folder;
        this.count = count;
        this.bytes = bytes;
        this.naming = naming;
    }

    /** Writes them with the stock client. */
    void writeTo(ProcessCluster cluster, Release release) throws IOException, InterruptedException {
        System.out.println("Writing " + count + " files of " + bytes + " bytes to " + cluster.uri());
        List<String> command = cluster.clientCommand(
                cluster.clientConf("writer", Installation.STOCK),
                Installation.STOCK,
                List.of(release.toolsJar()),
                SmallFilesWorkload.class.getName());
        command.addAll(List.of(folder, String.valueOf(count), String.valueOf(bytes), naming.name()));
        ClientProcess.run(
                command,
                cluster.workDir().resolve("writer.log"),
                Duration.ofSeconds(120 + count / 20),
                "writing small files");
    }
}

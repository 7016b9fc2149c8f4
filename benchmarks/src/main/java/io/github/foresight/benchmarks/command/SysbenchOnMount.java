/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.workload.HdfsMount;
import io.github.foresight.benchmarks.workload.SysbenchRequests.Mode;
import io.github.foresight.cluster.AtExit;
import io.github.foresight.cluster.ClientProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Runs {@code sysbench} itself, in the folder of an {@link HdfsMount}. */
final class SysbenchOnMount implements SysbenchClient {

    private final ClientProcess mount;
    private final Path folder;
    private final int files;
    private final long requestBytes;
    private final AtExit.CleanUp unmounting = this::unmount;

    /**
     * For a mount that is ready. It is unmounted at the end of this JVM at the latest.
     *
     * @param folder where HDFS is mounted
     */
    SysbenchOnMount(ClientProcess mount, Path folder, int files, long requestBytes) throws IOException {
        this.mount = mount;
        this.folder = folder;
        this.files = files;
        this.requestBytes = requestBytes;
        AtExit.ofJvm().add(unmounting);
    }

    @Override
    public Pass read(String path, long fileBytes, Mode mode, int threads, int seconds, int seed)
            throws IOException, InterruptedException {
        long requests = mode == Mode.SEQRD ? files * (fileBytes / requestBytes) : 0;
        Process sysbench = new ProcessBuilder(List.of(
                        "sysbench",
                        "fileio",
                        "--file-num=" + files,
                        "--file-total-size=" + files * fileBytes,
                        "--file-block-size=" + requestBytes,
                        "--file-test-mode=" + mode.name().toLowerCase(Locale.ROOT),
                        "--threads=" + threads,
                        "--time=" + seconds,
                        "--events=" + requests,
                        "--rand-seed=" + (seed + 1),
                        "run"))
                .directory(folder.resolve(path.substring(1)).toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(sysbench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (sysbench.waitFor() != 0) {
            throw new IOException("sysbench failed:\n" + output);
        }
        return pass(output);
    }

    /**
     * The figures of sysbench's output.
     *
     * @throws IOException if one is not there
     */
    static Pass pass(String output) throws IOException {
        PrintedFigures printed = new PrintedFigures("sysbench", output);
        return new Pass(
                printed.figure("total time"),
                (long) printed.figure("total number of events"),
                printed.figure("95th percentile"));
    }

    @Override
    public void close() throws IOException {
        try {
            mount.endInput();
            mount.awaitEnd("unmounting HDFS");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            mount.destroy();
            unmount();
            AtExit.ofJvm().remove(unmounting);
        }
    }

    /** Unmounts HDFS, if the mount's process has not done so itself. The kernel lets go of it once the process has ended. */
    private void unmount() throws IOException {
        Process umount = new ProcessBuilder("umount", "-l", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            // It fails where nothing is mounted any more.
            umount.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

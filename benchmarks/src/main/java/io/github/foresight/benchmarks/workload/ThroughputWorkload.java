/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * Runs Hadoop's own {@code NNThroughputBenchmark} many times in one JVM, against NameNodes in other processes. The benchmark logs its
 * results.
 *
 * <p>Argument: threads. Each line {@code uri operation count} of standard input is a run: it prints {@code READY}, waits for a line, runs, and
 * prints {@code DONE}. An empty line ends the process. Runs that read use existing files below {@value #FOLDER}, because the files that the
 * benchmark makes have no blocks, and opening them is little work. Runs that change use files that the benchmark makes before it measures.
 */
public final class ThroughputWorkload {

    static final String FOLDER = "/nnThroughputBenchmark";

    private static final Set<String> READS = Set.of("open", "fileStatus");
    private static final String BENCHMARK = "org.apache.hadoop.hdfs.server.namenode.NNThroughputBenchmark";

    private ThroughputWorkload() {}

    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        Method benchmark = Class.forName(BENCHMARK).getMethod("main", String[].class);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            String[] words = line.split(" ", -1);
            boolean reads = READS.contains(words[1]);
            if (reads) {
                moveFiles(URI.create(words[0]), words[1]);
            }
            System.out.println("READY");
            if (in.readLine() == null) {
                return;
            }
            run(benchmark, arguments(words[0], words[1], words[2], args[0], reads));
            System.out.println("DONE");
        }
        // Hadoop's benchmark leaves threads behind.
        System.exit(0);
    }

    private static String[] arguments(String uri, String operation, String count, String threads, boolean reads) {
        List<String> arguments = new ArrayList<>(List.of(
                "-fs",
                uri,
                "-op",
                operation,
                "-threads",
                threads,
                "-files",
                count,
                "-filesPerDir",
                String.valueOf(SmallFiles.PER_FOLDER)));
        if (reads) {
            arguments.addAll(List.of("-useExisting", "-keepResults"));
        }
        return arguments.toArray(new String[0]);
    }

    /** Renames the files to the name that the benchmark expects. The benchmark leaves a NameNode in safe mode, which is left first. */
    private static void moveFiles(URI uri, String operation) throws IOException {
        DistributedFileSystem fs = (DistributedFileSystem) FileSystem.get(uri, new Configuration());
        Path wanted = new Path(FOLDER, operation);
        if (!fs.exists(wanted)) {
            fs.getClient().setSafeMode(HdfsConstants.SafeModeAction.SAFEMODE_LEAVE);
            if (!fs.rename(fs.listStatus(new Path(FOLDER))[0].getPath(), wanted)) {
                throw new IOException("the files of " + uri + " could not be renamed to " + wanted);
            }
        }
    }

    private static void run(Method benchmark, String[] args) throws ReflectiveOperationException {
        try {
            benchmark.invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("Hadoop's benchmark failed", e.getCause());
        }
    }
}

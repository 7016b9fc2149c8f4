/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.util.ToolRunner;

/**
 * A process with a short life that reads from HDFS. Its configuration is on the class path.
 *
 * <p>Arguments: {@link Kind}, folder, bytes of each file, number of files. Prints {@code DONE seconds} at the end: the processor time of this
 * JVM.
 */
public final class FreshJvmWorkload {

    /** The work of the process. */
    public enum Kind {
        /** {@code hdfs dfs -cat} of the first file. */
        SHELL,
        /** Opens all files in the order of their numbers, and reads them. */
        READ
    }

    private final SmallFiles files;
    private final int count;

    private FreshJvmWorkload(SmallFiles files, int count) {
        this.files = files;
        this.count = count;
    }

    public static void main(String[] args) throws Exception {
        FreshJvmWorkload workload = new FreshJvmWorkload(
                new SmallFiles(args[1], FileLengths.parse(args[2]), SmallFiles.Naming.LETTERS),
                Integer.parseInt(args[3]));
        PrintStream out = System.out;
        if (Kind.valueOf(args[0]) == Kind.SHELL) {
            workload.cat();
        } else {
            workload.read();
        }
        long nanos = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        out.println(String.format(Locale.ROOT, "DONE %.3f", nanos / 1e9));
    }

    /** The shell writes to the JVM's standard output; {@link #main} has kept the true one. */
    private void cat() throws Exception {
        String file = files.path(0).toString();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, false, StandardCharsets.UTF_8));
        int status = ToolRunner.run(new FsShell(new Configuration()), new String[] {"-cat", file});
        if (status != 0) {
            throw new IOException("hdfs dfs -cat " + file + " has ended with " + status);
        }
        System.out.flush();
        verify(0, printed.toByteArray());
    }

    private void read() throws IOException {
        try (FileSystem fs = FileSystem.newInstance(new Configuration())) {
            for (int file = 0; file < count; file++) {
                byte[] bytes = new byte[files.bytes(file)];
                try (FSDataInputStream in = fs.open(files.path(file))) {
                    in.readFully(bytes);
                }
                verify(file, bytes);
            }
        }
    }

    private void verify(int file, byte[] bytes) throws IOException {
        if (!Arrays.equals(bytes, files.content(file))) {
            throw new IOException(files.path(file) + " has not the bytes that were written");
        }
    }
}

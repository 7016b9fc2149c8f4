/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import java.io.IOException;
import java.util.List;

/** HDFS's own commands. Each command runs in a new JVM in a client's container. Files are compared by their SHA-256. */
final class HdfsShell {

    /** The block size in bytes, as in hdfs-site.xml. */
    static final int BLOCK = 8 << 20;

    private static final String SHELL = HadoopContainer.JAVA + "org.apache.hadoop.fs.FsShell ";
    private static final String FSCK = HadoopContainer.JAVA + "org.apache.hadoop.hdfs.tools.DFSck ";

    private final HadoopContainer client;

    HdfsShell(HadoopContainer client) {
        this.client = client;
    }

    /** Writes a file of random bytes, and returns its SHA-256. */
    String write(String path, long bytes) throws IOException, InterruptedException {
        return client.run("head -c " + bytes + " /dev/urandom > /tmp/written; sha256sum < /tmp/written; " + SHELL
                + "-put /tmp/written " + path);
    }

    /** Writes a folder of small files of random bytes. Returns the SHA-256 of the files' bytes in the given order. */
    String writeFolder(String folder, List<String> names) throws IOException, InterruptedException {
        return client.run("mkdir -p /tmp" + folder + " && cd /tmp" + folder
                + " && for name in " + String.join(" ", names)
                + "; do head -c 1000 /dev/urandom | tee $name; done | sha256sum; " + SHELL + "-put . " + folder);
    }

    /** Reads files one after another, each from beginning to end. */
    String read(String... paths) throws IOException, InterruptedException {
        return client.run(SHELL + "-cat " + String.join(" ", paths) + " | sha256sum");
    }

    /** Begins to read a file, and waits until a number of bytes has arrived. {@link PausedRead#finish} reads the rest. */
    PausedRead readUntil(String path, long bytes) throws IOException, InterruptedException {
        return PausedRead.begin(client, SHELL + "-cat " + path, bytes);
    }

    /** Returns the output of {@code fsck /}. */
    String fsck() throws IOException, InterruptedException {
        return client.run(FSCK + "/");
    }
}

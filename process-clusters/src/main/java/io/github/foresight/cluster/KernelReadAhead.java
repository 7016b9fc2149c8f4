/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How far the kernel reads ahead on the disk under a directory. Linux's default is 128 KiB; hosts of virtual machines often set more. Not
 * thread-safe.
 */
public final class KernelReadAhead {

    private final Path file;

    private KernelReadAhead(Path file) {
        this.file = file;
    }

    /**
     * That of a directory's disk.
     *
     * @throws IOException if the directory is not on a disk of its own
     */
    public static KernelReadAhead of(Path directory) throws IOException {
        return new KernelReadAhead(
                Path.of("/sys/dev/block", DiskThrottle.wholeDisk(directory), "queue", "read_ahead_kb"));
    }

    /** The kernel's file with the number. */
    Path file() {
        return file;
    }

    /** KiB. */
    public int kib() throws IOException {
        return Integer.parseInt(Files.readString(file).trim());
    }

    /**
     * Changes it until this JVM ends, for all processes of this machine.
     *
     * @throws IOException if this user may not (root is needed)
     */
    public void set(int kib) throws IOException {
        int before = kib();
        write(kib);
        AtExit.ofJvm().add(() -> write(before));
    }

    private void write(int kib) throws IOException {
        Files.writeString(file, String.valueOf(kib), StandardOpenOption.WRITE);
    }
}

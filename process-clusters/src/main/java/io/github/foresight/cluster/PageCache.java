/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The kernel's page cache as a whole. */
public final class PageCache {

    private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

    private PageCache() {}

    /** Whether this process may empty the page cache. */
    public static boolean canDrop() {
        return Files.isWritable(DROP);
    }

    /**
     * Writes dirty pages back and empties the page cache, with inodes and directory entries, if {@link #canDrop}.
     *
     * @return whether it was emptied
     */
    public static boolean drop() throws IOException, InterruptedException {
        return drop("3");
    }

    /** Writes dirty pages back and empties the page cache, but keeps inodes and directory entries. */
    public static boolean dropPages() throws IOException, InterruptedException {
        return drop("1");
    }

    private static boolean drop(String what) throws IOException, InterruptedException {
        if (!canDrop()) {
            return false;
        }
        new ProcessBuilder("sync").start().waitFor();
        Files.writeString(DROP, what, StandardOpenOption.WRITE);
        return true;
    }
}

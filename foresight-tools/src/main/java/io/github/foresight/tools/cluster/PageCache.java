/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.cluster;

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
     * Writes back what is dirty and empties the cache, as far as {@link #canDrop}.
     *
     * @return whether it was emptied
     */
    public static boolean drop() throws IOException, InterruptedException {
        if (!canDrop()) {
            return false;
        }
        new ProcessBuilder("sync").start().waitFor();
        Files.writeString(DROP, "3", StandardOpenOption.WRITE);
        return true;
    }
}

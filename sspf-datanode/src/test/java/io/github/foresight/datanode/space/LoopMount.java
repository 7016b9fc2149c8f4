/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.space;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A file system with options of its own in a sparse file. Needs root and a loop device; the test is skipped without these. */
final class LoopMount implements Closeable {

    private static final long IMAGE_BYTES = 320L << 20;

    private final Path path;

    private LoopMount(Path path) {
        this.path = path;
    }

    static LoopMount create(Path directory, String fileSystem, String option) throws IOException, InterruptedException {
        assumeTrue(System.getProperty("user.name").equals("root"), "root may mount");
        Path image = directory.resolve(fileSystem + ".img");
        Path mount = Files.createDirectory(directory.resolve(fileSystem));
        try {
            run("truncate", "-s", String.valueOf(IMAGE_BYTES), image.toString());
            run("mkfs." + fileSystem, "-q", option, image.toString());
            run("mount", "-o", "loop", image.toString(), mount.toString());
        } catch (IOException e) {
            Assumptions.abort("no " + fileSystem + " with " + option + " can be mounted here: " + e.getMessage());
        }
        return new LoopMount(mount);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        try {
            run("umount", path.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(path + " stays mounted", e);
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said.trim());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories with their content. */
public final class FileTree {

    private FileTree() {}

    /** Deletes a directory with its content, if it exists. Waits for other threads that delete. */
    public static synchronized void delete(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            files.sorted(Comparator.reverseOrder()).forEach(FileTree::deleteOne);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void deleteOne(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

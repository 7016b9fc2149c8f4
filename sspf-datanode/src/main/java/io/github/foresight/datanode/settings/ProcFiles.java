/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.settings;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Linux's files about this process; read when a DataNode starts. */
public final class ProcFiles {

    private static final int PIECE_BYTES = 64 << 10;

    private ProcFiles() {}

    /**
     * A file's text, or an empty text where the file cannot be read. Reads in large pieces: a file below {@code /proc/sys} gives its
     * text to the first read only, and {@link Files#readAllBytes} begins with a read of one byte where a file's size is 0.
     */
    public static String text(String path) {
        try (InputStream file = Files.newInputStream(Paths.get(path))) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            byte[] piece = new byte[PIECE_BYTES];
            for (int n = file.read(piece); n > 0; n = file.read(piece)) {
                text.write(piece, 0, n);
            }
            return new String(text.toByteArray(), StandardCharsets.UTF_8);
        } catch (IOException | SecurityException e) {
            return "";
        }
    }
}

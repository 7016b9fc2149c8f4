/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/** The files in which Linux tells about this process; read when a DataNode starts. */
final class ProcFiles {

    private ProcFiles() {}

    /** A file's text, or an empty text where the file cannot be read. */
    static String text(String path) {
        try {
            return new String(Files.readAllBytes(Paths.get(path)), StandardCharsets.UTF_8);
        } catch (IOException | SecurityException e) {
            return "";
        }
    }
}

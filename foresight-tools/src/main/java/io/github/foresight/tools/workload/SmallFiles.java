/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.workload;

import java.util.Random;
import org.apache.hadoop.fs.Path;

/**
 * Small files of equal size in one folder, each with bytes of its own. Their names are not numbered, so that nothing can be guessed
 * from them. Immutable.
 */
final class SmallFiles {

    private static final int LETTERS = 6;
    private static final int ALPHABET = 26;

    private final String folder;
    private final int bytes;

    SmallFiles(String folder, int bytes) {
        this.folder = folder;
        this.bytes = bytes;
    }

    Path path(int file) {
        StringBuilder name = new StringBuilder("file-");
        for (int rest = file, letter = 0; letter < LETTERS; letter++, rest /= ALPHABET) {
            name.append((char) ('a' + rest % ALPHABET));
        }
        return new Path(folder, name.toString());
    }

    byte[] content(int file) {
        byte[] content = new byte[bytes];
        new Random(file).nextBytes(content);
        return content;
    }
}

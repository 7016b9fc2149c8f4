/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.util.Random;
import org.apache.hadoop.fs.Path;

/** Small files below one folder, each with bytes of its own. Immutable. */
public final class SmallFiles {

    /** How the files are called. */
    public enum Naming {
        /** By letters, so that nothing can be guessed from a name. */
        LETTERS {
            @Override
            String name(int file) {
                StringBuilder name = new StringBuilder("file-");
                for (int rest = file, letter = 0; letter < LETTER_COUNT; letter++, rest /= ALPHABET) {
                    name.append((char) ('a' + rest % ALPHABET));
                }
                return name.toString();
            }
        },
        /** As Hadoop's {@code NNThroughputBenchmark} does when told that a folder may have {@value #PER_FOLDER} files. */
        THROUGHPUT {
            @Override
            String name(int file) {
                return "ThroughputBenchDir" + file / PER_FOLDER + "/ThroughputBench" + file;
            }
        };

        abstract String name(int file);
    }

    /** So many that one level of folders will do for {@link Naming#THROUGHPUT}. */
    static final int PER_FOLDER = 1000;

    private static final int LETTER_COUNT = 6;
    private static final int ALPHABET = 26;

    private final String folder;
    private final FileLengths lengths;
    private final Naming naming;

    SmallFiles(String folder, FileLengths lengths, Naming naming) {
        this.folder = folder;
        this.lengths = lengths;
        this.naming = naming;
    }

    Path path(int file) {
        return new Path(folder, naming.name(file));
    }

    int bytes(int file) {
        return lengths.of(file);
    }

    byte[] content(int file) {
        byte[] content = new byte[lengths.of(file)];
        new Random(file).nextBytes(content);
        return content;
    }
}

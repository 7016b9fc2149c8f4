/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.util.Random;
import org.apache.hadoop.fs.Path;

/** Small files below one folder, each with other bytes. Immutable. */
public final class SmallFiles {

    /** The names of the files. */
    public enum Naming {
        /** Names of letters, from which nobody can guess the next name. */
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
        /** The names that Hadoop's {@code NNThroughputBenchmark} uses with {@value #PER_FOLDER} files in a folder. */
        THROUGHPUT {
            @Override
            String name(int file) {
                return "ThroughputBenchDir" + file / PER_FOLDER + "/ThroughputBench" + file;
            }
        };

        abstract String name(int file);
    }

    /** Large enough for a single level of folders in {@link Naming#THROUGHPUT}. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.lease;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a simulated world. The content of a file is the number of its last change, so each write writes a different value. */
final class SimulatedFiles {

    /** One file's part of a change. */
    record Written(int file, long content) {}

    private static final String[] NAMES = {"/a/f", "/a/g", "/a/b/f", "/a-b/f", "/c/f", "/c/g"};
    private static final String[] DIRECTORIES = {"/a", "/a/b", "/c", "/"};

    private final long[] contents = new long[NAMES.length];

    /** The epoch in which each file was written last, and so the epoch of its inode. */
    private final long[] writtenIn = new long[NAMES.length];

    private final RegisterHistory[] histories = new RegisterHistory[NAMES.length];
    private long lastContent;

    SimulatedFiles() {
        Arrays.setAll(histories, i -> new RegisterHistory(0));
    }

    int count() {
        return NAMES.length;
    }

    String name(int file) {
        return NAMES[file];
    }

    int directoryCount() {
        return DIRECTORIES.length;
    }

    String directory(int index) {
        return DIRECTORIES[index];
    }

    long content(int file) {
        return contents[file];
    }

    RegisterHistory history(int file) {
        return histories[file];
    }

    /** Whether a path holds an inode that was made before an epoch. */
    boolean isOlder(String path, long epoch) {
        for (int file = 0; file < NAMES.length; file++) {
            if (Subtree.covers(path, NAMES[file]) && writtenIn[file] < epoch) {
                return true;
            }
        }
        return false;
    }

    /** Writes all files of a path. */
    List<Written> write(String path, long epoch) {
        List<Written> written = new ArrayList<>();
        for (int file = 0; file < NAMES.length; file++) {
            if (Subtree.covers(path, NAMES[file])) {
                contents[file] = ++lastContent;
                writtenIn[file] = epoch;
                written.add(new Written(file, lastContent));
            }
        }
        return written;
    }

    /** A contradiction of linearizability, or null. */
    @Nullable
    String contradiction() {
        for (int file = 0; file < NAMES.length; file++) {
            String contradiction = histories[file].contradiction();
            if (contradiction != null) {
                return NAMES[file] + ": " + contradiction;
            }
        }
        return null;
    }
}

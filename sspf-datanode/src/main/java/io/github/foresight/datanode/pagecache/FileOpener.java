/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import java.io.IOException;
import java.nio.file.Path;

/** Opens files of which parts are to be resident, within a budget of descriptors and mappings. Thread-safe. */
public final class FileOpener {

    private final boolean pin;
    private final FileBudget budget;

    /**
     * Makes one.
     *
     * @param pin whether to lock resident pages, where that is possible
     */
    public FileOpener(boolean pin, FileBudget budget) {
        this.pin = pin;
        this.budget = budget;
    }

    /** One within the same budget that locks nothing. */
    public FileOpener unpinned() {
        return new FileOpener(false, budget);
    }

    /**
     * Opens a file of which a part becomes resident, from front to back; nothing is read yet.
     *
     * @param begin the begin of the part
     * @param end the end of the part, at most the file's length
     * @throws OverBudgetException if the budget has no room
     * @throws IOException if the file cannot be opened
     */
    public ResidentFile open(Path path, long begin, long end) throws IOException {
        return ResidentFile.open(path, begin, end, pin, budget);
    }

    /**
     * Opens a file of which ranges become resident; nothing is read yet.
     *
     * @param lengthBytes the file's length, at least 1; ranges end there at the latest
     * @throws OverBudgetException if the budget has no room
     * @throws IOException if the file cannot be opened
     */
    public ResidentRanges openRanges(Path path, long lengthBytes) throws IOException {
        return ResidentRanges.open(path, lengthBytes, pin, budget);
    }
}

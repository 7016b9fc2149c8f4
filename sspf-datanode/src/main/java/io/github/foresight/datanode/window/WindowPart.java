/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.window;

import io.github.foresight.core.window.Extent;
import io.github.foresight.datanode.lane.PinAdvice;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.FileOpener;
import io.github.foresight.datanode.pagecache.ResidentRanges;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.replica.Footprint;
import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/**
 * What one window holds of one block: ranges of its data, with the checksums that belong to them read but not locked.
 *
 * <p>{@link #load}, {@link #release} and {@link #close} are called by the volume's lane only, {@link #plan} by the dispatcher only.
 */
final class WindowPart {

    private final BlockFiles files;
    private final FileOpener opener;
    private long plannedBytes;
    private boolean submitted;
    private @Nullable ResidentRanges data;
    private @Nullable ResidentRanges checksums;

    WindowPart(BlockFiles files, FileOpener opener) {
        this.files = files;
        this.opener = opener;
    }

    BlockFiles files() {
        return files;
    }

    /** Counts what will be loaded, or with a negative number released; releases the rest. */
    long plan(long bytes) {
        plannedBytes += bytes;
        return plannedBytes;
    }

    /** The lane has been asked to read some of it; from now on the part may hold memory. Called by the dispatcher only. */
    void submitted() {
        submitted = true;
    }

    boolean isSubmitted() {
        return submitted;
    }

    /** Reads a range of the block and its checksums, waiting for the disk. */
    void load(Extent extent, ReadAheadMetrics metrics) throws IOException {
        if (data == null) {
            data = opener.openRanges(files.data(), files.lengthBytes());
            checksums = opener.unpinned().openRanges(files.checksums(), Files.size(files.checksums()));
        }
        if (checksums != null) {
            long begin = ResidentRanges.pageBegin(Footprint.checksumBytes(extent.begin()));
            checksums.load(begin, Footprint.checksumBytes(extent.end()));
        }
        boolean couldPin = data.pinFailure() == null;
        data.load(extent.begin(), extent.end());
        if (couldPin && data.pinFailure() != null) {
            metrics.pinFailures.incr();
            PinAdvice.logOnce(data.pinFailure());
        }
    }

    void release(Extent extent) throws IOException {
        if (data != null) {
            data.release(extent.begin(), extent.end());
        }
    }

    void close() throws IOException {
        ResidentRanges first = data;
        ResidentRanges second = checksums;
        data = null;
        checksums = null;
        try {
            if (first != null) {
                first.close();
            }
        } finally {
            if (second != null) {
                second.close();
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.lane;

import io.github.foresight.core.cache.ResidentPages;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.FileOpener;
import io.github.foresight.datanode.pagecache.ResidentFile;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.replica.ChecksumSource;
import io.github.foresight.datanode.replica.Footprint;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The way of a block, or of a part of it, into memory: its checksums first, unless a pack has them, then its data chunk by chunk up to a
 * limit that may grow. All positions are from the block's begin.
 *
 * <p>{@link #step} and {@link #discard}/{@link #unpin} are called by the volume's lane thread only; the rest is thread-safe.
 */
public final class LoadTask {

    private final HintedBlock block;
    private final BlockFiles files;
    private final FileOpener opener;
    private final ChecksumSource packs;
    private volatile long limitBytes;
    private volatile boolean expedited;
    private volatile boolean cancelled;
    private volatile boolean begun;
    private final AtomicLong loadedUpTo;
    private final AtomicLong servedUpTo;
    private final AtomicBoolean servedAny = new AtomicBoolean();
    private @Nullable ResidentFile checksums;
    private @Nullable ResidentFile data;

    /** The pages that were in memory before; null until the first chunk is read, and where the kernel does not show them. */
    private volatile @Nullable ResidentPages found;

    public LoadTask(HintedBlock block, BlockFiles files, long limitBytes, FileOpener opener, ChecksumSource packs) {
        this.block = block;
        this.files = files;
        this.limitBytes = limitBytes;
        this.opener = opener;
        this.packs = packs;
        this.loadedUpTo = new AtomicLong(block.beginBytes());
        this.servedUpTo = new AtomicLong(block.beginBytes());
    }

    public HintedBlock block() {
        return block;
    }

    public BlockFiles files() {
        return files;
    }

    public void extendTo(long newLimitBytes) {
        limitBytes = Math.max(limitBytes, newLimitBytes);
    }

    public void expedite() {
        expedited = true;
    }

    boolean isExpedited() {
        return expedited;
    }

    void cancel() {
        cancelled = true;
    }

    /** The lane is about to read; from now on the task may hold memory. */
    void begin() {
        begun = true;
    }

    boolean isBegun() {
        return begun;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /** The end of the loaded part of the block. */
    long loadedUpTo() {
        return loadedUpTo.get();
    }

    /** Whether a reader that has come to a position is within the loaded part of the block. */
    public boolean isLoaded(long position) {
        return position >= block.beginBytes() && position <= loadedUpTo.get();
    }

    /** Whether there is something to read before the limit. */
    boolean isRunnable() {
        return !cancelled && loadedUpTo.get() < Math.min(limitBytes, block.endBytes());
    }

    public boolean isComplete() {
        return loadedUpTo.get() >= block.endBytes();
    }

    /**
     * A stream has sent the block up to a position.
     *
     * @return how many more of the bytes that the prefetch brought into memory are thereby used
     */
    public long served(long position) {
        long upTo = Math.min(position, loadedUpTo.get());
        return broughtIn(servedUpTo.getAndAccumulate(upTo, Math::max), upTo);
    }

    private long broughtIn(long begin, long end) {
        ResidentPages before = found;
        return before == null ? Math.max(0, end - begin) : before.ownBytes(begin, end);
    }

    /** Whether any stream has sent bytes of the loaded part. */
    public boolean isServed() {
        return servedUpTo.get() > block.beginBytes();
    }

    /** True once, for the first bytes served. */
    public boolean isFirstUse() {
        return !servedAny.get() && servedAny.compareAndSet(false, true);
    }

    public boolean wasUsed() {
        return servedAny.get();
    }

    public long unusedBytes() {
        return broughtIn(servedUpTo.get(), loadedUpTo.get());
    }

    /**
     * Makes the next chunk resident, waiting for the disk where it was not.
     */
    void step(long chunkBytes, ReadAheadMetrics metrics) throws IOException {
        ResidentFile file = data;
        if (file == null) {
            openFiles();
            file = data;
        }
        if (file == null) {
            return;
        }
        long before = file.residentUpTo();
        long limit = Math.min(limitBytes, block.endBytes());
        long want = Math.min(chunkBytes, limit - before);
        file.load(want, Math.min(chunkBytes, Math.max(0, limit - before - want)));
        if (file.pinFailure() != null && before == block.beginBytes()) {
            metrics.pinFailures.incr();
            PinAdvice.logOnce(file.pinFailure());
        }
        found = file.found();
        long upTo = file.residentUpTo();
        loadedUpTo.set(upTo);
        long broughtIn = broughtIn(before, upTo);
        metrics.prefetchedBytes.incr(broughtIn);
        metrics.residentBytes.incr(upTo - before - broughtIn);
    }

    /** Unpins; the pages may stay as long as the kernel has room. */
    public void unpin() throws IOException {
        close(false);
    }

    /** Unlocks the pages. Drops the pages that the prefetch brought into memory, unless a reader was served from them. */
    public void discard() throws IOException {
        close(!isServed());
    }

    private void openFiles() throws IOException {
        if (!packs.holds(block.key(), files)) {
            long checksumBytes = Math.min(Files.size(files.checksums()), Footprint.checksumBytes(block.endBytes()));
            checksums = opener.open(files.checksums(), 0, checksumBytes);
            checksums.load(checksumBytes, 0);
        }
        data = opener.open(files.data(), block.beginBytes(), block.endBytes());
    }

    private void close(boolean drop) throws IOException {
        ResidentFile first = checksums;
        ResidentFile second = data;
        checksums = null;
        data = null;
        try {
            closeOne(first, drop);
        } finally {
            closeOne(second, drop);
        }
    }

    private static void closeOne(@Nullable ResidentFile file, boolean drop) throws IOException {
        if (file != null) {
            if (drop) {
                file.drop();
            }
            file.close();
        }
    }

    @Override
    public String toString() {
        return "prefetch of " + block + " at " + loadedUpTo.get() + " of " + limitBytes;
    }
}

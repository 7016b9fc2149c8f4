/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.github.benmanes.caffeine.cache.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.foresight.client.lease.LeaseHub;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.metadata.SegmentedLru;
import io.github.foresight.protocol.conf.ClientKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The cached files of one client, by path: which there are, which may be used now, and how they are forgotten.
 *
 * <p>Bounded by {@link ClientKeys#METADATA_CAPACITY} bytes of heap, with all caches of the process by {@link
 * ClientKeys#METADATA_PROCESS_CAPACITY}, and by {@link ClientKeys#METADATA_AGE}, which use does not renew. {@link SegmentedLru} chooses what
 * goes when there is no room; a fifth of the room is for files that were opened again. Beside it stands an ordered index of the paths. So
 * forgetting a directory costs a lookup for each file below it. Thread-safe: one lock is held for a lookup, for a change, or
 * until all files of a directory are forgotten.
 */
final class CachedFiles implements SegmentedLru.Evictions<String, CachedFile> {

    private static final int SHARE_OF_OPENED_AGAIN = 5;

    private final ClientSettings settings;
    private final Ticker ticker;
    private final PredictionOutcomes outcomes;
    private final ProcessBytes.Account account;

    @GuardedBy("this")
    private final SegmentedLru<String, CachedFile> files;

    @GuardedBy("this")
    private final NavigableSet<String> paths = new TreeSet<>();

    /**
     * Begins empty.
     *
     * @param outcomes gets each file that leaves for its age or for want of room
     * @param process the caches of this JVM
     */
    CachedFiles(ClientSettings settings, Ticker ticker, PredictionOutcomes outcomes, ProcessBytes process) {
        this.account = process.open(this);
        this.settings = settings;
        this.ticker = ticker;
        this.outcomes = outcomes;
        long capacity = settings.get(ClientKeys.METADATA_CAPACITY);
        this.files = new SegmentedLru<>(
                capacity,
                capacity / SHARE_OF_OPENED_AGAIN,
                settings.get(ClientKeys.METADATA_AGE).toNanos(),
                this);
    }

    private static int bytes(String path, CachedFile file) {
        return 2 * path.length() + file.bytes();
    }

    /** A file leaves for its age or for want of room. */
    @Override
    @GuardedBy("this")
    public void evicted(String path, CachedFile file) {
        left(path, file);
        outcomes.evicted(file);
    }

    @GuardedBy("this")
    private void left(String path, CachedFile file) {
        paths.remove(path);
        account.add(-bytes(path, file));
    }

    /** Puts a file into the cache, in place of the entry of its path. Without room in the process the path has no entry then. */
    void put(String path, CachedFile file) {
        int bytes = bytes(path, file);
        if (!account.hasRoom(bytes, settings.get(ClientKeys.METADATA_PROCESS_CAPACITY))) {
            ClientMetrics.INSTANCE.metadataOverflows.incr();
            remove(path);
            return;
        }
        synchronized (this) {
            remove(path);
            paths.add(path);
            account.add(bytes);
            files.put(path, file, bytes, !file.isPrediction(), ticker.read());
        }
    }

    /** The file of a path, usable or not. */
    private synchronized @Nullable CachedFile known(String path) {
        return files.peek(path, ticker.read());
    }

    /** Whether a file is here, usable or not. */
    boolean has(String path) {
        return known(path) != null;
    }

    /** A file is predicted. Returns whether it would be opened from here. If so, it counts as new for the order in which files go, not for its age. */
    boolean renewIfLive(String path) {
        CachedFile file = known(path);
        if (file == null || (file.grant != null && !file.grant.isLive())) {
            return false;
        }
        synchronized (this) {
            files.renew(path);
        }
        return true;
    }

    /** A file is opened from here. */
    synchronized void opened(String path) {
        files.use(path, ticker.read());
    }

    /**
     * The file whose layout the NameNode would return now, or null.
     *
     * <p>The file is looked up twice, around the question for the lease. A recall makes the file forgotten before the recall is
     * acknowledged. So a file that is still here afterwards was not recalled before the lease was seen to last. By that moment the NameNode
     * had carried out no change of the file, and the moment lies within this open.
     */
    @Nullable
    CachedFile usable(String path) {
        CachedFile file = known(path);
        if (file == null || file.grant == null) {
            return file;
        }
        return file.grant.use() && known(path) == file ? file : null;
    }

    /** Lets go of files that are past their age now; without this they go when the map is next used. */
    synchronized void expire() {
        files.expire(ticker.read());
    }

    /** Forgets one file; returns whether it was here. */
    synchronized boolean remove(String path) {
        CachedFile removed = files.remove(path);
        if (removed != null) {
            left(path, removed);
        }
        return removed != null;
    }

    /** Forgets a file or directory and all below it; returns how many files there were. */
    synchronized int removeAtAndBelow(String path) {
        String root = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        List<String> gone = new ArrayList<>(paths.subSet(root + '/', root + (char) ('/' + 1)));
        gone.add(root);
        return removeEach(gone);
    }

    @GuardedBy("this")
    private int removeEach(List<String> gone) {
        int removed = 0;
        for (String path : gone) {
            removed += remove(path) ? 1 : 0;
        }
        return removed;
    }

    /** Forgets the files under a hub's lease; returns how many there were. */
    synchronized int removeGrantedBy(LeaseHub hub) {
        long now = ticker.read();
        files.expire(now);
        List<String> gone = new ArrayList<>();
        for (String path : paths) {
            CachedFile file = files.peek(path, now);
            if (file != null && file.grant != null && file.grant.isOf(hub)) {
                gone.add(path);
            }
        }
        return removeEach(gone);
    }

    synchronized void removeAll() {
        removeEach(new ArrayList<>(paths));
    }
}

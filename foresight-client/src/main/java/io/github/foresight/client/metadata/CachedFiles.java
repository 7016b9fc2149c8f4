/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import io.github.foresight.client.lease.LayoutGrant;
import io.github.foresight.client.lease.LeaseHub;
import io.github.foresight.client.metrics.ClientMetrics;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.protocol.conf.ClientKeys;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The cached files of one client, by path: which there are, which may be used now, and how they are forgotten.
 *
 * <p>Bounded by {@link ClientKeys#METADATA_CAPACITY} bytes of heap, with all caches of the process by {@link
 * ClientKeys#METADATA_PROCESS_CAPACITY}, and by {@link ClientKeys#METADATA_AGE}, which use does not renew. Beside the map stands an ordered index of its paths. A path enters and leaves the index with its file, under the map's lock of
 * that path. So forgetting a directory misses no file, and costs a lookup for each file below it. Thread-safe.
 */
final class CachedFiles {

    private final ClientSettings settings;
    private final Ticker ticker;

    /** Made by the first file, so that a process that opens one file does not load the map's classes. */
    private volatile @Nullable Cache<String, CachedFile> files;

    private final NavigableSet<String> paths = new ConcurrentSkipListSet<>();
    private final Consumer<CachedFile> evicted;
    private final ProcessBytes.Account account;

    /**
     * Begins empty.
     *
     * @param evicted gets each file that leaves for its age or for want of room; called with the map's lock of the path held
     * @param process the caches of this JVM
     */
    CachedFiles(ClientSettings settings, Ticker ticker, Consumer<CachedFile> evicted, ProcessBytes process) {
        this.account = process.open(this);
        this.settings = settings;
        this.ticker = ticker;
        this.evicted = evicted;
    }

    private synchronized Cache<String, CachedFile> begun() {
        Cache<String, CachedFile> known = files;
        if (known == null) {
            known = Caffeine.newBuilder()
                    .maximumWeight(settings.get(ClientKeys.METADATA_CAPACITY))
                    .weigher(CachedFiles::bytes)
                    .expireAfterWrite(settings.get(ClientKeys.METADATA_AGE))
                    .ticker(ticker)
                    .executor(Runnable::run)
                    .evictionListener(this::evicted)
                    .build();
            files = known;
        }
        return known;
    }

    private static int bytes(String path, CachedFile file) {
        return 2 * path.length() + file.bytes();
    }

    private @Nullable CachedFile known(String path) {
        Cache<String, CachedFile> known = files;
        return known == null ? null : known.getIfPresent(path);
    }

    private void evicted(@Nullable String path, @Nullable CachedFile file, RemovalCause cause) {
        if (path != null && file != null) {
            left(path, file);
            evicted.accept(file);
        }
    }

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
        Cache<String, CachedFile> known = files;
        (known == null ? begun() : known).asMap().compute(path, (name, before) -> {
            paths.add(path);
            account.add(bytes - (before == null ? 0 : bytes(path, before)));
            return file;
        });
    }

    /** Whether a file is here, usable or not. */
    boolean has(String path) {
        Cache<String, CachedFile> known = files;
        return known != null && known.asMap().containsKey(path);
    }

    /** Whether a file would be opened from here. */
    boolean hasLive(String path) {
        CachedFile file = known(path);
        return file != null && (file.grant == null || file.grant.isLive());
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
    void expire() {
        Cache<String, CachedFile> known = files;
        if (known != null) {
            known.cleanUp();
        }
    }

    /** Forgets one file; returns whether it was here. */
    boolean remove(String path) {
        Cache<String, CachedFile> known = files;
        if (known == null) {
            return false;
        }
        boolean[] removed = {false};
        known.asMap().computeIfPresent(path, (name, file) -> {
            left(path, file);
            removed[0] = true;
            return null;
        });
        return removed[0];
    }

    /** Forgets a file or directory and all below it; returns how many files there were. */
    int removeAtAndBelow(String path) {
        String root = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        int removed = remove(root) ? 1 : 0;
        for (String below : paths.subSet(root + '/', root + (char) ('/' + 1))) {
            removed += remove(below) ? 1 : 0;
        }
        return removed;
    }

    /** Forgets the files under a hub's lease; returns how many there were. */
    int removeGrantedBy(LeaseHub hub) {
        Cache<String, CachedFile> known = files;
        if (known == null) {
            return 0;
        }
        int removed = 0;
        for (Map.Entry<String, CachedFile> file : known.asMap().entrySet()) {
            LayoutGrant grant = file.getValue().grant;
            if (grant != null && grant.isOf(hub) && remove(file.getKey())) {
                removed++;
            }
        }
        return removed;
    }

    void removeAll() {
        Cache<String, CachedFile> known = files;
        if (known != null) {
            known.asMap().keySet().forEach(this::remove);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.foresight.client.hint.HintSender;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.protocol.conf.ClientKeys;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.Nullable;

/**
 * The windows of one client, by file. Bounded by {@link ClientKeys#FILES_MAX}; the replica node of an evicted file gets a release.
 * Thread-safe.
 */
public final class FileWindows {

    private final ClientSettings settings;
    private final HintSender sender;

    /** Made by the first file with a window. */
    private volatile @Nullable Cache<String, FileWindow> files;

    /** No windows yet. */
    public FileWindows(ClientSettings settings, HintSender sender) {
        this.settings = settings;
        this.sender = sender;
    }

    private Cache<String, FileWindow> files() {
        Cache<String, FileWindow> known = files;
        return known == null ? begun() : known;
    }

    private synchronized Cache<String, FileWindow> begun() {
        Cache<String, FileWindow> known = files;
        if (known == null) {
            known = Caffeine.newBuilder()
                    .maximumSize(settings.get(ClientKeys.FILES_MAX))
                    .executor(Runnable::run)
                    .<String, FileWindow>removalListener((path, window, cause) -> {
                        if (window != null) {
                            window.release();
                        }
                    })
                    .build();
            files = known;
        }
        return known;
    }

    /**
     * The layout with windows in it. As it is where no block has two replicas, and for a file of one short block.
     *
     * @param opening whether a stream will read with it; else it counts only for files that one reads already
     */
    public LocatedBlocks windowed(String path, LocatedBlocks layout, boolean opening) {
        if (layout.getLocatedBlocks().isEmpty()
                || layout.getErasureCodingPolicy() != null
                || layout.isUnderConstruction()) {
            return layout;
        }
        FileWindow window = window(path, layout, opening);
        if (window == null || !window.hasReplicaNode(layout)) {
            return layout;
        }
        List<LocatedBlock> blocks = new ArrayList<>(layout.locatedBlockCount());
        for (LocatedBlock block : layout.getLocatedBlocks()) {
            blocks.add(new WindowedBlock(block, window));
        }
        return new WindowedLayout(layout, blocks, window.isOverBlocks());
    }

    /** Whether a layout is that of a file of one block. */
    static boolean isOneBlock(LocatedBlocks layout) {
        LocatedBlock first = layout.get(0);
        return first.getStartOffset() == 0 && first.getBlockSize() >= layout.getFileLength();
    }

    /**
     * Whether the windows of a layout serve long reads by position that go on from front to back as well. Windows over single blocks don't: the
     * disks of all replicas serve such reads, by hints of parts of blocks.
     */
    public static boolean serveSequences(LocatedBlocks windowed) {
        return windowed instanceof WindowedLayout && ((WindowedLayout) windowed).isOverBlocks();
    }

    private @Nullable FileWindow window(String path, LocatedBlocks layout, boolean opening) {
        if (isOneBlock(layout) && layout.getFileLength() < settings.hintedFileMinBytes()) {
            return null;
        }
        FileWindow known = files().getIfPresent(path);
        if (known != null && known.isAbout(layout)) {
            known.located(layout);
            return known;
        }
        if (!opening || layout.get(0).getStartOffset() != 0) {
            return null;
        }
        FileWindow begun = new FileWindow(layout, settings, sender);
        files().put(path, begun);
        return begun;
    }

    /** The window of a file, for tests. */
    @Nullable
    FileWindow known(String path) {
        return files().getIfPresent(path);
    }
}

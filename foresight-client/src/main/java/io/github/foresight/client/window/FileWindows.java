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
    private final Cache<String, FileWindow> files;

    /** No windows yet. */
    public FileWindows(ClientSettings settings, HintSender sender) {
        this.settings = settings;
        this.sender = sender;
        this.files = Caffeine.newBuilder()
                .maximumSize(settings.get(ClientKeys.FILES_MAX))
                .executor(Runnable::run)
                .<String, FileWindow>removalListener((path, window, cause) -> {
                    if (window != null) {
                        window.release();
                    }
                })
                .build();
    }

    /**
     * The layout with windows in it, or as it is where the file has no node that holds it all.
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
        if (window == null || window.replicaNode() == null) {
            return layout;
        }
        List<LocatedBlock> blocks = new ArrayList<>(layout.locatedBlockCount());
        for (LocatedBlock block : layout.getLocatedBlocks()) {
            blocks.add(new WindowedBlock(block, window));
        }
        return new WindowedLayout(layout, blocks);
    }

    private @Nullable FileWindow window(String path, LocatedBlocks layout, boolean opening) {
        LocatedBlock first = layout.get(0);
        boolean isOneBlock = first.getStartOffset() == 0 && first.getBlockSize() >= layout.getFileLength();
        if (isOneBlock && files.estimatedSize() == 0) {
            return null;
        }
        FileWindow known = files.getIfPresent(path);
        if (known != null && known.isAbout(layout)) {
            known.located(layout);
            return known;
        }
        if (!opening || isOneBlock || first.getStartOffset() != 0) {
            return null;
        }
        FileWindow begun = new FileWindow(layout, settings, sender);
        files.put(path, begun);
        return begun;
    }

    /** The window of a file, for tests. */
    @Nullable
    FileWindow known(String path) {
        return files.getIfPresent(path);
    }
}

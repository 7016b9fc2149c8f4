/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.window;

import io.github.foresight.client.hint.PartedLayout;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** A layout that notes where in the file its streams turn to. As thread-safe as HDFS's own. */
final class WindowedLayout extends PartedLayout {

    private final boolean overBlocks;

    /** The layout, with its blocks and whether one window covers several of them. */
    WindowedLayout(LocatedBlocks layout, List<LocatedBlock> blocks, boolean overBlocks) {
        super(layout, blocks);
        this.overBlocks = overBlocks;
    }

    boolean isOverBlocks() {
        return overBlocks;
    }

    /** A stream looks for the block at an offset, to read it. */
    @Override
    public int findBlock(long offset) {
        BlockLookup.at(offset);
        return super.findBlock(offset);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;

/** A {@link MetadataCache}'s answer to an open, and what should be done besides. Immutable. */
public final class CachedOpen {

    private final LocatedBlocksProto layout;
    private final boolean lookingAhead;
    private final List<PredictedLayout> others;

    CachedOpen(LocatedBlocksProto layout, boolean lookingAhead, List<PredictedLayout> others) {
        this.layout = layout;
        this.lookingAhead = lookingAhead;
        this.others = others;
    }

    /** The layout, as the NameNode sent it. */
    public LocatedBlocksProto layout() {
        return layout;
    }

    /** Whether the NameNode should be asked now for the files after this one. */
    public boolean isLookingAhead() {
        return lookingAhead;
    }

    /** The layouts of other files whose data is to be made resident now that this one was predicted rightly. */
    public List<PredictedLayout> others() {
        return others;
    }
}

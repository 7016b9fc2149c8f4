/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;

/** A predicted file whose data may be made resident. Immutable. */
public final class PredictedLayout {

    private final String path;
    private final LocatedBlocksProto layout;

    PredictedLayout(String path, LocatedBlocksProto layout) {
        this.path = path;
        this.layout = layout;
    }

    public String path() {
        return path;
    }

    /** At least one block. */
    public LocatedBlocksProto layout() {
        return layout;
    }
}

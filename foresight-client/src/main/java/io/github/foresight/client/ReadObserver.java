/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client;

import io.github.foresight.client.hint.OpenFiles;
import io.github.foresight.client.stream.ServedLayout;
import io.github.foresight.client.window.BlockLookup;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ReplicaAccessor;
import org.apache.hadoop.hdfs.ReplicaAccessorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Sees each block that a stream of this JVM turns to; named in {@code dfs.client.replica.accessor.builder.classes}.
 *
 * <p>HDFS asks such builders first when it opens a block, and goes on by itself when they build nothing: this one never does.
 * The observer learns the file, the block, and the end of the read in the block. One instance per block opened,
 * used by one thread.
 */
public final class ReadObserver extends ReplicaAccessorBuilder {

    private String fileName = "";
    private String clientName = "";
    private String blockPool = "";
    private long blockId;
    private long endInBlock;

    @Override
    public ReplicaAccessorBuilder setFileName(String name) {
        this.fileName = name;
        return this;
    }

    @Override
    public ReplicaAccessorBuilder setBlock(long id, String blockPoolId) {
        this.blockId = id;
        this.blockPool = blockPoolId;
        return this;
    }

    @Override
    public ReplicaAccessorBuilder setGenerationStamp(long generationStamp) {
        return this;
    }

    @Override
    public ReplicaAccessorBuilder setVerifyChecksum(boolean verify) {
        return this;
    }

    @Override
    public ReplicaAccessorBuilder setClientName(String name) {
        this.clientName = name;
        return this;
    }

    @Override
    public ReplicaAccessorBuilder setAllowShortCircuitReads(boolean allow) {
        return this;
    }

    /** HDFS passes the end of the range that will be read, which is the block's length only for a stream read. */
    @Override
    public ReplicaAccessorBuilder setVisibleLength(long length) {
        this.endInBlock = length;
        return this;
    }

    @Override
    public ReplicaAccessorBuilder setConfiguration(Configuration conf) {
        return this;
    }

    @Override
    public ReplicaAccessorBuilder setBlockAccessToken(byte[] token) {
        return this;
    }

    @Override
    @SuppressWarnings("NullAway") // null is HDFS's word for "not by me"
    public @Nullable ReplicaAccessor build() {
        ServedLayout.attempted(fileName, blockId);
        BlockLookup.opened(blockId, endInBlock);
        OpenFiles.INSTANCE.recordBlockRead(fileName, blockPool, blockId, endInBlock, clientName);
        return null;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import io.github.foresight.benchmarks.report.Baseline;
import io.github.foresight.benchmarks.run.Release;
import io.github.foresight.benchmarks.workload.BlockPrefetchFileSystem;
import io.github.foresight.cluster.Installation;
import java.io.IOException;

/** A side of a benchmark: the installations of the daemons and of the client. Immutable. */
record Side(String name, Installation nameNode, Installation dataNode, Installation client) {

    /** HDFS as it is. */
    static Side stock() {
        return stock(Baseline.STOCK, Installation.STOCK);
    }

    /** HDFS as it is, with a client of other settings. */
    static Side stock(String name, Installation client) {
        return new Side(name, Installation.STOCK, Installation.STOCK, client);
    }

    /** HDFS as it is, with a client that fetches whole blocks ahead into its heap, as HDFS-17975 proposes. */
    static Side blockPrefetch(String name, int blocks, long blockBytes) {
        return stock(
                name,
                Installation.STOCK
                        .with("fs.hdfs.impl", BlockPrefetchFileSystem.NAME)
                        .with(BlockPrefetchFileSystem.THREADS, String.valueOf(blocks))
                        .with(BlockPrefetchFileSystem.STREAM_BYTES, String.valueOf(blocks * blockBytes)));
    }

    /** All of Foresight. */
    static Side foresight(Release release) throws IOException {
        return new Side(Baseline.FORESIGHT, release.nameNode(), release.dataNode(), release.client());
    }

    /** The name of the client's configuration folder. */
    String folder() {
        return name.replaceAll("[^A-Za-z0-9]+", "-");
    }
}

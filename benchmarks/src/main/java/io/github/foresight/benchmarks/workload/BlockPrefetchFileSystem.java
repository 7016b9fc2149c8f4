/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * HDFS with sequential streams that fetch whole blocks ahead into the client's heap, several at once: a contender that needs no change in any
 * daemon. It was written after the description of <a href="https://issues.apache.org/jira/browse/HDFS-17975">HDFS-17975</a>, and its defaults are
 * those: 512 MiB for each stream, 4 threads, pieces of 8 MiB. Thread-safe.
 */
public final class BlockPrefetchFileSystem extends DistributedFileSystem {

    /** The name of this class, for processes without HDFS's classes. */
    public static final String NAME = "io.github.foresight.benchmarks.workload.BlockPrefetchFileSystem";

    /** The most bytes of a stream's blocks in the heap. At least one block is fetched. */
    public static final String STREAM_BYTES = "benchmark.block-prefetch.stream.bytes";

    /** The threads of a file system, each of which fetches one block at a time. */
    public static final String THREADS = "benchmark.block-prefetch.threads";

    private static final int DEFAULT_THREADS = 4;
    private static final long DEFAULT_STREAM_BYTES = 512L << 20;
    private static final int PIECE = 8 << 20;

    private ExecutorService fetchers = Executors.newCachedThreadPool();
    private long streamBytes;

    @Override
    public void initialize(URI uri, Configuration conf) throws IOException {
        super.initialize(uri, conf);
        streamBytes = conf.getLongBytes(STREAM_BYTES, DEFAULT_STREAM_BYTES);
        fetchers.shutdown();
        fetchers = Executors.newFixedThreadPool(conf.getInt(THREADS, DEFAULT_THREADS), task -> {
            Thread thread = new Thread(task, "block prefetch");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        HdfsDataInputStream in = (HdfsDataInputStream) super.open(path, bufferSize);
        List<LocatedBlock> blocks = in.getAllBlocks();
        long length = in.getVisibleLength();
        long blockBytes = blocks.isEmpty() ? 1 : Math.max(1, blocks.get(0).getBlockSize());
        return new FSDataInputStream(
                new BlockPrefetchStream(in, length, blockBytes, PIECE, (int) (streamBytes / blockBytes), fetchers));
    }

    @Override
    public void close() throws IOException {
        fetchers.shutdownNow();
        super.close();
    }
}

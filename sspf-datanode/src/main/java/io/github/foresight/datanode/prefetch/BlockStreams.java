/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.StreamEvents;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.stream.ObservedBlockInputStream;
import io.github.foresight.datanode.stream.OpenStreams;
import io.github.foresight.datanode.stream.StreamListener;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of a DataNode's blocks. Passes on to {@link PrefetchDecisions} what clients read of blocks that are hinted or in memory,
 * and to the volumes' lanes that a disk is in use. Called on the threads that read. Thread-safe.
 */
final class BlockStreams implements StreamListener {

    private final BlockFiles.Finder finder;
    private final PrefetchDecisions decisions;
    private final BlockPrefetcher prefetcher;
    private final Guard guard;
    private final OpenStreams openStreams = new OpenStreams();
    private final AtomicLong nextStreamId = new AtomicLong();

    BlockStreams(BlockFiles.Finder finder, PrefetchDecisions decisions, BlockPrefetcher prefetcher, Guard guard) {
        this.finder = finder;
        this.decisions = decisions;
        this.prefetcher = prefetcher;
        this.guard = guard;
    }

    /**
     * Wraps a block's stock stream so that its progress is seen.
     *
     * @param thread the name of the thread that opened the stream, which names the reader
     */
    ObservedBlockInputStream observe(ExtendedBlock block, long offset, FileInputStream stock, String thread) {
        BlockKey key = new BlockKey(block.getBlockPoolId(), block.getBlockId());
        ObservedBlockInputStream stream;
        try {
            stream = new ObservedBlockInputStream(
                    stock, this, nextStreamId.incrementAndGet(), key, block.getGenerationStamp(), offset, thread);
        } catch (IOException e) {
            throw new IllegalStateException("no file descriptor in " + stock, e);
        }
        openStreams.opened(stream);
        if (decisions.tracksAny()) {
            follow(stream);
        }
        return stream;
    }

    /** Follows the streams that are open on blocks which have just been hinted. */
    void follow(List<HintedBlock> blocks) {
        for (HintedBlock block : blocks) {
            openStreams.forEach(block.key(), this::follow);
        }
    }

    private void follow(ObservedBlockInputStream stream) {
        // Of most blocks no hint is known, and whom a stream serves takes longer to find out.
        StreamEvents needed = decisions.neededEvents(stream.key());
        if (needed == StreamEvents.NONE || !stream.servesClient()) {
            return;
        }
        if (needed == StreamEvents.CLOSE) {
            stream.follow(StreamEvents.CLOSE);
        } else if (decisions.follow(stream)) {
            stream.report();
        }
    }

    @Override
    public void bytesSent(ObservedBlockInputStream stream, long position, long bytes) {
        guard.run("follow a read", () -> {
            prefetcher.countUse(stream.key(), position);
            decisions.bytesSent(stream, position, bytes);
        });
    }

    @Override
    public boolean isLoaded(BlockKey key, long position) {
        return prefetcher.isLoaded(key, position);
    }

    @Override
    public void demandSeen(ObservedBlockInputStream stream) {
        long now = System.nanoTime();
        if (prefetcher.isAnyLaneAtWork(now)) {
            FsVolumeSpi volume = stream.volume(this::volumeOf);
            if (volume != null) {
                prefetcher.demandSeen(volume, now);
            }
        }
    }

    private @Nullable FsVolumeSpi volumeOf(BlockKey key) {
        Optional<FsVolumeSpi> none = Optional.empty();
        return guard.call(
                        "find a block's volume",
                        none,
                        () -> Optional.ofNullable(finder.volumeOf(key.blockPool(), key.blockId())))
                .orElse(null);
    }

    @Override
    public void closed(ObservedBlockInputStream stream, StreamEvents followed) {
        openStreams.closed(stream);
        if (followed != StreamEvents.NONE) {
            guard.run("end a read", () -> end(stream, followed));
        }
    }

    private void end(ObservedBlockInputStream stream, StreamEvents followed) {
        if (followed == StreamEvents.ALL) {
            stream.report();
        }
        long position = stream.isShortCircuit() ? Long.MAX_VALUE : stream.position();
        prefetcher.countUse(stream.key(), position);
        if (followed == StreamEvents.ALL) {
            decisions.streamClosed(stream, position);
        } else {
            decisions.streamOpenedAndClosed(stream, position);
        }
    }
}

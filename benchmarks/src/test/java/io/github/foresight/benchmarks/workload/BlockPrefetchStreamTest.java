/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BlockPrefetchStreamTest {

    private static final int BLOCK = 100;
    private static final int PIECE = 30;
    private static final int BLOCKS_AT_ONCE = 3;
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final byte[] content = new byte[6 * BLOCK + 17];
    private final FileInMemory file = new FileInMemory();

    @BeforeEach
    void fill() {
        new Random(1).nextBytes(content);
    }

    @Test
    void wholeFile_isReadAsItIs_inPiecesOfBlocks() throws IOException {
        try (BlockPrefetchStream stream = stream(Runnable::run)) {
            assertThat(stream.readAllBytes()).isEqualTo(content);
            assertThat(stream.read()).isEqualTo(-1);
        }
        assertThat(file.requests)
                .startsWith("0+30", "30+30", "60+30", "90+10", "100+30")
                .endsWith("600+17");
        assertThat(file.isClosed).isTrue();
    }

    @Test
    void blocksAhead_areAsManyAsMayBeInTheHeap() throws IOException {
        List<Runnable> fetches = new ArrayList<>();
        Executor first = fetch -> {
            fetches.add(fetch);
            if (fetches.size() == 1) {
                fetch.run();
            }
        };
        try (BlockPrefetchStream stream = stream(first)) {
            assertThat(stream.read()).isEqualTo(content[0] & 0xff);
        }
        assertThat(fetches).hasSize(BLOCKS_AT_ONCE);

        int before = file.requests.size();
        fetches.get(1).run();
        assertThat(file.requests).as("a closed stream's blocks are not fetched").hasSize(before);
    }

    @Test
    void seek_withinTheFetchedBlocks_fetchesNothingTwice() throws IOException {
        try (BlockPrefetchStream stream = stream(Runnable::run)) {
            assertThat(stream.read()).isEqualTo(content[0] & 0xff);
            stream.seek(2 * BLOCK + 50);
            assertThat(stream.read()).isEqualTo(content[2 * BLOCK + 50] & 0xff);
            stream.seek(2 * BLOCK);
            assertThat(stream.read()).isEqualTo(content[2 * BLOCK] & 0xff);
        }
        assertThat(file.requests).doesNotHaveDuplicates();
    }

    @Test
    void seek_back_readsTheEarlierBytes() throws IOException {
        try (BlockPrefetchStream stream = stream(Runnable::run)) {
            stream.seek(4 * BLOCK + 1);
            assertThat(stream.read()).isEqualTo(content[4 * BLOCK + 1] & 0xff);
            stream.seek(7);
            assertThat(stream.readNBytes(20)).isEqualTo(Arrays.copyOfRange(content, 7, 27));
            assertThat(stream.getPos()).isEqualTo(27);
        }
    }

    @Test
    void failedPiece_failsTheReadThatNeedsIt() throws IOException {
        file.failsFrom = BLOCK + PIECE;
        try (BlockPrefetchStream stream = stream(Runnable::run)) {
            assertThat(stream.readNBytes(BLOCK + PIECE)).isEqualTo(Arrays.copyOf(content, BLOCK + PIECE));
            assertThatThrownBy(stream::read).hasRootCauseMessage("no replica");
        }
    }

    private BlockPrefetchStream stream(Executor fetchers) {
        return new BlockPrefetchStream(
                new FSDataInputStream(file), content.length, BLOCK, PIECE, BLOCKS_AT_ONCE, fetchers);
    }

    /** A file that records the reads by position, and accepts no others. */
    private final class FileInMemory extends FSInputStream {

        private final List<String> requests = new ArrayList<>();
        private int failsFrom = UNLIMITED;
        private boolean isClosed;

        @Override
        public int read(long position, byte[] buffer, int offset, int length) throws IOException {
            if (position >= failsFrom) {
                throw new IOException("no replica");
            }
            requests.add(position + "+" + length);
            System.arraycopy(content, (int) position, buffer, offset, length);
            return length;
        }

        @Override
        public int read() {
            throw new AssertionError("the stream reads by position alone");
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            throw new AssertionError("the stream reads by position alone");
        }

        @Override
        public void seek(long position) {
            throw new AssertionError("the stream reads by position alone");
        }

        @Override
        public long getPos() {
            return 0;
        }

        @Override
        public boolean seekToNewSource(long target) {
            return false;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}

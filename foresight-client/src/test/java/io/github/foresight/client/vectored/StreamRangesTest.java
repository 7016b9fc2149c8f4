/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.vectored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.core.vectored.RangeMerger;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterTry;
import org.apache.hadoop.fs.FileRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamRangesTest {

    private static final int FILE = 10_000;
    private static final int GUARD_SECONDS = 60;

    private final VectoredReads shared = new VectoredReads(4, new RangeMerger(100, 1000));
    private final byte[] content = new byte[FILE];
    private final List<ByteBuffer> allocated = Collections.synchronizedList(new ArrayList<>());
    private final List<ByteBuffer> released = Collections.synchronizedList(new ArrayList<>());
    private final List<String> reads = Collections.synchronizedList(new ArrayList<>());

    StreamRangesTest() {
        new Random(1).nextBytes(content);
    }

    @AfterEach
    @AfterTry
    void stop() {
        shared.close();
    }

    private StreamRanges stream(StreamRanges.Source source) {
        return new StreamRanges(shared, StreamRanges.Sources.only(source));
    }

    private ByteBuffer allocate(int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        allocated.add(buffer);
        return buffer;
    }

    private void readContent(long position, ByteBuffer into) {
        reads.add(position + "+" + into.remaining());
        into.put(content, (int) position, into.remaining());
    }

    private List<FileRange> read(StreamRanges stream, IntFunction<ByteBuffer> allocate, FileRange... ranges) {
        stream.read(Arrays.asList(ranges), FILE, allocate, released::add);
        return Arrays.asList(ranges);
    }

    private static FileRange range(long offset, int length) {
        return FileRange.createFileRange(offset, length);
    }

    private static byte[] data(FileRange range) throws Exception {
        ByteBuffer data = range.getData().get(GUARD_SECONDS, TimeUnit.SECONDS);
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return bytes;
    }

    private void assertContent(FileRange range) throws Exception {
        assertThat(data(range))
                .isEqualTo(Arrays.copyOfRange(
                        content, (int) range.getOffset(), (int) range.getOffset() + range.getLength()));
    }

    @Test
    void neighbours_areReadTogether_andEachHasItsBytes() throws Exception {
        List<FileRange> ranges =
                read(stream(this::readContent), this::allocate, range(500, 50), range(0, 10), range(20, 30));
        for (FileRange range : ranges) {
            assertContent(range);
        }
        assertThat(reads).containsExactlyInAnyOrder("0+50", "500+50");
        assertThat(allocated).hasSize(3);
        assertThat(released).isEmpty();
    }

    @Test
    void rangesApart_areReadAtTheSameTime() throws Exception {
        CyclicBarrier together = new CyclicBarrier(4);
        StreamRanges stream = stream((position, into) -> {
            try {
                together.await(GUARD_SECONDS, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IOException(e);
            }
            readContent(position, into);
        });
        for (FileRange range :
                read(stream, this::allocate, range(0, 5), range(2000, 5), range(4000, 5), range(6000, 5))) {
            assertContent(range);
        }
    }

    @Test
    void rangeBeyondTheEnd_failsAlone() throws Exception {
        List<FileRange> ranges =
                read(stream(this::readContent), this::allocate, range(FILE - 10, 10), range(FILE - 5, 6));
        assertContent(ranges.get(0));
        assertThatThrownBy(() -> data(ranges.get(1)))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(EOFException.class)
                .hasMessage("the range of 6 bytes at 9995 ends beyond the file's end at 10000");
    }

    @Test
    void failedRead_failsItsRangesAlone_andReleasesItsBuffer() throws Exception {
        StreamRanges stream = stream((position, into) -> {
            if (position < 1000) {
                throw new IOException("no DataNode");
            }
            readContent(position, into);
        });
        List<FileRange> ranges = read(stream, this::allocate, range(0, 5), range(10, 5), range(900, 5), range(2000, 5));
        for (FileRange range : ranges.subList(0, 3)) {
            assertThatThrownBy(() -> data(range)).hasRootCauseMessage("no DataNode");
        }
        assertContent(ranges.get(3));
        assertThat(released).hasSize(1);
    }

    @Test
    void failingAllocator_failsTheRange() {
        List<FileRange> ranges = read(
                stream(this::readContent),
                length -> {
                    throw new IllegalStateException("no memory");
                },
                range(0, 5));
        assertThatThrownBy(() -> data(ranges.get(0))).hasRootCauseMessage("no memory");
    }

    @Test
    void allocatorsLongerBuffer_holdsTheRangeAndNoMore() throws Exception {
        List<FileRange> ranges = read(
                stream(this::readContent),
                length -> ByteBuffer.allocateDirect(4096),
                range(0, 5),
                range(10, 5),
                range(4000, 7));
        for (FileRange range : ranges) {
            assertContent(range);
        }
    }

    @Test
    void close_failsWhatIsNotReadYet_andReleasesItsBuffers() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        StreamRanges stream = stream((position, into) -> {
            reading.countDown();
            await(ended);
            readContent(position, into);
        });
        List<FileRange> ranges = read(stream, this::allocate, range(0, 5));
        await(reading);
        stream.close();
        assertThatThrownBy(() -> data(ranges.get(0)))
                .hasRootCauseMessage("the stream was closed before the range was read");
        ended.countDown();
        org.awaitility.Awaitility.await().until(() -> released.size() == 1);

        List<FileRange> later = read(stream, this::allocate, range(0, 5));
        assertThatThrownBy(() -> data(later.get(0))).isInstanceOf(ExecutionException.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(GUARD_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void moreRangesThanMayWait_areAllRead() throws Exception {
        FileRange[] ranges = new FileRange[5_000];
        for (int i = 0; i < ranges.length; i++) {
            ranges[i] = range((i * 7919L) % (FILE - 1), 1);
        }
        VectoredReads unmerged = new VectoredReads(2, new RangeMerger(0, 1));
        try {
            for (FileRange range : read(
                    new StreamRanges(unmerged, StreamRanges.Sources.only(this::readContent)), this::allocate, ranges)) {
                assertContent(range);
            }
        } finally {
            unmerged.close();
        }
    }

    @Property(tries = 50)
    void anyRanges_haveTheirBytes(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        FileRange[] ranges = new FileRange[random.nextInt(40)];
        for (int i = 0; i < ranges.length; i++) {
            int length = random.nextInt(300);
            ranges[i] = range(random.nextInt(FILE - length), length);
        }
        for (FileRange range : read(stream(this::readContent), this::allocate, ranges)) {
            assertContent(range);
        }
    }
}

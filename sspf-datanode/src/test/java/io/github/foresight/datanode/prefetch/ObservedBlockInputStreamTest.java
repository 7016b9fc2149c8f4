/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.ReadAhead;
import io.github.foresight.core.hint.Reader;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.datanode.ReadAheadFixture;
import io.github.foresight.datanode.lane.VolumeLane;
import io.github.foresight.datanode.stream.ObservedBlockInputStream;
import io.github.foresight.datanode.stream.ObservedBlockOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObservedBlockInputStreamTest {

    private static final int BLOCK_BYTES = 3 << 20;
    private static final int PACKET = 64 << 10;
    private static final SessionId SESSION = new SessionId(7, 8);
    private static final ExtendedBlock BLOCK = new ExtendedBlock(ReadAheadFixture.POOL, 1, BLOCK_BYTES, 1);

    @TempDir
    private Path directory;

    private final String threadName = Thread.currentThread().getName();
    private ReadAheadFixture fixture;
    private Path file;
    private byte[] content;

    @BeforeEach
    void hintedBlock() throws IOException {
        fixture = new ReadAheadFixture(directory, Map.of());
        file = fixture.write(1, BLOCK_BYTES).data();
        content = Files.readAllBytes(file);
        fixture.readAhead.hint(
                SESSION,
                new Reader("C", "127.0.0.1"),
                List.of(new HintedBlock(new BlockKey(ReadAheadFixture.POOL, 1), 1, 0, BLOCK_BYTES)),
                false);
        Thread.currentThread().setName("DataXceiver for client C at /127.0.0.1:4242 [Sending block " + BLOCK + "]");
    }

    @AfterEach
    void end() {
        Thread.currentThread().setName(threadName);
        fixture.close();
    }

    /** HDFS's stream is a FileInputStream of its own; this one counts. */
    private static final class StockStream extends FileInputStream {
        private int closes;
        private int reads;

        StockStream(File file) throws IOException {
            super(file);
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            reads++;
            return super.read(buffer, offset, length);
        }

        @Override
        public void close() throws IOException {
            closes++;
            super.close();
        }
    }

    private FileInputStream observe(FileInputStream stock, long offset) {
        InputStream observed = fixture.readAhead.observe(BLOCK, offset, stock);
        assertThat(observed).isInstanceOf(ObservedBlockInputStream.class);
        return (FileInputStream) observed;
    }

    private ReadAhead.Progress progress() {
        return fixture.readAhead.progress(SESSION).orElseThrow();
    }

    @Test
    void stream_transferred_givesTheSameBytesAndItsProgress() throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        try (FileInputStream stream = observe(new StockStream(file.toFile()), 0)) {
            assertThat(progress().openStreams()).isOne();
            FileChannel channel = stream.getChannel();
            assertThat(stream.getChannel()).isSameAs(channel);
            assertThat(channel.size()).isEqualTo(BLOCK_BYTES);
            WritableByteChannel socket = Channels.newChannel(sent);
            for (long at = 0; at < BLOCK_BYTES; at += 64 << 10) {
                assertThat(channel.transferTo(at, 64 << 10, socket)).isEqualTo(64 << 10);
            }
            assertThat(progress().bytesRead()).isBetween((long) BLOCK_BYTES - (1 << 20), (long) BLOCK_BYTES);
        }
        assertThat(sent.toByteArray()).isEqualTo(content);
        assertThat(progress().bytesRead()).isEqualTo(BLOCK_BYTES);
        assertThat(progress().openStreams()).isZero();
    }

    @Test
    void stream_readInAllWays_givesTheSameBytesThroughStock() throws IOException {
        StockStream stock = new StockStream(file.toFile());
        ByteBuffer read = ByteBuffer.allocate(BLOCK_BYTES);
        try (FileInputStream stream = observe(stock, 0)) {
            read.put((byte) stream.read());
            byte[] some = new byte[1000];
            assertThat(stream.read(some)).isEqualTo(1000);
            read.put(some);
            assertThat(stream.read(some, 10, 100)).isEqualTo(100);
            read.put(some, 10, 100);
            assertThat(stream.available()).isEqualTo(BLOCK_BYTES - 1101);
            ByteBuffer[] parts = {ByteBuffer.allocate(500), ByteBuffer.allocate(500)};
            assertThat(stream.getChannel().read(parts)).isEqualTo(1000);
            read.put(parts[0].flip()).put(parts[1].flip());
            while (read.hasRemaining()) {
                assertThat(stream.getChannel().read(read)).isPositive();
            }
            assertThat(stream.read()).isEqualTo(-1);
            assertThat(stream.read(some)).isEqualTo(-1);
        }
        assertThat(read.array()).isEqualTo(content);
        assertThat(stock.reads).as("HDFS's own hooks see the reads").isPositive();
        assertThat(progress().bytesRead()).isEqualTo(BLOCK_BYTES);
    }

    @Test
    void stream_fromTheMiddle_countsWhatWasSentOnly() throws IOException {
        StockStream stock = new StockStream(file.toFile());
        stock.getChannel().position(1 << 20);
        byte[] some = new byte[4096];
        try (FileInputStream stream = observe(stock, 1 << 20)) {
            assertThat(stream.read(some)).isEqualTo(4096);
        }
        assertThat(some).isEqualTo(Arrays.copyOfRange(content, 1 << 20, (1 << 20) + 4096));
        assertThat(progress().bytesRead()).isEqualTo(4096);
    }

    @Test
    void stream_closedTwiceAndByItsChannel_closesStockOnce() throws IOException {
        StockStream stock = new StockStream(file.toFile());
        FileInputStream stream = observe(stock, 0);
        stream.getChannel().close();
        int closes = stock.closes;
        assertThat(closes).isPositive();
        assertThat(stock.getFD().valid()).isFalse();
        stream.close();
        stream.close();
        assertThat(stock.closes).isEqualTo(closes);
        assertThat(progress().openStreams()).isZero();
    }

    @Test
    void stream_ofTheSameDescriptor_isForSendfileAndShortCircuit() throws IOException {
        StockStream stock = new StockStream(file.toFile());
        try (FileInputStream stream = observe(stock, 0)) {
            assertThat(stream.getFD()).isSameAs(stock.getFD());
        }
    }

    @Test
    void stream_openedBeforeItsHint_isSeenOnceHinted() throws IOException {
        fixture.write(2, BLOCK_BYTES);
        ExtendedBlock block = new ExtendedBlock(ReadAheadFixture.POOL, 2, BLOCK_BYTES, 1);
        SessionId session = new SessionId(7, 9);
        try (InputStream stream = fixture.readAhead.observe(block, 0, new StockStream(file.toFile()))) {
            assertThat(stream.read(new byte[8192])).isEqualTo(8192);
            fixture.readAhead.hint(
                    session,
                    new Reader("C", "127.0.0.1"),
                    List.of(new HintedBlock(new BlockKey(ReadAheadFixture.POOL, 2), 1, 0, BLOCK_BYTES)),
                    false);
            ReadAhead.Progress progress = fixture.readAhead.progress(session).orElseThrow();
            assertThat(progress.openStreams()).isOne();
            assertThat(progress.bytesRead()).isEqualTo(8192);
        }
    }

    @Test
    void stream_ofTheScanner_isNoProgressAndUsesTheDisk() throws IOException {
        fixture.write(2, BLOCK_BYTES);
        VolumeLane lane = laneAtWork();
        long before = lane.lastDemandNanos();
        Thread.currentThread().setName("VolumeScannerThread(/data/1)");
        ExtendedBlock unhinted = new ExtendedBlock(ReadAheadFixture.POOL, 2, BLOCK_BYTES, 1);
        try (InputStream stream = fixture.readAhead.observe(unhinted, 0, new StockStream(file.toFile()))) {
            assertThat(stream.read(new byte[PACKET])).isEqualTo(PACKET);
        }
        assertThat(lane.lastDemandNanos()).isGreaterThan(before);
        assertThat(progress().bytesRead()).isZero();
        fixture.volume.giveTurns(1000);
    }

    @Test
    void stream_ofAHintedBlockThatIsNotLoaded_usesTheDisk() throws IOException {
        VolumeLane lane = laneAtWork();
        long before = lane.lastDemandNanos();
        ExtendedBlock second = new ExtendedBlock(ReadAheadFixture.POOL, 2, BLOCK_BYTES, 1);
        hint(2);
        try (InputStream stream = fixture.readAhead.observe(second, 0, new StockStream(file.toFile()))) {
            assertThat(stream.read(new byte[PACKET])).isEqualTo(PACKET);
        }
        assertThat(lane.lastDemandNanos()).isGreaterThan(before);
        fixture.volume.giveTurns(1000);
    }

    @Test
    void stream_ofALoadedBlock_doesNotUseTheDisk() throws IOException {
        hint(2);
        await().until(() -> fixture.readAhead.isLoaded(new BlockKey(ReadAheadFixture.POOL, 2), BLOCK_BYTES));
        VolumeLane lane = fixture.readAhead.lane(fixture.volume.spi());
        long before = lane.lastDemandNanos();
        ExtendedBlock second = new ExtendedBlock(ReadAheadFixture.POOL, 2, BLOCK_BYTES, 1);
        try (InputStream stream = fixture.readAhead.observe(second, 0, new StockStream(file.toFile()))) {
            assertThat(stream.read(new byte[PACKET])).isEqualTo(PACKET);
        }
        assertThat(lane.lastDemandNanos()).isEqualTo(before);
    }

    @Test
    void stream_onAVolumeWithoutALane_looksItsVolumeUpOnce() throws IOException {
        laneAtWork();
        ExtendedBlock unknown = new ExtendedBlock(ReadAheadFixture.POOL, 99, BLOCK_BYTES, 1);
        int before = fixture.volumeLookUps.get();
        try (InputStream stream = fixture.readAhead.observe(unknown, 0, new StockStream(file.toFile()))) {
            for (int packet = 0; packet < 10; packet++) {
                assertThat(stream.read(new byte[PACKET])).isEqualTo(PACKET);
            }
        }
        assertThat(fixture.volumeLookUps.get() - before).isOne();
        fixture.volume.giveTurns(1000);
    }

    @Test
    void write_ofABlock_usesTheDisk() throws IOException {
        VolumeLane lane = laneAtWork();
        long before = lane.lastDemandNanos();
        FileOutputStream stock = new FileOutputStream(file.toFile());
        try (FileOutputStream stream =
                new ObservedBlockOutputStream(stock, () -> fixture.readAhead.demandSeen(fixture.volume.spi()))) {
            assertThat(stream.getFD()).isSameAs(stock.getFD());
            assertThat(stream.getChannel()).isSameAs(stock.getChannel());
            stream.write(new byte[] {1, 2, 3}, 1, 2);
            stream.write(4);
        }
        assertThat(stock.getFD().valid()).isFalse();
        assertThat(Files.readAllBytes(file)).containsExactly(2, 3, 4);
        assertThat(lane.lastDemandNanos()).isGreaterThan(before);
        fixture.volume.giveTurns(1000);
    }

    private void hint(long blockId) throws IOException {
        fixture.write(blockId, BLOCK_BYTES);
        fixture.readAhead.hint(
                new SessionId(7, blockId),
                new Reader("C", "127.0.0.1"),
                List.of(new HintedBlock(new BlockKey(ReadAheadFixture.POOL, blockId), 1, 0, BLOCK_BYTES)),
                true);
    }

    /** A lane that is in the middle of a chunk until the volume gives turns. */
    private VolumeLane laneAtWork() throws IOException {
        fixture.volume.holdTurns();
        hint(3);
        VolumeLane lane = fixture.readAhead.lane(fixture.volume.spi());
        await().until(() -> lane.isAtWork(System.nanoTime() + TimeUnit.HOURS.toNanos(1)));
        return lane;
    }

    @Test
    void stream_ofACopyForAnotherDataNode_isNoProgress() throws IOException {
        Thread.currentThread().setName("DataXceiver for client C at /127.0.0.1:4242 [Copying block " + BLOCK + "]");
        try (FileInputStream stream = observe(new StockStream(file.toFile()), 0)) {
            assertThat(stream.read(new byte[2 << 20])).isEqualTo(2 << 20);
        }
        assertThat(progress().bytesRead()).isZero();
    }

    @Test
    void stream_ofAnotherKind_isLeftAlone() {
        InputStream stock = new ByteArrayInputStream(new byte[1]);
        assertThat(fixture.readAhead.observe(BLOCK, 0, stock)).isSameAs(stock);
    }

    @Test
    void stream_readAheadClosed_isLeftAlone() throws IOException {
        try (StockStream stock = new StockStream(file.toFile());
                StockStream later = new StockStream(file.toFile())) {
            FileInputStream stream = observe(stock, 0);
            fixture.close();
            assertThat(stream.read()).isEqualTo(content[0] & 0xff);
            stream.close();
            assertThat(stock.getFD().valid()).isFalse();
            assertThat(fixture.readAhead.observe(BLOCK, 0, later)).isSameAs(later);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.foresight.client.vectored.StreamRanges;
import io.github.foresight.core.vectored.MergedRange;
import io.github.foresight.core.vectored.RangeMerger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

class ReplicaStreamsTest {

    private static final int BLOCK = 1000;

    /** Nobody's address: no reader is on the host of a replica. */
    private static final String FAR = "203.0.113.";

    private final List<String> reads = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();

    /** Whether the application's stream has taken on another layout. */
    private final AtomicBoolean replaced = new AtomicBoolean();

    private static DatanodeInfo node(String uuid, String address, String rack) {
        return new DatanodeInfoBuilder()
                .setNodeID(new DatanodeID(address, uuid, uuid, 9866, 9864, 9865, 9867))
                .setNetworkLocation(rack)
                .build();
    }

    private static LocatedBlock block(int index, DatanodeInfo... nodes) {
        String[] storages =
                Arrays.stream(nodes).map(DatanodeInfo::getDatanodeUuid).toArray(String[]::new);
        StorageType[] types = new StorageType[nodes.length];
        Arrays.fill(types, StorageType.DISK);
        ExtendedBlock block = new ExtendedBlock("pool", 100 + index, BLOCK, 1);
        return new LocatedBlock(block, nodes, storages, types, (long) index * BLOCK, false, null);
    }

    private static LocatedBlocks layout(LocatedBlock... blocks) {
        return new LocatedBlocks(
                (long) blocks.length * BLOCK,
                false,
                new ArrayList<>(Arrays.asList(blocks)),
                blocks[blocks.length - 1],
                true,
                null,
                null);
    }

    private static DatanodeInfo[] sameRack() {
        return new DatanodeInfo[] {node("a", FAR + 1, "/r"), node("b", FAR + 2, "/r"), node("c", FAR + 3, "/r")};
    }

    private ReplicaStreams streams(LocatedBlocks layout, int replicasMax, ReplicaStreams.Opener opener) {
        return new ReplicaStreams(
                (position, into) -> fill("application", position, into), layout, replaced::get, replicasMax, opener);
    }

    private void fill(String by, long position, ByteBuffer into) {
        reads.add(by + "@" + position);
        while (into.hasRemaining()) {
            into.put((byte) 1);
        }
    }

    /** A stream that is named for the first replicas of its blocks. */
    private ReplicaStreams.Stream open(LocatedBlocks layout) {
        String name = layout.getLocatedBlocks().stream()
                .map(block -> block.getLocations()[0].getDatanodeUuid())
                .collect(Collectors.joining());
        ReadStatistics statistics = new ReadStatistics();
        return new ReplicaStreams.Stream() {
            @Override
            public void readFully(long position, ByteBuffer into) {
                statistics.addRemoteBytes(into.remaining());
                fill(name, position, into);
            }

            @Override
            public ReadStatistics statistics() {
                return statistics;
            }

            @Override
            public void close() {
                closed.add(name);
            }
        };
    }

    private static List<MergedRange> ranges(long... offsets) {
        int[] lengths = new int[offsets.length];
        Arrays.fill(lengths, 10);
        return new RangeMerger(0, 10).merge(offsets, lengths);
    }

    private void readAll(ReplicaStreams streams, long... offsets) throws IOException {
        List<MergedRange> wanted = ranges(offsets);
        List<StreamRanges.Source> sources = streams.forReads(wanted);
        for (int i = 0; i < wanted.size(); i++) {
            ByteBuffer into = ByteBuffer.allocate(10);
            sources.get(i).readFully(wanted.get(i).offset(), into);
            assertThat(into.hasRemaining()).isFalse();
        }
    }

    @Test
    void reads_goToEachReplicaInTurn() throws IOException {
        readAll(streams(layout(block(0, sameRack())), 3, this::open), 0, 100, 200, 300);
        assertThat(reads).containsExactly("a@0", "b@100", "c@200", "a@300");
    }

    @Test
    void reads_useAsManyReplicasAsTheKeySays() throws IOException {
        readAll(streams(layout(block(0, sameRack())), 2, this::open), 0, 100, 200);
        assertThat(reads).containsExactly("a@0", "b@100", "a@200");
    }

    @Test
    void replicaOnAnotherRack_isNotRead() throws IOException {
        LocatedBlock block = block(0, node("a", FAR + 1, "/r"), node("b", FAR + 2, "/s"), node("c", FAR + 3, "/r"));
        readAll(streams(layout(block), 3, this::open), 0, 100, 200);
        assertThat(reads).containsExactly("a@0", "c@100", "a@200");
    }

    @Test
    void replicasOnTheReadersHost_areReadAlone() throws IOException {
        LocatedBlock block =
                block(0, node("a", "127.0.0.1", "/r"), node("b", FAR + 2, "/r"), node("c", "127.0.0.1", "/r"));
        readAll(streams(layout(block), 3, this::open), 0, 100, 200);
        assertThat(reads).containsExactly("a@0", "c@100", "a@200");
    }

    @Test
    void blockWithFewerReplicas_isReadFromThem_alsoByALaterStream() throws IOException {
        LocatedBlocks layout = layout(block(0, sameRack()), block(1, node("a", FAR + 1, "/r")));
        readAll(streams(layout, 3, this::open), 0, 100, 200, 1100);
        assertThat(reads).containsExactly("aa@0", "ba@100", "ca@200", "aa@1100");
    }

    @Test
    void rangeBehindTheKnownBlocks_isReadByTheApplicationsStream() throws IOException {
        readAll(streams(layout(block(0, sameRack())), 3, this::open), 1000);
        assertThat(reads).containsExactly("application@1000");
    }

    /** A stream that fails in the middle of a read. */
    private static ReplicaStreams.Stream failing(LocatedBlocks layout) {
        return new ReplicaStreams.Stream() {
            @Override
            public void readFully(long position, ByteBuffer into) throws IOException {
                into.put((byte) 2);
                throw new IOException("no replica answers");
            }

            @Override
            public ReadStatistics statistics() {
                return new ReadStatistics();
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void failedRead_withACachedLayout_isRepeatedByTheApplicationsStream_fromItsBeginning() throws IOException {
        ReplicaStreams streams = streams(layout(block(0, sameRack())), 3, ReplicaStreamsTest::failing);
        ByteBuffer into = ByteBuffer.allocate(10);
        streams.forReads(ranges(0)).get(0).readFully(0, into);
        assertThat(into.array()).containsOnly(1);
        assertThat(streams.deliveredBytes()).isZero();
    }

    @Test
    void failedRead_withTheNameNodesLayout_isTheReadersFailure_andIsNotRepeated() {
        ReplicaStreams streams = new ReplicaStreams(
                (position, into) -> fill("application", position, into),
                layout(block(0, sameRack())),
                null,
                3,
                ReplicaStreamsTest::failing);
        assertThatThrownBy(() -> streams.forReads(ranges(0)).get(0).readFully(0, ByteBuffer.allocate(10)))
                .hasMessage("no replica answers");
        assertThat(reads).isEmpty();
    }

    /** Else bytes of the old file would be delivered beside bytes of the new. */
    @Test
    void layoutThatIsReplacedDuringARead_makesTheApplicationsStreamRead() throws IOException {
        ReplicaStreams streams = streams(layout(block(0, sameRack())), 3, layout -> {
            replaced.set(true);
            return open(layout);
        });
        readAll(streams, 0);
        assertThat(reads).containsExactly("a@0", "application@0");
        assertThat(streams.deliveredBytes()).as("counted before the look").isEqualTo(10);
    }

    @Test
    void statistics_areThoseOfAllStreams_andCanBeCleared() throws IOException {
        ReplicaStreams streams = streams(layout(block(0, sameRack())), 3, this::open);
        readAll(streams, 0, 100);
        ReadStatistics sum = new ReadStatistics();
        sum.addLocalBytes(5);
        streams.addStatisticsTo(sum);
        assertThat(sum.getTotalBytesRead()).isEqualTo(25);
        assertThat(sum.getRemoteBytesRead()).isEqualTo(20);
        streams.clearStatistics();
        ReadStatistics cleared = new ReadStatistics();
        streams.addStatisticsTo(cleared);
        assertThat(cleared.getTotalBytesRead()).isZero();
        assertThat(streams.deliveredBytes()).as("is for the stream's safety").isEqualTo(20);
    }

    @Test
    void deliveredBytes_areCounted() throws IOException {
        ReplicaStreams streams = streams(layout(block(0, sameRack())), 3, this::open);
        readAll(streams, 0, 100);
        assertThat(streams.deliveredBytes()).isEqualTo(20);
    }

    @Test
    void streamThatTookOnAnotherLayout_readsItsRangesItself() throws IOException {
        ReplicaStreams streams = streams(layout(block(0, sameRack())), 3, this::open);
        readAll(streams, 0);
        replaced.set(true);
        readAll(streams, 0);
        assertThat(reads).containsExactly("a@0", "application@0");
    }

    @Test
    void close_closesWhatWasOpened_andOpensNothingMore() throws IOException {
        ReplicaStreams streams = streams(layout(block(0, sameRack())), 3, this::open);
        List<StreamRanges.Source> sources = streams.forReads(ranges(0, 100, 200));
        sources.get(1).readFully(100, ByteBuffer.allocate(10));
        streams.close();
        assertThat(closed).containsExactly("b");
        sources.get(2).readFully(200, ByteBuffer.allocate(10));
        assertThat(reads).containsExactly("b@100", "application@200");
    }

    @Test
    void applicationsFailure_isTheReadersFailure() {
        ReplicaStreams streams = new ReplicaStreams(
                (position, into) -> {
                    throw new IOException("the stream is closed");
                },
                layout(block(0, sameRack())),
                () -> true,
                3,
                this::open);
        assertThatThrownBy(() -> streams.forReads(ranges(0)).get(0).readFully(0, ByteBuffer.allocate(10)))
                .hasMessage("the stream is closed");
    }
}

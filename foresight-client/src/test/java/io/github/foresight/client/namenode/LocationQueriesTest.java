/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.client.ForesightProxyProvider;
import io.github.foresight.client.hint.FakeDataNode;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only an open is served from memory; whoever asks for locations is answered by the NameNode, with as many blocks as asked for. */
final class LocationQueriesTest {

    private static final int BLOCK = 512;
    private static final int FILE_BLOCKS = 40;
    private static final long PREFETCH = 10 * BLOCK;
    private static final String PATH = "/file";

    private FakeNameNode nameNode;
    private DFSClient client;
    private volatile String node = "first";
    private volatile long firstBlock = 100;

    @BeforeEach
    void start() throws IOException {
        nameNode = FakeNameNode.start(this::located);
        Configuration conf = new Configuration();
        conf.setLong("dfs.blocksize", BLOCK);
        conf.set("foresight.client.consistency", "bounded");
        conf.set("dfs.client.failover.proxy.provider.localhost", ForesightProxyProvider.class.getName());
        client = new DFSClient(URI.create("hdfs://localhost:" + nameNode.port()), conf);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        nameNode.close();
    }

    /** The blocks of the range that was asked for, as a NameNode with Foresight answers. */
    private Message located(String method, Message message) {
        GetBlockLocationsRequestProto request = (GetBlockLocationsRequestProto) message;
        List<LocatedBlock> blocks = new ArrayList<>();
        for (int i = 0; i < FILE_BLOCKS; i++) {
            long start = (long) i * BLOCK;
            if (start + BLOCK > request.getOffset() && start < request.getOffset() + request.getLength()) {
                blocks.add(block(i));
            }
        }
        return GetBlockLocationsResponseProto.newBuilder()
                .setLocations(PBHelperClient.convert(new LocatedBlocks(
                        (long) FILE_BLOCKS * BLOCK, false, blocks, block(FILE_BLOCKS - 1), true, null, null)))
                .setUnknownFields(Notes.fieldsWith(NameNodeNoteProto.newBuilder()))
                .build();
    }

    private LocatedBlock block(int index) {
        LocatedBlock block = new LocatedBlock(
                new ExtendedBlock("BP", firstBlock + index, BLOCK, 1), new DatanodeInfo[] {FakeDataNode.info(node, 1)});
        block.setStartOffset((long) index * BLOCK);
        return block;
    }

    private List<GetBlockLocationsRequestProto> requests() {
        return nameNode.received("getBlockLocations").stream()
                .map(call -> (GetBlockLocationsRequestProto) call.request())
                .collect(Collectors.toList());
    }

    private static List<String> nodes(List<LocatedBlock> blocks) {
        return blocks.stream()
                .map(block -> block.getLocations()[0].getDatanodeUuid())
                .distinct()
                .collect(Collectors.toList());
    }

    private static List<Long> ids(List<LocatedBlock> blocks) {
        return blocks.stream().map(block -> block.getBlock().getBlockId()).collect(Collectors.toList());
    }

    @Test
    void open_fileNotSeenBefore_asksForAsMuchOfTheLayoutAsTheClientIsConfiguredTo() throws IOException {
        client.open(PATH).close();

        assertThat(requests()).hasSize(1);
        assertThat(requests().get(0).getLength()).isEqualTo(PREFETCH);
        assertThat(Notes.clientNote(requests().get(0))).isNotNull();
    }

    @Test
    void open_fileSeenBefore_asksNothing() throws IOException {
        client.open(PATH).close();
        client.open(PATH).close();

        assertThat(requests()).hasSize(1);
    }

    @Test
    void locations_ofAFileSeenBefore_areTheNameNodesOfNow() throws IOException {
        client.open(PATH).close();
        node = "second";

        LocatedBlocks asAStreamWouldAsk = client.getLocatedBlocks(PATH, 0);
        LocatedBlocks all = client.getLocatedBlocks(PATH, 0, Long.MAX_VALUE);

        assertThat(nodes(asAStreamWouldAsk.getLocatedBlocks())).containsExactly("second");
        assertThat(asAStreamWouldAsk.locatedBlockCount()).isEqualTo(10);
        assertThat(all.locatedBlockCount()).isEqualTo(FILE_BLOCKS);
        assertThat(client.getBlockLocations(PATH, 0, PREFETCH)).hasSize(10);
        assertThat(requests()).hasSize(4);
        assertThat(requests().subList(1, 4))
                .as("a location query is no open and tells the NameNode nothing of any")
                .allMatch(request -> Notes.clientNote(request) == null);
    }

    @Test
    void locations_queriedBetweenTwoOpens_leaveTheSecondServed() throws IOException {
        client.open(PATH).close();
        client.getLocatedBlocks(PATH, 0);
        client.open(PATH).close();

        assertThat(requests()).hasSize(2);
    }

    @Test
    void allBlocks_ofAStreamOpenedFromMemory_areTheNameNodesOfNow() throws IOException {
        client.open(PATH).close();
        node = "second";
        try (DFSInputStream in = client.open(PATH)) {
            assertThat(requests()).hasSize(1);
            List<LocatedBlock> blocks = in.getAllBlocks();

            assertThat(blocks).hasSize(FILE_BLOCKS);
            assertThat(nodes(blocks)).containsExactly("second");
            assertThat(requests()).hasSize(2);
        }
    }

    @Test
    void allBlocks_ofAFileThatWasReplacedMeanwhile_areThoseTheStreamWasOpenedWith() throws IOException {
        client.open(PATH).close();
        try (DFSInputStream in = client.open(PATH)) {
            firstBlock = 500;
            assertThat(ids(in.getAllBlocks()).subList(0, 10))
                    .containsExactly(100L, 101L, 102L, 103L, 104L, 105L, 106L, 107L, 108L, 109L);
        }
    }
}

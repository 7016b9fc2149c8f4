/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;

public class CachedFileTest {

    private static final long FIRST_BLOCK = 7;

    private static LocatedBlocksProto layout(int blocks, int replicas) {
        LocatedBlocksProto.Builder layout = LocatedBlocksProto.newBuilder()
                .setFileLength(1)
                .setUnderConstruction(false)
                .setIsLastBlockComplete(true)
                .setLastBlock(block(FIRST_BLOCK + blocks - 1, replicas));
        for (int i = 0; i < blocks; i++) {
            layout.addBlocks(block(FIRST_BLOCK + i, replicas));
        }
        return layout.build();
    }

    public static LocatedBlockProto block(long id, int replicas) {
        LocatedBlockProto.Builder block = LocatedBlockProto.newBuilder()
                .setB(ExtendedBlockProto.newBuilder()
                        .setPoolId("BP-1")
                        .setBlockId(id)
                        .setGenerationStamp(1))
                .setOffset(0)
                .setCorrupt(false)
                .setBlockToken(TokenProto.newBuilder()
                        .setIdentifier(ByteString.EMPTY)
                        .setPassword(ByteString.EMPTY)
                        .setKind("")
                        .setService(""));
        for (int i = 0; i < replicas; i++) {
            block.addLocs(DatanodeInfoProto.newBuilder()
                    .setId(DatanodeIDProto.newBuilder()
                            .setIpAddr("10.0.0." + i)
                            .setHostName("node" + i)
                            .setDatanodeUuid("uuid-" + i)
                            .setXferPort(9866)
                            .setInfoPort(9864)
                            .setIpcPort(9867)));
        }
        return block.build();
    }

    private static PredictedFileProto told(ByteString layout) {
        return PredictedFileProto.newBuilder()
                .setConfidenceClass(3)
                .setLocations(layout)
                .build();
    }

    @Test
    void opened_keepsTheMessageItself() {
        LocatedBlocksProto layout = layout(2, 3);
        CachedFile file = CachedFile.opened(layout);
        assertThat(file.layout()).isSameAs(layout);
        assertThat(file.firstBlock).isEqualTo(FIRST_BLOCK);
        assertThat(file.isPrediction()).isFalse();
    }

    @Test
    void predicted_keepsItsBytes() {
        LocatedBlocksProto layout = layout(2, 3);
        CachedFile file = CachedFile.predicted(told(layout.toByteString()), layout);
        assertThat(file.layout()).isEqualTo(layout);
        assertThat(file.firstBlock).isEqualTo(FIRST_BLOCK);
        assertThat(file.confidenceClass).isEqualTo(3);
        assertThat(file.isPrediction()).isTrue();
        assertThat(file.bytes()).isBetween(layout.getSerializedSize(), layout.getSerializedSize() + 500);
    }

    @Test
    void predicted_unreadable_hasNoLayout() {
        CachedFile file = CachedFile.predicted(told(ByteString.copyFromUtf8("garbage")), layout(1, 1));
        assertThat(file.layout()).isNull();
    }

    /** A file of one block names it twice. */
    @Test
    void opened_bytes_areThoseOfAllBlocksAndReplicasNamed() {
        assertThat(CachedFile.opened(layout(1, 1)).bytes()).isEqualTo(300 + 2 * (800 + 600));
        assertThat(CachedFile.opened(layout(16, 3)).bytes()).isEqualTo(300 + 17 * (800 + 3 * 600));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.ClientNoteProto;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.junit.jupiter.api.Test;

class LocationRequestsTest {

    private static final long FILE = 1000;
    private static final long PREFETCH_SIZE = 10L * (128 << 20);

    private static LocatedBlocks layout(boolean underConstruction) {
        LocatedBlock block = new LocatedBlock(
                new ExtendedBlock("pool", 1, 1, FILE),
                new DatanodeInfoWithStorage[0],
                new String[0],
                new StorageType[0]);
        return new LocatedBlocks(FILE, underConstruction, List.of(block), block, true, null, null);
    }

    private static GetBlockLocationsRequestProto.Builder request(long offset, long length) {
        return GetBlockLocationsRequestProto.newBuilder()
                .setSrc("/f")
                .setOffset(offset)
                .setLength(length);
    }

    private static boolean isOpen(long offset, long length) {
        return LocationRequests.isOpen(request(offset, length).build(), layout(false));
    }

    @Test
    void streamThatIsOpened_isAnOpen() {
        assertThat(isOpen(0, PREFETCH_SIZE)).isTrue();
        assertThat(isOpen(0, FILE / 2)).as("the begin of a long file").isTrue();
    }

    @Test
    void computationOfSplitsOrOfAChecksum_isNone() {
        assertThat(isOpen(0, FILE)).isFalse();
        assertThat(isOpen(0, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void noteThatComesAlong_saysThatItIsOne() {
        GetBlockLocationsRequestProto request = request(0, FILE)
                .setUnknownFields(Notes.fieldsWith(ClientNoteProto.newBuilder()))
                .build();
        assertThat(LocationRequests.isOpen(request, layout(false))).isTrue();
    }

    @Test
    void restOfALayout_orAFileBeingWritten_isNone() {
        assertThat(isOpen(500, PREFETCH_SIZE)).isFalse();
        assertThat(LocationRequests.isOpen(request(0, PREFETCH_SIZE).build(), layout(true)))
                .isFalse();
    }
}

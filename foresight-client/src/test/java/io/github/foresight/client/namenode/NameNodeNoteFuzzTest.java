/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.client.metadata.CachedFileTest;
import io.github.foresight.client.metadata.MetadataCache;
import io.github.foresight.client.settings.ClientSettings;
import io.github.foresight.core.fuzz.Fuzz;
import io.github.foresight.protocol.note.Notes;
import io.github.foresight.protocol.proto.NoteProtos.NameNodeNoteProto;
import io.github.foresight.protocol.proto.NoteProtos.PredictedFileProto;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;

/** A client takes or passes over every note that may stand beside a reply, in bounded memory. */
class NameNodeNoteFuzzTest {

    private static final int CAPACITY = 1 << 20;

    /** A note can make the cache forget all its entries, which takes a few objects for each. */
    private static final int ALLOCATED_MAX = 4 * CAPACITY;

    /** A predicted file of two bytes is an object of its own. */
    private static final int ALLOCATED_MAX_PER_BYTE = 256;

    private final AtomicLong nanos = new AtomicLong();
    private final MetadataCache cache = cache();

    private MetadataCache cache() {
        Configuration conf = new Configuration(false);
        conf.set("foresight.client.consistency", "bounded");
        conf.set("foresight.client.metadata.capacity", String.valueOf(CAPACITY));
        return new MetadataCache(ClientSettings.read(conf), nanos::get, () -> true);
    }

    private static LocatedBlocksProto layout(long blockId) {
        return LocatedBlocksProto.newBuilder()
                .setFileLength(1)
                .setUnderConstruction(false)
                .setIsLastBlockComplete(true)
                .addBlocks(CachedFileTest.block(blockId, 0))
                .build();
    }

    private static byte[] note(String... paths) {
        NameNodeNoteProto.Builder note =
                NameNodeNoteProto.newBuilder().addInvalidated("/gone").setAllInvalidated(false);
        for (String path : paths) {
            note.addFiles(PredictedFileProto.newBuilder()
                    .setPath(path)
                    .setConfidenceClass(20)
                    .setStatus(ByteString.copyFromUtf8("status"))
                    .setLocations(layout(path.length()).toByteString()));
        }
        return Notes.fieldsWith(note)
                .getField(Notes.FIELD)
                .getLengthDelimitedList()
                .get(0)
                .toByteArray();
    }

    @Test
    void note_damaged_isTakenOrPassedOver() {
        Fuzz.of("namenode-note", NameNodeNoteFuzzTest.class)
                .sample(note())
                .sample(note("/a", "/bb", "/c/dd"))
                .allocatingAtMost(ALLOCATED_MAX, ALLOCATED_MAX_PER_BYTE)
                .into(this::take);
    }

    private void take(byte[] message) {
        UnknownFieldSet besides = UnknownFieldSet.newBuilder()
                .addField(
                        Notes.FIELD,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFrom(message))
                                .build())
                .build();
        NameNodeNoteProto note = Notes.nameNodeNote(GetBlockLocationsResponseProto.newBuilder()
                .setUnknownFields(besides)
                .build());
        if (note == null) {
            return;
        }
        assertThat(cache.take(note, cache.position()).size()).isLessThanOrEqualTo(note.getFilesCount());
        cache.layoutToOpen("/a");
        cache.layoutToOpen("/bb");
        cache.status("/c/dd");
        nanos.addAndGet(1_000_000);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.github.foresight.core.fuzz.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A damaged checkpoint is refused, or merged with the graph, in bounded time and memory. */
class GraphSnapshotFuzzTest {

    private static final String OWNER = "BP-1";
    private static final int CHECKSUM_BYTES = 4;
    private static final int VERTEX_BYTES_MIN = 12;

    /** Java's reader of strings allocates six times the stated length of an owner's name, which is below 64 KiB. */
    private static final int ALLOCATED_MAX = 512 << 10;

    /** A vertex may have 12 bytes; its merge allocates two lists of successors of about 300 bytes each. */
    private static final int ALLOCATED_MAX_PER_BYTE = 64;

    private final PackedGraph files = graph();
    private final PackedGraph pairs = graph();
    private final Successors successors = new Successors(PackedGraph.MOST_SUCCESSORS);
    private int read;

    private static PackedGraph graph() {
        return new PackedGraph(1 << 20, new GraphSettings(12, 65_535, 255));
    }

    private static byte[] checkpoint(int visits) throws IOException {
        PackedGraph files = graph();
        PackedGraph pairs = graph();
        Random random = new Random(visits);
        Successors ignored = new Successors(PackedGraph.MOST_SUCCESSORS);
        for (int i = 0; i < visits; i++) {
            files.strengthen(1 + random.nextInt(20), 1 + random.nextInt(20), 1 + random.nextInt(10));
            files.visit(1 + random.nextInt(20), 0, ignored);
            pairs.strengthen(1 + random.nextInt(20), 1 + random.nextInt(20), 1);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        GraphSnapshot.write(out, OWNER, files, pairs);
        return out.toByteArray();
    }

    private static Fuzz fuzz(String name) throws IOException {
        return Fuzz.of(name, GraphSnapshotFuzzTest.class)
                .sample(checkpoint(0))
                .sample(checkpoint(5))
                .sample(checkpoint(60))
                .allocatingAtMost(ALLOCATED_MAX, ALLOCATED_MAX_PER_BYTE);
    }

    @Test
    void checkpoint_damaged_isRefusedOrRead() throws IOException {
        fuzz("checkpoint").into(this::load);
    }

    /** With a wrong checksum, no damaged checkpoint would pass the check of the checksum. */
    @Test
    void checkpoint_damagedUnderAGoodChecksum_isRefusedOrRead() throws IOException {
        fuzz("checkpoint-with-checksum").into(message -> load(withChecksum(message)));
        assertThat(read).as("checkpoints merged").isPositive();
    }

    private static byte[] withChecksum(byte[] message) {
        byte[] result = Arrays.copyOf(message, Math.max(message.length, CHECKSUM_BYTES));
        int length = result.length - CHECKSUM_BYTES;
        int checksum = Hashing.crc32c().hashBytes(result, 0, length).asInt();
        ByteBuffer.wrap(result, length, CHECKSUM_BYTES).putInt(checksum);
        return result;
    }

    private void load(byte[] message) {
        try {
            GraphSnapshot.check(new ByteArrayInputStream(message), OWNER, 2);
        } catch (IOException e) {
            assertThat(e).hasMessageStartingWith("it");
            return;
        }
        boolean fresh = message.length % 2 == 0;
        if (fresh) {
            files.clear();
            pairs.clear();
        }
        try {
            GraphSnapshot.read(new ByteArrayInputStream(message), OWNER, fresh ? 16 : 0.0625, files, pairs);
        } catch (IOException e) {
            throw new AssertionError("a checkpoint that was found good is refused", e);
        }
        read++;
        if (fresh) {
            assertThat(files.vertices() + pairs.vertices())
                    .as("vertices of %d bytes", message.length)
                    .isLessThanOrEqualTo(message.length / VERTEX_BYTES_MIN);
        }
        for (long file = -2; file < 30; file++) {
            files.read(file, 0, successors);
            assertIsSound(successors);
            files.strengthen(file == 0 ? 1 : file, 7, 3);
        }
    }

    private static void assertIsSound(Successors successors) {
        assertThat(successors.size()).isLessThanOrEqualTo(12);
        assertThat(successors.visits()).isBetween(0, GraphSettings.MAX_UNSIGNED_SHORT);
        for (int rank = 0; rank < successors.size(); rank++) {
            int above = rank == 0 ? GraphSettings.MAX_UNSIGNED_SHORT : successors.weight(rank - 1);
            assertThat(successors.weight(rank)).isBetween(0, above);
        }
    }
}

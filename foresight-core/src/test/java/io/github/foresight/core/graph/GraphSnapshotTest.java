/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import com.google.common.hash.HashingOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class GraphSnapshotTest {

    private static final String OWNER = "BP-1";
    private static final int FILES = 200;

    private static PackedGraph graph(long bytes, int successors) {
        return new PackedGraph(bytes, new GraphSettings(successors, 65535, 255));
    }

    private static PackedGraph learned(long seed) {
        PackedGraph graph = graph(1 << 20, 12);
        Random random = new Random(seed);
        Successors ignored = new Successors(64);
        for (int i = 0; i < 3000; i++) {
            graph.strengthen(random.nextInt(FILES), random.nextInt(FILES), 1 + random.nextInt(10));
            graph.visit(random.nextInt(FILES), 0, ignored);
        }
        return graph;
    }

    private static byte[] written(PackedGraph... graphs) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        GraphSnapshot.write(out, OWNER, graphs);
        return out.toByteArray();
    }

    private static String dump(PackedGraph graph) {
        StringBuilder dump = new StringBuilder();
        Successors successors = new Successors(64);
        for (int file = 0; file < FILES; file++) {
            graph.read(file, 0, successors);
            dump.append(file).append(": ").append(successors.visits());
            for (int rank = 0; rank < successors.size(); rank++) {
                dump.append(' ').append(successors.file(rank)).append('*').append(successors.weight(rank));
            }
            dump.append('\n');
        }
        return dump.toString();
    }

    @Property(tries = 20)
    void whatWasWritten_isReadBack(@ForAll long seed) throws IOException {
        PackedGraph files = learned(seed);
        PackedGraph pairs = learned(seed + 1);
        byte[] bytes = written(files, pairs);
        GraphSnapshot.check(new ByteArrayInputStream(bytes), OWNER, 2);
        PackedGraph filesAgain = graph(1 << 20, 12);
        PackedGraph pairsAgain = graph(1 << 21, 12);
        GraphSnapshot.read(new ByteArrayInputStream(bytes), OWNER, 1, filesAgain, pairsAgain);
        assertThat(dump(filesAgain)).isEqualTo(dump(files));
        assertThat(dump(pairsAgain)).isEqualTo(dump(pairs));
    }

    @Property(tries = 300)
    void oneByteChanged_isNoticed(
            @ForAll @IntRange(min = 0, max = 1_000_000) int place, @ForAll @IntRange(min = 1, max = 255) int change)
            throws IOException {
        byte[] bytes = written(learned(7));
        bytes[place % bytes.length] ^= (byte) change;
        assertThatThrownBy(() -> GraphSnapshot.check(new ByteArrayInputStream(bytes), OWNER, 1))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("it");
    }

    @Property(tries = 100)
    void cutOff_isNoticed(@ForAll @IntRange(min = 0, max = 1_000_000) int length) throws IOException {
        byte[] bytes = written(learned(7));
        byte[] cut = Arrays.copyOf(bytes, length % bytes.length);
        assertThatThrownBy(() -> GraphSnapshot.check(new ByteArrayInputStream(cut), OWNER, 1))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("it");
    }

    @Test
    void ofAnotherOwner_isRefusedByName() throws IOException {
        byte[] bytes = written(learned(7));
        assertThatThrownBy(() -> GraphSnapshot.check(new ByteArrayInputStream(bytes), "BP-2", 1))
                .hasMessageContaining("BP-1")
                .hasMessageContaining("BP-2");
    }

    @Test
    void intoAGraphOfFewerSuccessors_keepsTheStrongest() throws IOException {
        PackedGraph many = learned(3);
        PackedGraph few = graph(1 << 20, 4);
        GraphSnapshot.read(new ByteArrayInputStream(written(many)), OWNER, 1, few);
        Successors of = new Successors(64);
        Successors kept = new Successors(64);
        for (int file = 0; file < FILES; file++) {
            many.read(file, 0, of);
            few.read(file, 0, kept);
            assertThat(kept.size()).isEqualTo(Math.min(4, of.size()));
            for (int rank = 0; rank < kept.size(); rank++) {
                assertThat(kept.file(rank)).isEqualTo(of.file(rank));
                assertThat(kept.weight(rank)).isEqualTo(of.weight(rank));
            }
        }
    }

    @Test
    void intoAGraphWithoutRoom_forgetsSome() throws IOException {
        PackedGraph small = graph(4096, 12);
        GraphSnapshot.read(new ByteArrayInputStream(written(learned(3))), OWNER, 1, small);
        assertThat(small.vertices()).isPositive().isLessThanOrEqualTo(small.capacity());
    }

    @Test
    void intoAGraphThatKnowsTheVertex_mergesBoth() throws IOException {
        PackedGraph graph = graph(1 << 20, 12);
        graph.strengthen(5, 77, 10);
        Successors before = new Successors(64);
        PackedGraph other = learned(3);
        other.read(5, 0, before);
        GraphSnapshot.read(new ByteArrayInputStream(written(other)), OWNER, 1, graph);
        Successors of = new Successors(64);
        graph.read(5, 0, of);
        assertThat(of.visits()).isPositive().isLessThanOrEqualTo(before.visits());
        assertThat(of.size()).isGreaterThan(1);
    }

    @Test
    void theSameTwice_isAsOnce() throws IOException {
        PackedGraph graph = graph(1 << 20, 12);
        byte[] bytes = written(learned(3));
        GraphSnapshot.read(new ByteArrayInputStream(bytes), OWNER, 1, graph);
        Successors once = new Successors(64);
        graph.read(5, 0, once);
        GraphSnapshot.read(new ByteArrayInputStream(bytes), OWNER, 1, graph);
        Successors twice = new Successors(64);
        graph.read(5, 0, twice);
        assertThat(twice.visits()).isEqualTo(once.visits());
        assertThat(twice.size()).isEqualTo(once.size());
        for (int rank = 0; rank < once.size(); rank++) {
            assertThat(twice.weight(rank)).isEqualTo(once.weight(rank));
        }
    }

    private static PackedGraph sharedGraph() {
        return new PackedGraph(1 << 18, new GraphSettings(12, 65535, 255, 0.25));
    }

    private static void flood(PackedGraph graph, int owner, long from) {
        Successors ignored = new Successors(64);
        for (long file = from; file < from + 20_000; file++) {
            graph.visit(owner, file, 0, ignored);
        }
    }

    @Test
    void userAboveItsShare_getsNoSecondShareAfterARestart() throws IOException {
        PackedGraph before = sharedGraph();
        for (int owner = 1; owner <= 4; owner++) {
            flood(before, owner, owner * 1_000_000L);
        }
        PackedGraph after = sharedGraph();
        GraphSnapshot.read(new ByteArrayInputStream(written(before)), OWNER, 1, after);
        assertThat(after.vertices()).isGreaterThan(before.vertices() / 2);
        for (int owner = 1; owner <= 4; owner++) {
            assertThat(after.charged(owner)).isPositive().isLessThanOrEqualTo(before.charged(owner));
        }
        long othersBefore = after.charged(2) + after.charged(3) + after.charged(4);

        flood(after, 1, 9_000_000);

        long share = after.capacity() / 4;
        assertThat(after.charged(1)).isLessThanOrEqualTo(share * 5 / 4);
        assertThat(after.charged(2) + after.charged(3) + after.charged(4))
                .as("the vertices of others")
                .isGreaterThan(othersBefore * 9 / 10);
    }

    /** A snapshot of version 1, which has no users. */
    private static byte[] firstVersion(long vertex, long successor) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HashingOutputStream checked = new HashingOutputStream(Hashing.crc32c(), bytes);
        DataOutputStream out = new DataOutputStream(checked);
        out.writeLong(0x464f524553494748L);
        out.writeShort(1);
        out.writeUTF(OWNER);
        out.writeByte(1);
        out.writeLong(vertex);
        out.writeShort(3);
        out.writeByte(1);
        out.writeLong(successor);
        out.writeShort(10);
        out.writeByte(0);
        new DataOutputStream(bytes).writeInt(checked.hash().asInt());
        return bytes.toByteArray();
    }

    @Test
    void snapshotOfTheFirstVersion_isReadWithoutCharges() throws IOException {
        PackedGraph graph = graph(1 << 20, 12);
        GraphSnapshot.read(new ByteArrayInputStream(firstVersion(5, 77)), OWNER, 1, graph);
        Successors of = new Successors(64);
        graph.read(5, 0, of);
        assertThat(of.visits()).isEqualTo(3);
        assertThat(of.file(0)).isEqualTo(77);
        assertThat(of.owner).isEqualTo(SuccessorGraph.NOBODY);
    }
}

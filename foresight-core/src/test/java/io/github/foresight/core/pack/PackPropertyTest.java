/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PackPropertyTest {

    @Provide
    Arbitrary<PackEntry> entries() {
        return Combinators.combine(
                        Arbitraries.longs().between(1, 12),
                        Arbitraries.longs().between(1000, 1003),
                        Arbitraries.longs().between(0, 1 << 20),
                        Arbitraries.longs(),
                        Arbitraries.bytes().array(byte[].class).ofMinSize(1).ofMaxSize(60))
                .as(PackEntry::new);
    }

    @Property
    void read_whatWasAppended_findsTheLastOfEachBlock(
            @ForAll @Size(max = 30) List<@From("entries") PackEntry> entries,
            @ForAll @IntRange(min = 1, max = 7) int batch) {
        byte[] file = new byte[0];
        Pack known = Pack.EMPTY;
        for (int at = 0; at < entries.size(); at += batch) {
            List<PackEntry> part = entries.subList(at, Math.min(entries.size(), at + batch));
            file = concat(file, known.append(part));
            known = known.with(part);
            assertThat(known.wholeBytes()).isEqualTo(file.length);
        }
        Pack read = Pack.read(file);
        assertThat(read.wholeBytes()).isEqualTo(file.length);
        assertThat(read.size()).isEqualTo(known.size());
        for (PackEntry entry : entries) {
            PackEntry last = lastOf(entries, entry.blockId());
            assertThat(read.find(last.blockId(), last.generationStamp(), last.lengthBytes()))
                    .isEqualTo(last)
                    .isEqualTo(known.find(last.blockId(), last.generationStamp(), last.lengthBytes()));
        }
    }

    /** A torn write at each possible place. */
    @Example
    void read_truncatedAtEveryByte_givesWholeEntriesOrNone() {
        List<PackEntry> entries = some(6, 40);
        byte[] file = Pack.EMPTY.append(entries);
        for (int length = 0; length <= file.length; length++) {
            Pack read = Pack.read(Arrays.copyOf(file, length));
            assertThat(read.wholeBytes()).isLessThanOrEqualTo(length);
            int found = 0;
            for (PackEntry entry : entries) {
                PackEntry there = read.find(entry.blockId(), entry.generationStamp(), entry.lengthBytes());
                if (there != null) {
                    assertThat(there).isEqualTo(entry);
                    found++;
                }
            }
            assertThat(read.size()).isEqualTo(found);
            // An entry that is appended after the tear is found again.
            PackEntry next = new PackEntry(99, 1, 5, -7, new byte[] {1, 2, 3});
            byte[] mended = concat(Arrays.copyOf(file, read.wholeBytes()), read.append(List.of(next)));
            assertThat(Pack.read(mended).find(99, 1, 5)).isEqualTo(next);
            assertThat(Pack.read(mended).size()).isEqualTo(found + 1);
        }
    }

    @Property
    void read_anyByteChanged_neverGivesAnythingElse(
            @ForAll @IntRange(max = 5000) int place, @ForAll @IntRange(min = 1, max = 255) int change) {
        List<PackEntry> entries = some(8, 50);
        byte[] file = Pack.EMPTY.append(entries);
        file[place % file.length] ^= (byte) change;
        Pack read = Pack.read(file);
        for (long blockId = 0; blockId < 300; blockId++) {
            for (PackEntry entry : entries) {
                PackEntry found = read.find(blockId, entry.generationStamp(), entry.lengthBytes());
                if (found != null) {
                    assertThat(entries).contains(found);
                }
            }
        }
    }

    @Property
    void read_garbage_isEmptyOrHarmless(@ForAll byte[] garbage) {
        assertThat(Pack.read(garbage).size()).isZero();
        byte[] behind = concat(Pack.EMPTY.append(some(2, 10)), garbage);
        assertThat(Pack.read(behind).size()).isEqualTo(2);
    }

    @Property
    void find_anotherGenerationOrLength_isNothing(@ForAll("entries") PackEntry entry) {
        Pack pack = Pack.EMPTY.with(List.of(entry));
        assertThat(pack.find(entry.blockId(), entry.generationStamp(), entry.lengthBytes()))
                .isEqualTo(entry);
        assertThat(pack.find(entry.blockId(), entry.generationStamp() + 1, entry.lengthBytes()))
                .isNull();
        assertThat(pack.find(entry.blockId(), entry.generationStamp() - 1, entry.lengthBytes()))
                .isNull();
        assertThat(pack.find(entry.blockId(), entry.generationStamp(), entry.lengthBytes() + 1))
                .isNull();
        assertThat(pack.find(entry.blockId() + 1, entry.generationStamp(), entry.lengthBytes()))
                .isNull();
    }

    @Example
    void compacted_mostlyDead_keepsLiveEntries() {
        List<PackEntry> entries = some(200, 500);
        Pack pack = Pack.EMPTY.with(entries);
        assertThat(pack.compacted(entry -> true)).isNull();
        assertThat(pack.compacted(entry -> entry.blockId() % 3 != 0)).isNull();
        Pack smaller = pack.compacted(entry -> entry.blockId() % 4 == 0);
        assertThat(smaller).isNotNull();
        assertThat(smaller.size()).isEqualTo(50);
        byte[] bytes = smaller.toBytes();
        assertThat(bytes).hasSize(smaller.wholeBytes());
        Pack read = Pack.read(bytes);
        for (PackEntry entry : entries) {
            PackEntry found = read.find(entry.blockId(), entry.generationStamp(), entry.lengthBytes());
            assertThat(found).isEqualTo(entry.blockId() % 4 == 0 ? entry : null);
        }
    }

    @Example
    void compacted_sameBlockOverAndOver_countsEarlierStatesAsDead() {
        Pack pack = Pack.EMPTY;
        for (int i = 0; i < 100; i++) {
            pack = pack.with(List.of(new PackEntry(1, i, i, i, new byte[500])));
        }
        Pack smaller = pack.compacted(entry -> true);
        assertThat(smaller).isNotNull();
        assertThat(smaller.find(1, 99, 99)).isNotNull();
        assertThat(smaller.wholeBytes()).isLessThan(600);
    }

    @Property
    void newest_ofASize_keepsTheNewestLiveEntries(@ForAll @IntRange(max = 30_000) int mostBytes) {
        Pack pack = Pack.EMPTY.with(some(100, 200));
        Pack newest = pack.newest(mostBytes, entry -> entry.blockId() % 2 == 0);
        assertThat(newest.wholeBytes()).isLessThanOrEqualTo(Math.max(8, mostBytes));
        for (int i = 0; i < 100; i++) {
            boolean expected = i % 2 == 0 && (100 - i) / 2 <= newest.size();
            assertThat(newest.find(i, 1000 + i, 64 << 10) != null).isEqualTo(expected);
        }
        assertThat(Pack.read(newest.toBytes()).size()).isEqualTo(newest.size());
    }

    @Example
    void entry_outOfBounds_isRefused() {
        assertThatThrownBy(() -> new PackEntry(1, 1, -1, 0, new byte[1])).hasMessageContaining("lengthBytes");
        assertThatThrownBy(() -> new PackEntry(1, 1, 1, 0, new byte[0])).hasMessageContaining("metadata");
    }

    private static List<PackEntry> some(int count, int metadataBytes) {
        Random random = new Random(count);
        List<PackEntry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] metadata = new byte[metadataBytes];
            random.nextBytes(metadata);
            entries.add(new PackEntry(i, 1000 + i, 64 << 10, random.nextLong(), metadata));
        }
        return entries;
    }

    private static PackEntry lastOf(List<PackEntry> entries, long blockId) {
        PackEntry last = entries.get(0);
        for (PackEntry entry : entries) {
            if (entry.blockId() == blockId) {
                last = entry;
            }
        }
        return last;
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}

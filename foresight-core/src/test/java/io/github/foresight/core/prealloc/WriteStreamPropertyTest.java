/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class WriteStreamPropertyTest {

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long PACKET = 64 * KIB;

    @Property
    void write_sequentialWithSpaceInTime_neverMissesAndAsksLogarithmicallyOften(
            @ForAll @LongRange(min = 64 * KIB, max = 256 * MIB) long limit,
            @ForAll @IntRange(min = 2, max = 64) int scale,
            @ForAll @LongRange(min = 64 * KIB, max = 64 * MIB) long windowMax) {
        WriteStream stream = new WriteStream(settings(scale, windowMax), 0, limit, 0);
        List<PreallocationRange> asked = new ArrayList<>();
        for (long at = 0; at < limit; at += PACKET) {
            long length = Math.min(PACKET, limit - at);
            PreallocationRange wanted = stream.write(at, length);
            if (wanted != null) {
                asked.add(wanted);
                stream.taken(wanted.endBytes());
            }
            assertThat(stream.takenEndBytes()).isBetween(at + length, limit);
        }
        assertThat(stream.misses()).isZero();
        assertThat(stream.isOff()).isFalse();
        assertContiguous(asked, limit);
        // Windows grow to the largest within log(max / first) steps; all further windows are the largest.
        double ramp = Math.log((double) windowMax / Math.min(windowMax, PACKET * scale)) / Math.log(scale);
        assertThat(asked.size()).isLessThanOrEqualTo((int) (4 + ramp + limit / (double) windowMax));
    }

    @Property
    void write_anySizesAndAnyAnswers_asksInBoundsAndInOrder(
            @ForAll @LongRange(min = 1, max = 16 * MIB) long limit,
            @ForAll @LongRange(max = 1 << 20) long startBytes,
            @ForAll @Size(max = 200) List<@IntRange(min = 1, max = 200_000) Integer> writes,
            @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 4) Integer> answers) {
        long start = Math.min(startBytes, limit);
        WriteStream stream = new WriteStream(settings(4, 4 * MIB), start, limit, 0);
        PreallocationRange pending = null;
        long at = start;
        int turn = 0;
        for (int size : writes) {
            long length = Math.min(size, limit - at);
            if (length <= 0) {
                break;
            }
            long takenBefore = stream.takenEndBytes();
            PreallocationRange wanted = stream.write(at, length);
            at += length;
            if (wanted != null) {
                assertThat(pending).as("one request at a time").isNull();
                assertThat(wanted.beginBytes()).isLessThanOrEqualTo(takenBefore);
                assertThat(wanted.endBytes()).isLessThanOrEqualTo(limit);
                pending = wanted;
            }
            if (pending != null) {
                int answer = answers.get(turn++ % answers.size());
                if (answer == 0) {
                    stream.refused();
                    pending = null;
                } else if (answer == 1) {
                    stream.taken(pending.beginBytes() + pending.lengthBytes() / 2);
                    pending = null;
                } else if (answer != 2) { // at 2 the disk is slow
                    stream.taken(pending.endBytes());
                    pending = null;
                }
            }
            assertThat(stream.writtenBytes()).isEqualTo(at);
            assertThat(stream.takenEndBytes()).isBetween(at, limit);
            assertThat(stream.unusedBytes()).isBetween(0L, limit - at);
        }
    }

    @Property
    void write_whereSpaceNeverComesInTime_switchesOffAfterTheMissesBorne(
            @ForAll @IntRange(max = 10) int missesMax, @ForAll @IntRange(min = 1, max = 5) int late) {
        PreallocationSettings settings =
                PreallocationSettings.builder().scale(2).missesMax(missesMax).build();
        WriteStream stream = new WriteStream(settings, 0, 1L << 40, 0);
        long at = 0;
        int requests = 0;
        for (int i = 0; i < 10_000 && !stream.isOff(); i++) {
            PreallocationRange wanted = stream.write(at, PACKET);
            at += PACKET;
            if (wanted != null) {
                requests++;
                // Written before the space is taken.
                while (at < wanted.endBytes() + late * PACKET && !stream.isOff()) {
                    assertThat(stream.write(at, PACKET)).isNull();
                    at += PACKET;
                }
                stream.taken(wanted.endBytes());
            }
        }
        assertThat(stream.isOff()).isTrue();
        assertThat(stream.misses()).isEqualTo(missesMax + 1);
        assertThat(requests).isLessThanOrEqualTo(2 * missesMax + 2);
        assertThat(stream.write(at, PACKET)).isNull();
    }

    @Property
    void write_jumpingBackAndForth_isSoonLeftAlone(@ForAll @Size(50) List<@LongRange(max = 1L << 35) Long> offsets) {
        WriteStream stream = new WriteStream(settings(4, 4 * MIB), 0, 1L << 40, 0);
        long takenBytes = 0;
        for (long offset : offsets) {
            PreallocationRange wanted = stream.write(offset, PACKET);
            if (wanted != null) {
                takenBytes += wanted.lengthBytes();
                stream.taken(wanted.endBytes());
            }
        }
        assertThat(stream.misses()).isLessThanOrEqualTo(5);
        assertThat(takenBytes).isLessThan(offsets.size() * (PACKET + 4 * MIB));
    }

    private static void assertContiguous(List<PreallocationRange> asked, long limit) {
        assertThat(asked.get(0).beginBytes()).isZero();
        for (int i = 1; i < asked.size(); i++) {
            assertThat(asked.get(i).beginBytes()).isEqualTo(asked.get(i - 1).endBytes());
        }
        assertThat(asked.get(asked.size() - 1).endBytes()).isLessThanOrEqualTo(limit);
    }

    private static PreallocationSettings settings(int scale, long windowMax) {
        return PreallocationSettings.builder()
                .scale(scale)
                .windowMaxBytes(windowMax)
                .build();
    }
}

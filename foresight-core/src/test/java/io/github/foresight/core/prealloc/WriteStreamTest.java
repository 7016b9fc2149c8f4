/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class WriteStreamTest {

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long PACKET = 64 * KIB;
    private static final long BLOCK = 48 * MIB;

    /** The paper's figure 3, with packets for its blocks and a scale of 4. */
    @Example
    void windows_asInFigure3_moveWhenTheSequentialOneIsEntered() {
        WriteStream stream = stream(PreallocationMode.ON_DEMAND, 4);
        // T1: the first write sets up both windows.
        assertThat(write(stream, 0)).isEqualTo(new PreallocationRange(0, 5 * PACKET));
        // T2: the second write is in the sequential window, which becomes the current window; the next is four times as
        // large.
        assertThat(write(stream, 1)).isEqualTo(new PreallocationRange(5 * PACKET, 21 * PACKET));
        // T3: the third write is in the current window: neither trigger.
        assertThat(write(stream, 2)).isNull();
        assertThat(write(stream, 3)).isNull();
        assertThat(write(stream, 4)).isNull();
        // The current window is full; the next write enters the sequential window again.
        assertThat(write(stream, 5)).isEqualTo(new PreallocationRange(21 * PACKET, 85 * PACKET));
        assertThat(stream.misses()).isZero();
    }

    @Example
    void windows_withTheDefaultScale_takeABlockInTwoSteps() {
        WriteStream stream = stream(PreallocationMode.ON_DEMAND, 64);
        assertThat(write(stream, 0)).isEqualTo(new PreallocationRange(0, 65 * PACKET));
        assertThat(write(stream, 1)).isEqualTo(new PreallocationRange(65 * PACKET, BLOCK));
        for (int i = 2; i < BLOCK / PACKET; i++) {
            assertThat(write(stream, i)).isNull();
        }
        assertThat(stream.isFull()).isTrue();
        assertThat(stream.unusedBytes()).isZero();
    }

    @Example
    void write_ofAWriterKnownToGoOn_takesTheBlockAtOnce() {
        PreallocationSettings settings = PreallocationSettings.builder().build();
        WriteStream stream = WriteStream.continuing(settings, 0, BLOCK, settings.windowMaxBytes());
        assertThat(stream.write(0, 512)).isEqualTo(new PreallocationRange(0, BLOCK));
    }

    @Property
    void write_aSmallFileInOneWrite_takesNothing(@ForAll @LongRange(min = 1, max = 32 * KIB - 1) long bytes) {
        PreallocationSettings settings = PreallocationSettings.builder().build();
        for (long firstWindow : new long[] {0, settings.windowMaxBytes()}) {
            WriteStream stream = new WriteStream(settings, 0, BLOCK, firstWindow);
            assertThat(stream.write(0, bytes)).isNull();
            assertThat(stream.unusedBytes()).isZero();
            assertThat(stream.isInitiated()).isFalse();
        }
    }

    @Example
    void write_smallAndThenMore_startsWithTheSecond() {
        WriteStream stream = stream(PreallocationMode.ON_DEMAND, 4);
        assertThat(stream.write(0, 1000)).isNull();
        assertThat(stream.write(1000, 1000)).isEqualTo(new PreallocationRange(0, 8192));
    }

    @Example
    void write_appending_beginsWhereTheReplicaEnds() {
        WriteStream stream =
                new WriteStream(PreallocationSettings.builder().scale(4).build(), 10_000, BLOCK, 0);
        assertThat(stream.write(10_000, PACKET))
                .isEqualTo(new PreallocationRange(10_000, roundUp(10_000 + 5 * PACKET)));
    }

    @Example
    void refused_windowsAreTriedAgainSmaller() {
        WriteStream stream = stream(PreallocationMode.ON_DEMAND, 4);
        assertThat(stream.write(0, PACKET)).isNotNull();
        stream.refused();
        PreallocationRange again = stream.write(PACKET, PACKET);
        assertThat(again).isNotNull();
        assertThat(again.lengthBytes()).isLessThan(5 * PACKET);
        assertThat(again.beginBytes()).isEqualTo(PACKET);
        assertThat(stream.unusedBytes()).isZero();
    }

    @Example
    void taken_lessThanRequested_shrinksTheWindows() {
        WriteStream stream = stream(PreallocationMode.ON_DEMAND, 4);
        assertThat(stream.write(0, PACKET)).isNotNull();
        stream.taken(2 * PACKET);
        assertThat(stream.unusedBytes()).isEqualTo(PACKET);
        assertThat(stream.write(PACKET, PACKET)).isNotNull();
    }

    @Example
    void staticMode_takesTheWholeBlockOnce() {
        WriteStream stream = stream(PreallocationMode.STATIC, 64);
        assertThat(stream.write(0, 1)).isEqualTo(new PreallocationRange(0, BLOCK));
        stream.taken(BLOCK);
        assertThat(stream.write(1, PACKET)).isNull();
        assertThat(stream.unusedBytes()).isEqualTo(BLOCK - PACKET - 1);
    }

    @Property
    void ofChecksums_whateverTheWrites_takesTheWholeFileOnceItOutgrowsAPage(
            @ForAll @Size(min = 1, max = 300) List<@IntRange(min = 1, max = 2048) Integer> writes,
            @ForAll PreallocationMode mode) {
        Assume.that(mode != PreallocationMode.OFF);
        long limit = 7 + BLOCK / 128;
        WriteStream stream = WriteStream.ofChecksums(
                PreallocationSettings.builder().mode(mode).build(), 0, limit);
        long at = 0;
        boolean asked = false;
        for (int bytes : writes) {
            PreallocationRange wanted = stream.write(at, bytes);
            at += bytes;
            if (asked || at <= 4096) {
                assertThat(wanted).isNull();
            } else {
                assertThat(wanted).isEqualTo(new PreallocationRange(0, limit));
                stream.taken(limit);
                asked = true;
            }
        }
    }

    @Example
    void ofChecksums_appending_beginsWhereTheFileEnds() {
        WriteStream stream =
                WriteStream.ofChecksums(PreallocationSettings.builder().build(), 5003, 100_000);
        assertThat(stream.write(4999, 512)).isEqualTo(new PreallocationRange(4999, 100_000));
    }

    @Example
    void offMode_takesNothing() {
        WriteStream stream = stream(PreallocationMode.OFF, 64);
        for (int i = 0; i < 100; i++) {
            assertThat(write(stream, i)).isNull();
        }
    }

    private static PreallocationRange write(WriteStream stream, int packet) {
        PreallocationRange wanted = stream.write(packet * PACKET, PACKET);
        if (wanted != null) {
            stream.taken(wanted.endBytes());
        }
        return wanted;
    }

    private static WriteStream stream(PreallocationMode mode, int scale) {
        return new WriteStream(
                PreallocationSettings.builder().mode(mode).scale(scale).build(), 0, BLOCK, 0);
    }

    private static long roundUp(long bytes) {
        return (bytes + 4095) / 4096 * 4096;
    }
}

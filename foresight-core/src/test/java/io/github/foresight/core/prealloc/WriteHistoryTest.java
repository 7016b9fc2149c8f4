/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class WriteHistoryTest {

    private static final long PACKET = 64 << 10;
    private static final long BLOCK = 1 << 20;
    private static final long LARGE = 1L << 40;
    private static final long SMALL = 512;
    private static final long GRAIN = PreallocationSettings.GRAIN_BYTES;

    /** What follows a first packet where nothing speaks for more. */
    private static final long RAMP = 64 * PACKET;

    private final PreallocationSettings settings =
            PreallocationSettings.builder().writersMax(8).build();

    @Example
    void stream_whereNothingIsKnown_beginsWithTheLargestWindow() {
        assertThat(firstWindow(new WriteHistory(settings))).isEqualTo(settings.windowMaxBytes());
    }

    @Example
    void stream_afterAFullBlock_goesOnWithTheLastWindow() {
        WriteHistory history = disappointed();
        WriteStream before = written(BLOCK);
        history.ended("a", before, BLOCK);
        assertThat(history.stream("a", 0, LARGE).write(0, SMALL))
                .isEqualTo(new Extent(0, before.windowBytes() + GRAIN));
        assertThat(history.stream("b", 0, LARGE).write(0, SMALL)).isNull();
    }

    @Example
    void stream_afterAFilesLastBlock_isOfANewFile() {
        WriteHistory history = disappointed();
        history.ended("a", written(BLOCK), BLOCK);
        history.ended("a", write(history.stream("a", 0, BLOCK), BLOCK / 4), BLOCK);
        assertThat(history.stream("a", 0, LARGE).write(0, SMALL)).isNull();
        assertThat(history.writers()).isZero();
    }

    @Example
    void stream_thatEndsEarly_doesNotForgetWhatAnotherOfItsNameHasReached() {
        WriteHistory history = disappointed();
        WriteStream small = history.stream("a", 0, BLOCK);
        WriteStream large = written(BLOCK);
        history.ended("a", large, BLOCK);
        history.ended("a", write(small, BLOCK / 4), BLOCK);
        WriteStream next = history.stream("a", 0, LARGE);
        assertThat(next.write(0, SMALL)).isEqualTo(new Extent(0, large.windowBytes() + GRAIN));
        WriteStream beside = history.stream("a", 0, LARGE);
        history.ended("a", write(beside, BLOCK / 4), LARGE);
        assertThat(history.stream("a", 0, LARGE).write(0, SMALL)).isNotNull();
    }

    /** Each file's blocks are written one after the other, those of several files beside one another. */
    @Property
    void streams_ofOneName_beginWithNoLessThanUnderNamesOfTheirOwn(
            @ForAll @Size(max = 60) List<@IntRange(max = 23) Integer> steps) {
        WriteHistory shared = disappointed();
        WriteHistory alone = disappointed();
        Map<Integer, WriteStream> openShared = new HashMap<>();
        Map<Integer, WriteStream> openAlone = new HashMap<>();
        for (int step : steps) {
            int file = step % 4;
            // The last of six steps ends the file.
            boolean last = step / 4 == 5;
            WriteStream inShared = openShared.computeIfAbsent(file, unused -> shared.stream("all", 0, BLOCK));
            WriteStream inAlone = openAlone.computeIfAbsent(file, unused -> alone.stream("f" + file, 0, BLOCK));
            write(inShared, last ? BLOCK / 4 : BLOCK);
            write(inAlone, last ? BLOCK / 4 : BLOCK);
            assertThat(inShared.windowBytes()).isGreaterThanOrEqualTo(inAlone.windowBytes());
            shared.ended("all", inShared, BLOCK);
            alone.ended("f" + file, inAlone, BLOCK);
            openShared.remove(file);
            openAlone.remove(file);
            if (!last) {
                openShared.put(file, shared.stream("all", 0, BLOCK));
                openAlone.put(file, alone.stream("f" + file, 0, BLOCK));
            }
        }
    }

    @Example
    void stream_ofANewWriter_followsWhatOthersDid() {
        WriteHistory history = new WriteHistory(settings);
        for (int i = 0; i < 2; i++) {
            history.ended("s" + i, written(BLOCK / 8), BLOCK);
            assertThat(firstWindow(history)).isEqualTo(settings.windowMaxBytes());
        }
        history.ended("s", written(BLOCK / 8), BLOCK);
        assertThat(firstWindow(history)).as("after three in a row").isEqualTo(RAMP);
        int left = WriteHistory.TOP - 3 * WriteHistory.STEP_DOWN;
        for (int i = left; i < WriteHistory.CONFIDENT; i++) {
            assertThat(firstWindow(history)).isEqualTo(RAMP);
            history.ended("w" + i, written(BLOCK), BLOCK);
        }
        assertThat(firstWindow(history)).isEqualTo(settings.windowMaxBytes());
    }

    @Example
    void ended_smallFiles_sayNothing() {
        WriteHistory history = new WriteHistory(settings);
        for (int i = 0; i < 100; i++) {
            WriteStream small = history.stream("s" + i, 0, BLOCK);
            assertThat(small.write(0, 10_000)).isNull();
            history.ended("s" + i, small, BLOCK);
        }
        assertThat(firstWindow(history)).isEqualTo(settings.windowMaxBytes());
    }

    @Property
    void writers_whateverEnds_areBounded(@ForAll @Size(max = 100) List<@IntRange(max = 30) Integer> writers) {
        WriteHistory history = disappointed();
        for (int writer : writers) {
            history.ended("w" + writer, written(BLOCK), BLOCK);
            assertThat(history.writers()).isLessThanOrEqualTo(8);
            assertThat(history.stream("w" + writer, 0, LARGE).write(0, SMALL)).isNotNull();
        }
    }

    private static long firstWindow(WriteHistory history) {
        Extent wanted = history.stream("new", 0, LARGE).write(0, PACKET);
        assertThat(wanted).isNotNull();
        return wanted.endBytes() - PACKET;
    }

    /** As one is after many streams that ended early. */
    private WriteHistory disappointed() {
        WriteHistory history = new WriteHistory(settings);
        for (int i = 0; i < 10; i++) {
            history.ended("early" + i, written(BLOCK / 8), BLOCK);
        }
        return history;
    }

    private WriteStream written(long bytes) {
        return write(new WriteStream(settings, 0, BLOCK, 0), bytes);
    }

    private static WriteStream write(WriteStream stream, long bytes) {
        for (long at = 0; at < bytes; at += PACKET) {
            Extent wanted = stream.write(at, PACKET);
            if (wanted != null) {
                stream.taken(wanted.endBytes());
            }
        }
        return stream;
    }
}

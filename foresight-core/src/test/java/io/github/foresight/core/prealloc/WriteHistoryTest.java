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

    /** The window after a first packet without a history. */
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
                .isEqualTo(new PreallocationRange(0, before.windowBytes() + GRAIN));
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
    void stream_thatEndsEarly_keepsTheWindowOfAnotherOfItsName() {
        WriteHistory history = disappointed();
        WriteStream small = history.stream("a", 0, BLOCK);
        WriteStream large = written(BLOCK);
        history.ended("a", large, BLOCK);
        history.ended("a", write(small, BLOCK / 4), BLOCK);
        WriteStream next = history.stream("a", 0, LARGE);
        assertThat(next.write(0, SMALL)).isEqualTo(new PreallocationRange(0, large.windowBytes() + GRAIN));
        WriteStream beside = history.stream("a", 0, LARGE);
        history.ended("a", write(beside, BLOCK / 4), LARGE);
        assertThat(history.stream("a", 0, LARGE).write(0, SMALL)).isNotNull();
    }

    /** Blocks of four files that one client writes, and of the same files that four clients write. */
    @Property
    void streams_ofOneName_beginWithNoLessThanUnderNamesOfTheirOwn(
            @ForAll @Size(max = 60) List<@IntRange(max = 47) Integer> steps) {
        SameFiles files = new SameFiles();
        for (int step : steps) {
            int file = step % 4;
            int other = step / 4 % 4;
            files.open(file);
            files.open(other);
            if (step / 16 == 0) {
                files.endEarly(file);
            } else {
                files.fill(file);
                // Between two blocks of a file.
                if (step / 16 == 1 && other != file) {
                    files.endEarly(other);
                }
                files.open(file);
            }
        }
    }

    private final class SameFiles {

        private final WriteHistory shared = disappointed();
        private final WriteHistory alone = disappointed();
        private final Map<Integer, WriteStream> inShared = new HashMap<>();
        private final Map<Integer, WriteStream> inAlone = new HashMap<>();

        void open(int file) {
            if (!inShared.containsKey(file)) {
                WriteStream one = shared.stream("all", 0, BLOCK);
                WriteStream other = alone.stream("f" + file, 0, BLOCK);
                inShared.put(file, one);
                inAlone.put(file, other);
                write(one, PACKET);
                write(other, PACKET);
                assertThat(one.windowBytes()).isGreaterThanOrEqualTo(other.windowBytes());
            }
        }

        void fill(int file) {
            end(file, BLOCK);
        }

        void endEarly(int file) {
            end(file, BLOCK / 4);
        }

        private void end(int file, long bytes) {
            WriteStream one = inShared.remove(file);
            WriteStream other = inAlone.remove(file);
            write(one, bytes);
            write(other, bytes);
            shared.ended("all", one, BLOCK);
            alone.ended("f" + file, other, BLOCK);
        }
    }

    @Example
    void stream_ofANewWriter_followsOtherWriters() {
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
        PreallocationRange wanted = history.stream("new", 0, LARGE).write(0, PACKET);
        assertThat(wanted).isNotNull();
        return wanted.endBytes() - PACKET;
    }

    /** A history after many streams that ended early. */
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
        for (long at = stream.writtenBytes(); at < bytes; at += PACKET) {
            PreallocationRange wanted = stream.write(at, PACKET);
            if (wanted != null) {
                stream.taken(wanted.endBytes());
            }
        }
        return stream;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.prealloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class WriteHistoryTest {

    private static final long PACKET = 64 << 10;
    private static final long BLOCK = 1 << 20;

    private final PreallocationSettings settings =
            PreallocationSettings.builder().writersMax(8).build();

    @Example
    void firstWindow_whereNothingIsKnown_isTheLargest() {
        assertThat(new WriteHistory(settings).firstWindowBytes("a")).isEqualTo(settings.windowMaxBytes());
    }

    @Example
    void firstWindow_afterAFullBlock_isTheLastWindow() {
        WriteHistory history = disappointed();
        WriteStream stream = written(BLOCK);
        history.ended("a", stream, BLOCK);
        assertThat(history.firstWindowBytes("a"))
                .isEqualTo(stream.windowBytes())
                .isPositive();
        assertThat(history.firstWindowBytes("b")).isZero();
    }

    @Example
    void firstWindow_afterAFilesLastBlock_isForgotten() {
        WriteHistory history = disappointed();
        history.ended("a", written(BLOCK), BLOCK);
        history.ended("a", written(BLOCK / 4), BLOCK);
        assertThat(history.firstWindowBytes("a")).isZero();
    }

    @Example
    void firstWindow_forNewWriters_followsWhatOthersDid() {
        WriteHistory history = new WriteHistory(settings);
        for (int i = 0; i < 2; i++) {
            history.ended("s" + i, written(BLOCK / 8), BLOCK);
            assertThat(history.firstWindowBytes("new")).isEqualTo(settings.windowMaxBytes());
        }
        history.ended("s", written(BLOCK / 8), BLOCK);
        assertThat(history.firstWindowBytes("new")).as("after three in a row").isZero();
        int left = WriteHistory.TOP - 3 * WriteHistory.STEP_DOWN;
        for (int i = left; i < WriteHistory.CONFIDENT; i++) {
            assertThat(history.firstWindowBytes("new")).isZero();
            history.ended("w" + i, written(BLOCK), BLOCK);
        }
        assertThat(history.firstWindowBytes("new")).isEqualTo(settings.windowMaxBytes());
    }

    @Example
    void ended_smallFiles_sayNothing() {
        WriteHistory history = new WriteHistory(settings);
        for (int i = 0; i < 100; i++) {
            WriteStream small = new WriteStream(settings, 0, BLOCK, 0);
            assertThat(small.write(0, 10_000)).isNull();
            history.ended("s" + i, small, BLOCK);
        }
        assertThat(history.firstWindowBytes("new")).isEqualTo(settings.windowMaxBytes());
    }

    @Property
    void writers_whateverEnds_areBounded(@ForAll @Size(max = 100) List<@IntRange(max = 30) Integer> writers) {
        WriteHistory history = new WriteHistory(settings);
        for (int writer : writers) {
            history.ended("w" + writer, written(BLOCK), BLOCK);
            assertThat(history.writers()).isLessThanOrEqualTo(8);
            assertThat(history.firstWindowBytes("w" + writer)).isPositive();
        }
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
        WriteStream stream = new WriteStream(settings, 0, BLOCK, 0);
        for (long at = 0; at < bytes; at += PACKET) {
            Extent wanted = stream.write(at, PACKET);
            if (wanted != null) {
                stream.taken(wanted.endBytes());
            }
        }
        return stream;
    }
}

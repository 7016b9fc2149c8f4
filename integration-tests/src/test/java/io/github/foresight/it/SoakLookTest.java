/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The soak's check finds a simulated leak, and no other leak. The level and the noise are those of a real DataNode under the soak's load. */
final class SoakLookTest {

    private static final long CACHE = 32 << 20;
    private static final long HEAP = 30 << 20;
    private static final int DESCRIPTORS = 280;
    private static final int MAPPINGS = 420;
    private static final int THREADS = 90;

    /** Returns the number of looks; the soak looks every 5 s. */
    private static int looksIn(int minutes) {
        return minutes * 60 / 5;
    }

    private static List<SoakLook> series(int minutes, IntFunction<SoakLook> leaked) {
        Random random = new Random(1);
        List<SoakLook> looks = new ArrayList<>();
        for (int i = 0; i < looksIn(minutes); i++) {
            SoakLook more = leaked.apply(i);
            looks.add(new SoakLook(
                    HEAP + more.heapBytes() + random.nextInt(8 << 20),
                    DESCRIPTORS + more.descriptors() + random.nextInt(40),
                    MAPPINGS + more.mappings() + random.nextInt(60),
                    THREADS + more.threads() + random.nextInt(20),
                    more.lockedBytes() + random.nextInt((int) CACHE / 2)));
        }
        return looks;
    }

    @ParameterizedTest
    @CsvSource({"3", "30"})
    void busyDaemon_withoutALeak_passes(int minutes) {
        assertThat(SoakLook.leaks(series(minutes, i -> new SoakLook(0, 0, 0, 0, 0)), CACHE))
                .isEmpty();
    }

    /** The smallest detectable leaks in a short run and in a long run, as amounts from look to look. */
    @ParameterizedTest
    @CsvSource({
        "3, heap, 2097152, 0, 0, 0, 0",
        "3, descriptors, 0, 6, 0, 0, 0",
        "3, mappings, 0, 0, 9, 0, 0",
        "3, threads, 0, 0, 0, 3, 0",
        "3, locked memory, 0, 0, 0, 0, 1048576",
        "30, heap, 131072, 0, 0, 0, 0",
        "30, descriptors, 0, 1, 0, 0, 0",
        "30, mappings, 0, 0, 1, 0, 0",
        "30, threads, 0, 0, 0, 1, 0",
        "30, locked memory, 0, 0, 0, 0, 131072"
    })
    void leak_fromLookToLook_isFound(
            int minutes, String what, long heap, long descriptors, long mappings, long threads, long locked) {
        List<SoakLook> looks =
                series(minutes, i -> new SoakLook(i * heap, i * descriptors, i * mappings, i * threads, i * locked));
        assertThat(SoakLook.leaks(looks, CACHE)).isNotEmpty().allMatch(leak -> leak.startsWith(what + ":"));
    }

    @Test
    void severalLeaks_areAllNamed() {
        assertThat(SoakLook.leaks(series(30, i -> new SoakLook(0, i, i, i, 0)), CACHE))
                .hasSize(3);
    }

    @Test
    void lockedMemory_onceAboveWhatMayBeLocked_isFound() {
        List<SoakLook> looks = series(3, i -> new SoakLook(0, 0, 0, 0, i == 7 ? CACHE + (8 << 20) : 0));
        assertThat(SoakLook.leaks(looks, CACHE)).singleElement().asString().startsWith("locked memory: ");
    }

    @Test
    void tooFewLooks_areNoVerdict() {
        SoakLook look = new SoakLook(0, 0, 0, 0, 0);
        assertThatThrownBy(() -> SoakLook.leaks(List.of(look, look), CACHE))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.window.MovingWindow.Move;
import io.github.foresight.core.window.MovingWindow.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Random accesses to small files; compares the window with a set of object numbers. */
class MovingWindowPropertyTest {

    /** The obviously right model, which visits each object. */
    private static final class ObjectSets {
        final WindowSettings settings;
        final long fileBytes;
        int size;
        int sizeByMisses;
        long pivot;
        final List<Long> accessed = new ArrayList<>();
        Set<Long> window = new TreeSet<>();
        final List<Long> told = new ArrayList<>();

        ObjectSets(WindowSettings settings, long fileBytes) {
            this.settings = settings;
            this.fileBytes = fileBytes;
        }

        long pivotOf(long offset) {
            return offset / settings.objectBytes();
        }

        Place placeOf(long offset) {
            if (window.contains(pivotOf(offset))) {
                return Place.INSIDE;
            }
            return told.contains(pivotOf(offset)) ? Place.ON_TRAIL : Place.OUTSIDE;
        }

        /**
         * Whether the accesses, without repetitions, end with all objects from the pivot to the last object, in order.
         */
        boolean isReadInOrder() {
            int last = accessed.size() - 1;
            long distance = accessed.get(last) - pivot;
            for (int back = 0; back <= Math.abs(distance); back++) {
                if (back > last
                        || accessed.get(last - back) != pivot + distance - (long) Long.signum(distance) * back) {
                    return false;
                }
            }
            return distance != 0;
        }

        void move(long offset) {
            long at = pivotOf(offset);
            if (accessed.isEmpty() || accessed.get(accessed.size() - 1) != at) {
                accessed.add(at);
            }
            if (placeOf(offset) == Place.ON_TRAIL) {
                return;
            }
            if (placeOf(offset) == Place.INSIDE) {
                boolean near = 3 * Math.abs(at - pivot) <= size - 1;
                if (near) {
                    return;
                }
                if (isReadInOrder()) {
                    size = Math.min(settings.mostObjects(), 2 * size);
                }
            } else {
                sizeByMisses = Math.min(settings.mostObjects(), Math.max(settings.firstObjects(), 2 * sizeByMisses));
                size = sizeByMisses;
            }
            pivot = at;
            Set<Long> before = window;
            window = new TreeSet<>();
            long low = at;
            long high = at;
            for (int left = size - 1; left > 0; left--) {
                boolean behind = settings.kind() == WindowKind.FORWARD || high - at <= at - low;
                if (behind) {
                    high++;
                } else {
                    low--;
                }
            }
            for (long object = low; object <= high; object++) {
                if (object >= 0 && object * settings.objectBytes() < fileBytes) {
                    window.add(object);
                }
            }
            for (Long object : window) {
                if (!before.contains(object)) {
                    told.remove(object);
                    told.add(object);
                }
            }
            while (told.size() > settings.trailObjects()) {
                told.remove(0);
            }
        }
    }

    private static Set<Long> objectsOf(List<Extent> extents, long objectBytes) {
        Set<Long> objects = new TreeSet<>();
        for (Extent extent : extents) {
            for (long at = extent.begin(); at < extent.end(); at += objectBytes) {
                objects.add(at / objectBytes);
            }
        }
        return objects;
    }

    @Property
    void window_anyAccesses_isTheSetOfObjectsByDefinition(
            @ForAll WindowKind kind,
            @ForAll @IntRange(min = 1, max = 7) int objectBytes,
            @ForAll @IntRange(min = 1, max = 4) int first,
            @ForAll @IntRange(min = 0, max = 20) int more,
            @ForAll @IntRange(min = 0, max = 30) int trail,
            @ForAll @LongRange(min = 1, max = 400) long fileBytes,
            @ForAll @Size(min = 1, max = 60) List<@LongRange(min = 0, max = 1000) Long> reads) {
        WindowSettings settings = new WindowSettings(kind, objectBytes, first, first + more, trail);
        MovingWindow window = new MovingWindow(settings, fileBytes);
        ObjectSets reference = new ObjectSets(settings, fileBytes);
        Extent before = Extent.EMPTY;
        for (long read : reads) {
            // A third of the reads continue from the last read, upwards or downwards, so that there are sequences.
            long offset = clamp(nextRead(read, reference, objectBytes), fileBytes);
            Place place = reference.placeOf(offset);
            assertThat(window.placeOf(offset)).isEqualTo(place);
            Set<Long> objectsBefore = reference.window;
            reference.move(offset);

            Move move = window.accessed(offset);

            assertThat(move.place()).isEqualTo(place);
            assertThat(move.window().contains(offset)).isEqualTo(place != Place.ON_TRAIL);
            assertThat(move.window().begin() % objectBytes).isZero();
            assertThat(move.window().end()).isLessThanOrEqualTo(fileBytes);
            assertThat(objectsOf(List.of(move.window()), objectBytes))
                    .isEqualTo(reference.window)
                    .hasSizeLessThanOrEqualTo(settings.mostObjects());
            Set<Long> added = new TreeSet<>(reference.window);
            added.removeAll(objectsBefore);
            assertThat(objectsOf(move.added(), objectBytes)).isEqualTo(added);
            assertThat(move.addedObjects()).isEqualTo(added.size());
            assertMerged(move.added());
            for (Extent extent : move.added()) {
                assertThat(extent.intersect(before).isEmpty()).isTrue();
            }
            assertThat(window.size()).isEqualTo(reference.size);
            before = move.window();
        }
    }

    private static long nextRead(long read, ObjectSets reference, int objectBytes) {
        boolean goesOn = read % 3 != 0 && !reference.accessed.isEmpty();
        if (!goesOn) {
            return read;
        }
        long last = reference.accessed.get(reference.accessed.size() - 1);
        return (last + (read % 15 == 1 ? -1 : 1)) * objectBytes;
    }

    private static long clamp(long offset, long fileBytes) {
        return offset < 0 || offset >= fileBytes ? Math.floorMod(offset, fileBytes) : offset;
    }

    /**
     * A reader that never accesses two adjacent objects in a row has the paper's window: as wide as accesses outside
     * have made it.
     */
    @Property
    void window_noTwoObjectsInARow_isAsWideAsThePaperSays(
            @ForAll WindowKind kind,
            @ForAll @IntRange(min = 1, max = 4) int first,
            @ForAll @IntRange(min = 0, max = 40) int more,
            @ForAll @Size(min = 1, max = 60) List<@LongRange(min = 0, max = 799) Long> objects) {
        int most = first + more;
        MovingWindow window = new MovingWindow(new WindowSettings(kind, 1, first, most, 0), 800);
        int width = 0;
        long last = -10;
        for (long object : objects) {
            if (Math.abs(object - last) == 1) {
                continue;
            }
            last = object;
            Move move = window.accessed(object);
            if (move.place() == Place.OUTSIDE) {
                width = width == 0 ? first : Math.min(2 * width, most);
            }
            assertThat(window.size()).isEqualTo(width);
        }
    }

    /**
     * A sequential reader, with steps of any size and from any object, requests slightly more than it reads. With the
     * widest window it sends one request for a third of the window.
     */
    @Property
    void window_readerGoesOnInOrder_asksSeldomAndForLittleInVain(
            @ForAll @IntRange(min = 1, max = 60) int most,
            @ForAll @IntRange(min = 1, max = 4) int readsPerObject,
            @ForAll @LongRange(min = 0, max = 400) long begin,
            @ForAll @IntRange(min = 1, max = 400) int objects) {
        MovingWindow window = new MovingWindow(
                new WindowSettings(WindowKind.WING, readsPerObject, 1, most, 0), 800L * readsPerObject);
        int requests = 0;
        int misses = 0;
        long added = 0;
        for (long read = begin * readsPerObject; read < (begin + objects) * readsPerObject; read++) {
            Move move = window.accessed(read);
            requests += move.added().isEmpty() ? 0 : 1;
            misses += move.place() == Place.OUTSIDE ? 1 : 0;
            added += move.addedObjects();
        }
        int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(most);
        int stride = (most - 1) / 3 + 1;
        assertThat(misses).isLessThanOrEqualTo(most == 1 ? objects : 2);
        assertThat(requests).isLessThanOrEqualTo(2 + doublings + objects / stride);
        assertThat(added).isLessThanOrEqualTo(objects + most);
    }

    /** Ascending, none empty, none adjacent to the next, because adjacent objects are one request. */
    private static void assertMerged(List<Extent> extents) {
        long end = -1;
        for (Extent extent : extents) {
            assertThat(extent.isEmpty()).isFalse();
            assertThat(extent.begin()).isGreaterThan(end);
            end = extent.end();
        }
    }

    @Property
    void extents_minusAndIntersect_partition(
            @ForAll @LongRange(min = 0, max = 30) long a,
            @ForAll @LongRange(min = 0, max = 30) long b,
            @ForAll @LongRange(min = 0, max = 30) long c,
            @ForAll @LongRange(min = 0, max = 30) long d) {
        Extent one = Extent.of(Math.min(a, b), Math.max(a, b));
        Extent other = Extent.of(Math.min(c, d), Math.max(c, d));
        List<Extent> rest = one.minus(other);
        assertMerged(rest);
        for (long at = 0; at <= 30; at++) {
            long offset = at;
            boolean left = rest.stream().anyMatch(extent -> extent.contains(offset));
            assertThat(left).isEqualTo(one.contains(at) && !other.contains(at));
            assertThat(one.intersect(other).contains(at)).isEqualTo(one.contains(at) && other.contains(at));
        }
    }
}

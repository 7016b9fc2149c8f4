/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Files that a client is expected to open, for a client that cannot say what became of its predictions: all its opens are seen, so a file
 * that it opens was predicted rightly, and one that so many others were expected after was not.
 *
 * <p>Constant time; memory is bounded by the number given. Not thread-safe.
 *
 * @param <P> where a file was made ready
 */
public final class Expectations<P> {

    private static final class Expected<P> {
        final int confidenceClass;
        final P place;

        Expected(int confidenceClass, P place) {
            this.confidenceClass = confidenceClass;
            this.place = place;
        }
    }

    private final int most;
    private final Map<Long, Expected<P>> files = new LinkedHashMap<>();

    /**
     * Expects nothing yet.
     *
     * @param most how many files are expected at once, at least 1; the oldest expectation is given up for a new one
     */
    public Expectations(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most must be at least 1: " + most);
        }
        this.most = most;
    }

    public boolean isExpected(long file) {
        return files.containsKey(file);
    }

    /** A file is expected from now on, which was not before. */
    public void expect(long file, int confidenceClass, P place, Usefulness judge) {
        files.put(file, new Expected<>(confidenceClass, place));
        if (files.size() > most) {
            Iterator<Expected<P>> oldest = files.values().iterator();
            judge.wasted(oldest.next().confidenceClass);
            oldest.remove();
        }
    }

    /**
     * The client opens a file.
     *
     * @return where it was made ready, or null if it was not expected
     */
    public @Nullable P opened(long file, Usefulness judge) {
        Expected<P> expected = files.remove(file);
        if (expected == null) {
            return null;
        }
        judge.used(expected.confidenceClass);
        return expected.place;
    }
}

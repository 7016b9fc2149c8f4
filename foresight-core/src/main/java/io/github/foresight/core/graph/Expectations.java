/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.graph;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Files that one client is expected to open. They serve a stock client, which cannot report the outcome of its
 * predictions. The NameNode sees all opens of such a client. An expected file that the client opens counts as used. An
 * expected file that must give way to newer expectations counts as wasted.
 *
 * <p>Constant time; memory is bounded by the constructor's limit. Not thread-safe.
 *
 * @param <P> the place where a file was prepared, such as a DataNode
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
     * Makes an empty set of expectations.
     *
     * @param most the most expected files, at least 1; the oldest expectation gives way to a new one
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

    /** Adds a file that is not yet expected. */
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
     * @return the place where the file was prepared, or null if the file was not expected
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * The versions of files, and the versions that a reader may see at each time. A version is a number, which is the file's content again and again; an append writes the
 * same number more times. Each path has one writer. Thread-safe.
 */
final class FileVersions {

    /** The version of a path without a file. */
    static final long NONE = 0;

    /** What {@link #in} returns for bytes of several versions, or of none. */
    static final long MIXED = -1;

    private final AtomicLong last = new AtomicLong();

    /** The versions of each path, by the time of their beginning in nanoseconds. */
    private final Map<Path, ConcurrentSkipListMap<Long, Long>> history = new ConcurrentHashMap<>();

    /** The versions that may be seen at each path. */
    private final Map<Path, Set<Long>> seenAt = new ConcurrentHashMap<>();

    /** The version of each path whose change has begun and is not yet done. */
    private final Map<Path, Long> pending = new ConcurrentHashMap<>();

    long next() {
        return last.incrementAndGet();
    }

    static void write(OutputStream out, long version, int numbers) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(numbers * Long.BYTES);
        while (buffer.hasRemaining()) {
            buffer.putLong(version);
        }
        out.write(buffer.array());
    }

    /** Returns the version of bytes, {@link #NONE} for less than one number, or {@link #MIXED}. */
    static long in(ByteBuffer bytes) {
        long version = NONE;
        while (bytes.remaining() >= Long.BYTES) {
            long next = bytes.getLong();
            if (next == NONE || (version != NONE && next != version)) {
                return MIXED;
            }
            version = next;
        }
        return version;
    }

    private ConcurrentSkipListMap<Long, Long> historyOf(Path path) {
        return history.computeIfAbsent(path, unused -> new ConcurrentSkipListMap<>());
    }

    long current(Path path) {
        Map.Entry<Long, Long> entry = historyOf(path).lastEntry();
        return entry == null ? NONE : entry.getValue();
    }

    /** Notes that a version may be seen at a path from now on. */
    void begins(Path path, long version) {
        pending.put(path, version);
        seenAt.computeIfAbsent(path, unused -> ConcurrentHashMap.newKeySet()).add(version);
    }

    /** Notes that the change to a version is done. */
    void becomes(Path path, long version) {
        begins(path, version);
        historyOf(path).put(System.nanoTime(), version);
        pending.remove(path);
    }

    /** Returns the contradiction between the history of a path and the version that a reader saw there, or null.
     *
     * @param openedAt the time of the reader's open, nanoseconds */
    @Nullable
    String contradiction(Path path, long version, long openedAt) {
        if (!seenAt.getOrDefault(path, Set.of()).contains(version)) {
            return "version " + version + " was never at " + path;
        }
        if (pending.getOrDefault(path, NONE) == version) {
            return null;
        }
        Long began = null;
        for (Map.Entry<Long, Long> entry : historyOf(path).entrySet()) {
            if (entry.getValue() == version) {
                began = entry.getKey();
            }
        }
        Map.Entry<Long, Long> replaced = began == null ? null : historyOf(path).higherEntry(began);
        if (replaced == null || openedAt - replaced.getKey() <= 0) {
            return null;
        }
        return "version " + version + " of " + path + " was opened "
                + TimeUnit.NANOSECONDS.toMicros(openedAt - replaced.getKey()) + " us after it had been replaced";
    }
}

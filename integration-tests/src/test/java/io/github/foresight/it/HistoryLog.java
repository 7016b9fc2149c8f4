/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A log file of one client's operations: a line before each operation and a line after it. A line is in the kernel when a method returns, so the
 * lines of a killed client are kept. Times are {@link System#nanoTime}, which all processes of a machine share on Linux. Thread-safe.
 */
final class HistoryLog implements Closeable {

    /** A kind of operation. A kind that changes a value is a write to a register. */
    enum Kind {
        /** An open; its value is the file's length, or 0 if it shows no version. */
        OPEN,
        /** A file's content is read from a stream; the value is the file's length at the open. */
        CONTENT,
        /** A new version is written to another path and renamed over the file. */
        REPLACE,
        /** A new version is written in place. */
        CREATE,
        /** A new version is the previous version with more bytes. */
        APPEND,
        DELETE,
        RENAME_AWAY,
        SET_PERMISSION,
        /** A directory is renamed away; the path is the directory's. */
        DIRECTORY_AWAY,
        /** A directory is renamed back. */
        DIRECTORY_BACK;

        boolean isWrite() {
            return this == REPLACE || this == CREATE || this == APPEND || this == DELETE || this == RENAME_AWAY;
        }

        boolean isChange() {
            return this != OPEN && this != CONTENT;
        }
    }

    static final String DONE = "OK";

    /** The end time of an operation without a known end. */
    static final long NEVER = Long.MAX_VALUE;

    /**
     * One operation.
     *
     * @param client the log's name
     * @param value the version, negative for an absence
     * @param base the version that was appended to; 0 if no version was
     * @param outcome {@link #DONE}, an exception's name, or empty if the end is missing
     */
    record Operation(
            String client,
            Kind kind,
            String path,
            long invoked,
            long responded,
            long value,
            long base,
            long checksum,
            String outcome) {

        boolean isDone() {
            return outcome.equals(DONE);
        }
    }

    private final OutputStream out;
    private final AtomicLong lastId = new AtomicLong();

    HistoryLog(Path file) throws IOException {
        this.out = new FileOutputStream(file.toFile());
    }

    private void line(Object... words) {
        StringBuilder line = new StringBuilder(96);
        for (Object word : words) {
            line.append(word).append(' ');
        }
        line.setCharAt(line.length() - 1, '\n');
        try {
            out.write(line.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Logs that an operation begins, and returns the operation's id. */
    long begin(Kind kind, String path, long value) {
        long id = lastId.incrementAndGet();
        line("B", id, System.nanoTime(), kind, path, value);
        return id;
    }

    /** Logs the version to which an append adds its bytes. */
    void appends(long id, long base, long value) {
        line("M", id, base, value);
    }

    void end(long id, String outcome, long value, long checksum) {
        line("E", id, System.nanoTime(), outcome, value, checksum);
    }

    /** Logs the numbers of opens so far: from a cached layout, and by a call to the NameNode. */
    void counters(long hits, long misses) {
        line("C", hits, misses);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** Returns the operations of a log, in the order of their beginnings. */
    static List<Operation> read(Path file) throws IOException {
        String client = file.getFileName().toString();
        Map<String, String[]> ends = new HashMap<>();
        Map<String, String[]> bases = new HashMap<>();
        List<String[]> begins = new ArrayList<>();
        for (String[] words : lines(file)) {
            switch (words[0]) {
                case "B" -> begins.add(words);
                case "M" -> bases.put(words[1], words);
                case "E" -> ends.put(words[1], words);
                default -> {}
            }
        }
        List<Operation> operations = new ArrayList<>(begins.size());
        for (String[] begin : begins) {
            String[] end = ends.get(begin[1]);
            String[] base = bases.get(begin[1]);
            Kind kind = Kind.valueOf(begin[3]);
            long value = Long.parseLong(begin[5]);
            if (base != null) {
                value = Long.parseLong(base[3]);
            } else if (end != null && kind == Kind.OPEN) {
                value = Long.parseLong(end[4]);
            }
            operations.add(new Operation(
                    client,
                    kind,
                    begin[4].intern(),
                    Long.parseLong(begin[2]),
                    end == null ? NEVER : Long.parseLong(end[2]),
                    value,
                    base == null ? 0 : Long.parseLong(base[2]),
                    end == null ? 0 : Long.parseLong(end[5]),
                    end == null ? "" : end[3].intern()));
        }
        return operations;
    }

    /** Returns the last counters of a log: opens from a cached layout, opens at the NameNode. */
    static long[] readCounters(Path file) throws IOException {
        long[] last = {0, 0};
        for (String[] words : lines(file)) {
            if (words[0].equals("C")) {
                last = new long[] {Long.parseLong(words[1]), Long.parseLong(words[2])};
            }
        }
        return last;
    }

    /** Returns the fields of each line. The last line of a killed client may be incomplete. */
    private static List<String[]> lines(Path file) throws IOException {
        String text = Files.readString(file);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(line -> line.split(" ", -1))
                .toList();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.simulator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * Reads traces: a line for each access, {@code micros client operation path} and perhaps more, parted by tabs; or a bare key.
 * A name that ends in {@code .gz} is unpacked.
 */
final class TraceReader {

    private static final int PATH_COLUMN = 3;

    private TraceReader() {}

    /**
     * Reads a trace.
     *
     * @param operations the operations to read, or all if empty; lines of bare keys always count
     * @throws IOException if the file cannot be read, or naming the first line that is neither form
     */
    static Trace read(Path file, Set<String> operations) throws IOException {
        Trace trace = new Trace();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(open(file), StandardCharsets.ISO_8859_1))) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                add(trace, file, number, line, operations);
            }
        }
        return trace;
    }

    private static InputStream open(Path file) throws IOException {
        InputStream in = Files.newInputStream(file);
        try {
            return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static void add(Trace trace, Path file, int number, String line, Set<String> operations)
            throws IOException {
        List<String> columns = Arrays.asList(line.split("\t", -1));
        if (columns.size() == 1) {
            trace.add(0, "", line.trim());
        } else if (columns.size() > PATH_COLUMN) {
            if (operations.isEmpty() || operations.contains(columns.get(2))) {
                trace.add(micros(file, number, columns.get(0)), columns.get(1), columns.get(PATH_COLUMN));
            }
        } else {
            throw new IOException(
                    file + " line " + number + " has " + columns.size()
                            + " columns; accepted are one (a key) or at least four (micros, client, operation, path), parted by tabs");
        }
    }

    private static long micros(Path file, int number, String column) throws IOException {
        try {
            return Long.parseLong(column);
        } catch (NumberFormatException e) {
            throw new IOException(
                    file + " line " + number + " begins with '" + column + "'; accepted is a time in microseconds", e);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Path;

/** Reports as JSON files. */
public final class JsonReport {

    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private JsonReport() {}

    public static void write(BenchReport report, Path file) throws IOException {
        MAPPER.writeValue(file.toFile(), report);
    }

    /** Reads a file that {@link #write} has written. */
    public static BenchReport read(Path file) throws IOException {
        return MAPPER.readValue(file.toFile(), BenchReport.class);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.foresight.benchmarks.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** In how many pieces blocks came to lie, by how they were preallocated; in the manner of MiF's Table I. Not thread-safe. */
final class ExtentsReport {

    private static final String ROW = "  %-5s %-11s %7s %-7s %-10s %9s %5s %8s %-18s %7s%s%n";
    private static final String READ = " %8s %-18s %10s";
    private static final String OFF = "off";

    /** What one mode did in one situation, once. Immutable. */
    static final class Result {
        final Situation situation;
        final String mode;
        final Extents extents;
        final double writeSeconds;
        final double cpuSeconds;
        final List<Reading> readings;

        /**
         * One run.
         *
         * @param readings with each read-ahead, the same ones in the same order in all results of a report
         */
        Result(
                Situation situation,
                String mode,
                Extents extents,
                double writeSeconds,
                double cpuSeconds,
                List<Reading> readings) {
            this.situation = situation;
            this.mode = mode;
            this.extents = extents;
            this.writeSeconds = writeSeconds;
            this.cpuSeconds = cpuSeconds;
            this.readings = List.copyOf(readings);
        }

        double piecesPerBlock() {
            return (double) extents.sum / extents.blocks;
        }

        @Override
        public String toString() {
            return String.format(
                            Locale.ROOT,
                            "%s, %s: %.2f pieces per block, at most %d; written in %.1f s, %.1f s of the DataNode's CPU",
                            situation,
                            mode,
                            piecesPerBlock(),
                            extents.max,
                            writeSeconds,
                            cpuSeconds)
                    + readings.stream().map(reading -> "; " + reading).collect(Collectors.joining());
        }
    }

    /** All blocks read once, cold. Immutable. */
    static final class Reading {
        final int readAheadKib;
        final double seconds;
        final long requests;

        Reading(int readAheadKib, double seconds, long requests) {
            this.readAheadKib = readAheadKib;
            this.seconds = seconds;
            this.requests = requests;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "read with %d KiB ahead in %.1f s by %d disk reads", readAheadKib, seconds, requests);
        }
    }

    /** Where and how blocks are written. Immutable. */
    static final class Situation {
        final String fileSystem;
        final String age;
        final int streams;
        final String sync;

        Situation(String fileSystem, String age, int streams, String sync) {
            this.fileSystem = fileSystem;
            this.age = age;
            this.streams = streams;
            this.sync = sync;
        }

        @Override
        public String toString() {
            return age + " " + fileSystem + ", " + streams + " streams, " + sync;
        }
    }

    /** Pieces of a set of blocks. Immutable. */
    static final class Extents {
        final int blocks;
        final int sum;
        final int max;

        Extents(int blocks, int sum, int max) {
            this.blocks = blocks;
            this.sum = sum;
            this.max = max;
        }
    }

    /** What one mode did in one situation, all rounds, beside what stock HDFS did in the same rounds. */
    static final class Row {
        final Situation situation;
        final String mode;
        private final List<Result> own;
        private final List<Result> off;

        private Row(List<Result> own, List<Result> off) {
            this.situation = own.get(0).situation;
            this.mode = own.get(0).mode;
            this.own = own;
            this.off = off.size() == own.size() ? off : own;
        }

        double extentsPerBlock() {
            return median(Result::piecesPerBlock);
        }

        int extentsMax() {
            return own.stream().mapToInt(result -> result.extents.max).max().orElse(0);
        }

        double median(ToDoubleFunction<Result> figure) {
            return Spread.of(own.stream().map(figure::applyAsDouble).collect(Collectors.toList()))
                    .median();
        }

        /** Off's time over this one's, round by round. */
        Spread ratio(ToDoubleFunction<Result> seconds) {
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < own.size(); round++) {
                ratios.add(seconds.applyAsDouble(off.get(round)) / seconds.applyAsDouble(own.get(round)));
            }
            return Spread.of(ratios);
        }

        Spread writeRatio() {
            return ratio(result -> result.writeSeconds);
        }

        Spread readRatio(int reading) {
            return ratio(result -> result.readings.get(reading).seconds);
        }

        List<Reading> readings() {
            return own.get(0).readings;
        }
    }

    private final String hadoopVersion;
    private final long blockBytes;
    private final long bytesPerStream;
    private final Map<String, List<Result>> results = new LinkedHashMap<>();

    ExtentsReport(String hadoopVersion, long blockBytes, long bytesPerStream) {
        this.hadoopVersion = hadoopVersion;
        this.blockBytes = blockBytes;
        this.bytesPerStream = bytesPerStream;
    }

    void add(Result result) {
        results.computeIfAbsent(key(result.situation, result.mode), unused -> new ArrayList<>())
                .add(result);
    }

    private static String key(Situation situation, String mode) {
        return situation + ", " + mode;
    }

    /** A row for each situation and mode, in the order in which they came first. */
    List<Row> rows() {
        Collection<List<Result>> all = results.values();
        return all.stream()
                .map(own -> new Row(own, results.getOrDefault(key(own.get(0).situation, OFF), own)))
                .collect(Collectors.toList());
    }

    /** The table for people; rates are multiples of stock HDFS's, which is the row "off". */
    String table() {
        StringBuilder table = new StringBuilder(format(
                "%n  Blocks of %d MiB, %d MiB a stream, writes of 64 KiB, Hadoop %s. \"off\" is stock HDFS; write and read are"
                        + " its time%n  over each row's in the same round: medians, and in brackets the lowest and highest.%n%n",
                blockBytes >> 20, bytesPerStream >> 20, hadoopVersion));
        List<Row> rows = rows();
        StringBuilder reads = new StringBuilder();
        if (!rows.isEmpty()) {
            rows.get(0)
                    .readings()
                    .forEach(reading ->
                            reads.append(format(READ, "read s", "read " + reading.readAheadKib + "K", "disk reads")));
        }
        table.append(format(
                ROW, "fs", "age", "streams", "sync", "mode", "ext/block", "max", "write s", "write", "CPU s", reads));
        rows.forEach(row -> table.append(line(row)));
        return table.toString();
    }

    private static String line(Row row) {
        StringBuilder reads = new StringBuilder();
        for (int i = 0; i < row.readings().size(); i++) {
            int reading = i;
            reads.append(format(
                    READ,
                    format("%.1f", row.median(result -> result.readings.get(reading).seconds)),
                    format(row.readRatio(reading)),
                    format("%.0f", row.median(result -> result.readings.get(reading).requests))));
        }
        return format(
                ROW,
                row.situation.fileSystem,
                row.situation.age,
                row.situation.streams,
                row.situation.sync,
                row.mode,
                format("%.2f", row.extentsPerBlock()),
                row.extentsMax(),
                format("%.1f", row.median(result -> result.writeSeconds)),
                format(row.writeRatio()),
                format("%.1f", row.median(result -> result.cpuSeconds)),
                reads);
    }

    private static String format(Spread ratio) {
        return format("%.2f (%.2f-%.2f)", ratio.median(), ratio.min(), ratio.max());
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** Medians, a line for each row, with a heading. */
    String csv() {
        StringBuilder csv =
                new StringBuilder("fs,age,streams,sync,mode,rounds,extents_per_block,extents_max,write_seconds,"
                        + "write_ratio,cpu_seconds");
        List<Row> rows = rows();
        if (!rows.isEmpty()) {
            rows.get(0)
                    .readings()
                    .forEach(reading -> csv.append(
                            format(",read_seconds_%1$dk,read_ratio_%1$dk,disk_reads_%1$dk", reading.readAheadKib)));
        }
        csv.append('\n');
        for (Row row : rows) {
            csv.append(format(
                    "%s,%s,%d,%s,%s,%d,%.3f,%d,%.2f,%.3f,%.2f",
                    row.situation.fileSystem,
                    row.situation.age,
                    row.situation.streams,
                    row.situation.sync,
                    row.mode,
                    row.own.size(),
                    row.extentsPerBlock(),
                    row.extentsMax(),
                    row.median(result -> result.writeSeconds),
                    row.writeRatio().median(),
                    row.median(result -> result.cpuSeconds)));
            for (int i = 0; i < row.readings().size(); i++) {
                int reading = i;
                csv.append(format(
                        ",%.2f,%.3f,%.0f",
                        row.median(result -> result.readings.get(reading).seconds),
                        row.readRatio(reading).median(),
                        row.median(result -> result.readings.get(reading).requests)));
            }
            csv.append('\n');
        }
        return csv.toString();
    }

    void writeJson(Path file) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode()
                .put("hadoopVersion", hadoopVersion)
                .put("blockBytes", blockBytes)
                .put("bytesPerStream", bytesPerStream);
        ArrayNode all = root.putArray("results");
        results.values().forEach(rounds -> rounds.forEach(result -> describe(all.addObject(), result)));
        mapper.writeValue(file.toFile(), root);
    }

    private static void describe(ObjectNode node, Result result) {
        node.put("fileSystem", result.situation.fileSystem)
                .put("age", result.situation.age)
                .put("streams", result.situation.streams)
                .put("sync", result.situation.sync)
                .put("mode", result.mode)
                .put("blocks", result.extents.blocks)
                .put("extents", result.extents.sum)
                .put("extentsMax", result.extents.max)
                .put("writeSeconds", result.writeSeconds)
                .put("cpuSeconds", result.cpuSeconds);
        ArrayNode readings = node.putArray("readings");
        for (Reading reading : result.readings) {
            readings.addObject()
                    .put("readAheadKib", reading.readAheadKib)
                    .put("seconds", reading.seconds)
                    .put("requests", reading.requests);
        }
    }
}

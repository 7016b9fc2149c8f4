/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import io.github.foresight.cluster.Daemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A daemon's resources at one time, and the check whether a series of looks shows a leak. The check compares the median of the last third of the
 * looks with the median of the first third. Sizes are in bytes.
 */
record SoakLook(long heapBytes, long descriptors, long mappings, long threads, long lockedBytes) {

    /** A figure that must not grow. The allowance covers the load's variation from look to look. */
    private record Figure(String name, ToLongFunction<SoakLook> of, long allowance) {}

    static SoakLook at(Daemon daemon) throws IOException, InterruptedException {
        // The heap is measured after a collection, because garbage does not matter.
        Process collection = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(daemon.pid()),
                        "GC.run")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        collection.waitFor();
        Path process = Path.of("/proc", String.valueOf(daemon.pid()));
        long descriptors;
        try (Stream<Path> all = Files.list(process.resolve("fd"))) {
            descriptors = all.count();
        }
        long mappings;
        try (Stream<String> all = Files.lines(process.resolve("maps"))) {
            mappings = all.count();
        }
        long threads;
        try (Stream<Path> all = Files.list(process.resolve("task"))) {
            threads = all.count();
        }
        long heap = daemon.bean("java.lang:type=MemoryPool,name=Tenured Gen")
                .path("CollectionUsage")
                .path("used")
                .asLong();
        return new SoakLook(heap, descriptors, mappings, threads, daemon.lockedBytes());
    }

    /**
     * Describes the leaks; empty if there are none.
     *
     * @param looks the looks at one daemon, in order of time
     * @param cacheBytes the largest number of bytes that the daemon may lock
     * @throws IllegalArgumentException if there are fewer than three looks
     */
    static List<String> leaks(List<SoakLook> looks, long cacheBytes) {
        if (looks.size() < 3) {
            throw new IllegalArgumentException("a leak shows from three looks on; there are " + looks.size());
        }
        List<String> leaks = new ArrayList<>();
        for (Figure figure : List.of(
                new Figure("heap", SoakLook::heapBytes, 16 << 20),
                new Figure("descriptors", SoakLook::descriptors, 48),
                new Figure("mappings", SoakLook::mappings, 96),
                new Figure("threads", SoakLook::threads, 32),
                new Figure("locked memory", SoakLook::lockedBytes, cacheBytes / 2))) {
            int third = looks.size() / 3;
            long first = median(looks.subList(0, third), figure.of);
            long last = median(looks.subList(looks.size() - third, looks.size()), figure.of);
            // A fifth is allowed for tables that fill slowly.
            if (last > first + first / 5 + figure.allowance) {
                leaks.add(figure.name + ": the median was " + first + " at first and " + last + " at last");
            }
        }
        long most = looks.stream().mapToLong(SoakLook::lockedBytes).max().orElse(0);
        if (most > cacheBytes + (4 << 20)) {
            leaks.add("locked memory: " + most + " bytes once, where " + cacheBytes + " may be locked");
        }
        return leaks;
    }

    private static long median(List<SoakLook> looks, ToLongFunction<SoakLook> figure) {
        long[] sorted = looks.stream().mapToLong(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}

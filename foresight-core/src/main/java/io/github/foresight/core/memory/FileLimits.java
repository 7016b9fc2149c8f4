/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.memory;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The most open descriptors of a process ({@code RLIMIT_NOFILE}) and its most mappings ({@code vm.max_map_count}), as
 * Linux reports them in {@code /proc}. Immutable and thread-safe.
 */
public final class FileLimits {

    /** Linux's usual soft limit; used if {@code /proc} cannot be read. */
    private static final long USUAL_DESCRIPTORS = 1024;

    /** Linux's default; used if {@code /proc} cannot be read. */
    private static final long USUAL_MAPPINGS = 65_530;

    private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files\\s+(\\d+|unlimited)\\s");
    private static final Pattern COUNT = Pattern.compile("^(\\d+)\\s*$");

    private final long descriptors;
    private final long mappings;

    private FileLimits(long descriptors, long mappings) {
        this.descriptors = descriptors;
        this.mappings = mappings;
    }

    /**
     * The limits of the process that reads the files.
     *
     * @param files maps a file's path to its text, or to an empty string if the file cannot be read
     */
    public static FileLimits read(UnaryOperator<String> files) {
        return new FileLimits(
                number(OPEN_FILES, files.apply("/proc/self/limits"), USUAL_DESCRIPTORS),
                number(COUNT, files.apply("/proc/sys/vm/max_map_count"), USUAL_MAPPINGS));
    }

    private static long number(Pattern pattern, String text, long otherwise) {
        Matcher found = pattern.matcher(text);
        return found.find() ? ControlGroups.bytes(found.group(1)) : otherwise;
    }

    /** The most open descriptors of the process. */
    public long descriptors() {
        return descriptors;
    }

    /** The most mappings of the process; a mapping with a locked part counts as more than one. */
    public long mappings() {
        return mappings;
    }

    /** A part of a limit, rounded down. */
    public static long share(double share, long limit) {
        return (long) Math.floor(share * limit);
    }
}

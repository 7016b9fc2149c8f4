/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.report;

import java.lang.management.ManagementFactory;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a report. Immutable.
 *
 * @param command as it was typed
 * @param settings the value of each option
 * @param date in UTC, by ISO 8601; null where it is not known
 */
public record Header(
        String command,
        Map<String, String> settings,
        @Nullable String date,
        Software software,
        @Nullable Machine machine) {

    public Header {
        settings = Ordered.copyOf(settings);
    }

    /**
     * Versions; null where they are not known.
     *
     * @param commit of the source tree, with {@code -dirty} where files were changed since; the version where there is no source tree
     */
    public record Software(
            @Nullable String commit,
            @Nullable String foresight,
            @Nullable String hadoop,
            @Nullable String jdk) {

        /** The versions in a line for people. */
        String words() {
            return "Foresight " + known(foresight) + " (commit " + known(commit) + "), Hadoop " + known(hadoop)
                    + ", JDK " + known(jdk);
        }
    }

    /** The machine and the date in a line for people. */
    String machineAndDate() {
        return (machine == null ? "machine not known" : machine.words()) + ", date " + known(date);
    }

    private static String known(@Nullable String value) {
        return value == null ? "not known" : value;
    }

    /**
     * The computer that ran all processes.
     *
     * @param os the operating system, with the version of its kernel
     */
    public record Machine(String os, int cpus, long memoryBytes) {

        /** The computer that runs this JVM. */
        public static Machine here() {
            com.sun.management.OperatingSystemMXBean system =
                    ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
            return new Machine(
                    system.getName() + " " + system.getVersion() + ", " + system.getArch(),
                    system.getAvailableProcessors(),
                    system.getTotalMemorySize());
        }

        String words() {
            return os + ", " + cpus + " CPUs, " + (memoryBytes >> 20) + " MiB";
        }
    }
}

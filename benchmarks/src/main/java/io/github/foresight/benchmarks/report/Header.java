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
     * @param commit of the source tree, with {@code -dirty} where files were changed since
     */
    public record Software(
            @Nullable String commit,
            @Nullable String foresight,
            @Nullable String hadoop,
            @Nullable String jdk) {}

    /** The computer that ran all processes. */
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
    }
}

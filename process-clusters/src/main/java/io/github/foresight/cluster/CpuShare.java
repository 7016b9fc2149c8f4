/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Limits the processor time of one daemon, with a control group.
 *
 * <p>Works as root with cgroup v1 ({@code cpu.cfs_quota_us}) or v2 ({@code cpu.max}). Elsewhere it does not limit, and {@link
 * #unavailableReason()} gives the reason. Not thread-safe.
 */
public final class CpuLimit implements Closeable {

    private static final Path V1 = Path.of("/sys/fs/cgroup/cpu");
    private static final Path V2 = Path.of("/sys/fs/cgroup");

    /** Short, so that a process that has used its share waits for a few milliseconds only. */
    private static final int PERIOD_MICROS = 10_000;

    /** No limit. */
    public static final CpuLimit NONE = new CpuLimit(null, null);

    /** The smallest limit that the kernel takes with the period of this class. */
    public static final int PERCENT_MIN = 10;

    private final @Nullable Path group;
    private final @Nullable String unavailableReason;

    private CpuLimit(@Nullable Path group, @Nullable String unavailableReason) {
        this.group = group;
        this.unavailableReason = unavailableReason;
    }

    /**
     * Limits a running daemon.
     *
     * @param percent of one processor, at least {@value #PERCENT_MIN}
     */
    public static CpuLimit of(Daemon daemon, int percent) {
        if (percent < PERCENT_MIN) {
            throw new IllegalArgumentException(
                    "percent is " + percent + "; accepted is a number from " + PERCENT_MIN + " on");
        }
        try {
            return new CpuLimit(limited(daemon.pid(), (long) PERIOD_MICROS * percent / 100), null);
        } catch (IOException e) {
            return new CpuLimit(null, "no control group for processor time can be written here (root is needed): " + e);
        }
    }

    private static Path limited(long pid, long quotaMicros) throws IOException {
        boolean unified = Files.exists(V2.resolve("cgroup.controllers"));
        if (unified) {
            Files.writeString(V2.resolve("cgroup.subtree_control"), "+cpu", StandardOpenOption.WRITE);
        }
        Path group = Files.createDirectory((unified ? V2 : V1).resolve("foresight-cpu-" + pid));
        try {
            if (unified) {
                write(group.resolve("cpu.max"), quotaMicros + " " + PERIOD_MICROS);
            } else {
                write(group.resolve("cpu.cfs_period_us"), String.valueOf(PERIOD_MICROS));
                write(group.resolve("cpu.cfs_quota_us"), String.valueOf(quotaMicros));
            }
            write(group.resolve(ControlGroup.MEMBERS), String.valueOf(pid));
            return group;
        } catch (IOException e) {
            ControlGroup.remove(group);
            throw e;
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.WRITE);
    }

    /** The reason why the daemon is not limited as asked, or null. */
    public @Nullable String unavailableReason() {
        return unavailableReason;
    }

    /** Removes the group; the daemon must have ended. */
    @Override
    public void close() throws IOException {
        if (group != null) {
            ControlGroup.remove(group);
        }
    }
}

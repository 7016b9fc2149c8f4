/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The share of the processors that one process gets, by a control group of its own.
 *
 * <p>The process comes before all processes without such a group, as if it were alone on its machine. Its processor time may be limited.
 * Works as root with cgroup v1 ({@code cpu.shares}, {@code cpu.cfs_quota_us}) or v2 ({@code cpu.weight}, {@code cpu.max}). Elsewhere it does
 * nothing, and {@link #unavailableReason()} gives the reason. Not thread-safe.
 */
public final class CpuShare implements Closeable {

    private static final Path V1 = Path.of("/sys/fs/cgroup/cpu");
    private static final Path V2 = Path.of("/sys/fs/cgroup");

    /** The largest weights that the kernel takes. A process without a group has 1024 and 100. */
    private static final int V1_SHARES_MAX = 262_144;

    private static final int V2_WEIGHT_MAX = 10_000;

    /** Short, so that a process that has used its share waits for a few milliseconds only. */
    private static final int PERIOD_MICROS = 10_000;

    private static final long UNLIMITED = -1;

    /** No group. */
    public static final CpuShare NONE = new CpuShare(null, null);

    /** The smallest limit that the kernel takes with the period of this class. */
    public static final int PERCENT_MIN = 10;

    private final @Nullable Path group;
    private final @Nullable String unavailableReason;

    private CpuShare(@Nullable Path group, @Nullable String unavailableReason) {
        this.group = group;
        this.unavailableReason = unavailableReason;
    }

    /** Puts a running process before all processes without a group. */
    public static CpuShare first(long pid) {
        return grouped(pid, UNLIMITED);
    }

    /**
     * Puts a running process before all processes without a group, and limits it.
     *
     * @param percent of one processor, at least {@value #PERCENT_MIN}
     */
    public static CpuShare limited(long pid, int percent) {
        if (percent < PERCENT_MIN) {
            throw new IllegalArgumentException(
                    "percent is " + percent + "; accepted is a number from " + PERCENT_MIN + " on");
        }
        return grouped(pid, (long) PERIOD_MICROS * percent / 100);
    }

    private static CpuShare grouped(long pid, long quotaMicros) {
        try {
            return new CpuShare(group(pid, quotaMicros), null);
        } catch (IOException e) {
            return new CpuShare(null, "no control group for processor time can be written here (root is needed): " + e);
        }
    }

    private static Path group(long pid, long quotaMicros) throws IOException {
        boolean unified = Files.exists(V2.resolve("cgroup.controllers"));
        if (unified) {
            write(V2.resolve("cgroup.subtree_control"), "+cpu");
        }
        Path group = Files.createDirectory((unified ? V2 : V1).resolve("foresight-cpu-" + pid));
        try {
            if (unified) {
                write(group.resolve("cpu.weight"), String.valueOf(V2_WEIGHT_MAX));
                write(group.resolve("cpu.max"), (quotaMicros == UNLIMITED ? "max" : quotaMicros) + " " + PERIOD_MICROS);
            } else {
                write(group.resolve("cpu.shares"), String.valueOf(V1_SHARES_MAX));
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

    /** The reason why the process has no group, or null. */
    public @Nullable String unavailableReason() {
        return unavailableReason;
    }

    /** Removes the group; the process must have ended. */
    @Override
    public void close() throws IOException {
        if (group != null) {
            ControlGroup.remove(group);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Gives each DataNode a disk of its own speed, and counts what it reads there, by a control group per DataNode.
 *
 * <p>Works as root with cgroup v1 ({@code blkio}) or v2 ({@code io.max}); elsewhere nothing is limited or counted, and {@link
 * #unavailableReason()} says why. Not thread-safe.
 */
public final class DiskThrottle implements Closeable {

    private static final Path V1 = Path.of("/sys/fs/cgroup/blkio");
    private static final Path V2 = Path.of("/sys/fs/cgroup");
    private static final Path BLOCK_DEVICES = Path.of("/sys/dev/block");
    private static final int REMOVE_ATTEMPTS = 50;
    private static final long REMOVE_PAUSE_NANOS = 20_000_000;

    private final @Nullable String unavailableReason;
    private final boolean unified;
    private final String device;
    private final long bytesPerSecond;
    private final int readsPerSecond;
    private final List<Path> groups = new ArrayList<>();

    private DiskThrottle(
            @Nullable String unavailableReason,
            boolean unified,
            String device,
            long bytesPerSecond,
            int readsPerSecond) {
        this.unavailableReason = unavailableReason;
        this.unified = unified;
        this.device = device;
        this.bytesPerSecond = bytesPerSecond;
        this.readsPerSecond = readsPerSecond;
    }

    /**
     * A throttle for processes with data under a directory.
     *
     * @param bytesPerSecond reads per DataNode; 0 for as fast as the disk is
     */
    public static DiskThrottle forDataIn(Path directory, long bytesPerSecond) {
        return forDataIn(directory, bytesPerSecond, 0);
    }

    /**
     * A throttle for processes with data under a directory, as a disk whose head has to move is slow.
     *
     * @param bytesPerSecond reads per DataNode; 0 for as fast as the disk is
     * @param readsPerSecond read requests per DataNode; 0 for as many as the disk takes
     */
    public static DiskThrottle forDataIn(Path directory, long bytesPerSecond, int readsPerSecond) {
        try {
            String device = wholeDisk(directory);
            if (Files.isWritable(V1) && Files.exists(V1.resolve("blkio.throttle.read_bps_device"))) {
                return new DiskThrottle(null, false, device, bytesPerSecond, readsPerSecond);
            }
            if (Files.exists(V2.resolve("cgroup.controllers"))
                    && Files.readString(V2.resolve("cgroup.controllers")).contains("io")
                    && Files.isWritable(V2.resolve("cgroup.subtree_control"))) {
                Files.writeString(V2.resolve("cgroup.subtree_control"), "+io", StandardOpenOption.WRITE);
                return new DiskThrottle(null, true, device, bytesPerSecond, readsPerSecond);
            }
            return none("no control group for disk I/O can be written here (root is needed)");
        } catch (IOException e) {
            return none(e.toString());
        }
    }

    private static DiskThrottle none(String reason) {
        return new DiskThrottle(reason, false, "", 0, 0);
    }

    /** Why disks are neither limited nor counted, in words, or null where they are. */
    public @Nullable String unavailableReason() {
        return unavailableReason;
    }

    /** What runs before a DataNode's command so that all its threads are in its group from the first on. */
    List<String> launchPrefix(int node, String name) throws IOException {
        if (unavailableReason != null) {
            return List.of();
        }
        while (groups.size() <= node) {
            groups.add(create(name + "-" + groups.size()));
        }
        return List.of("sh", "-c", "echo $$ > '" + groups.get(node).resolve("cgroup.procs") + "' && exec \"$@\"", "sh");
    }

    /** What a DataNode has read from its disk since its group was made. */
    public DiskReads reads(int node) throws IOException {
        if (unavailableReason != null || node >= groups.size()) {
            return new DiskReads(0, 0);
        }
        Path group = groups.get(node);
        return unified
                ? new DiskReads(unifiedCount(group, "rios="), unifiedCount(group, "rbytes="))
                : new DiskReads(
                        count(group.resolve("blkio.throttle.io_serviced")),
                        count(group.resolve("blkio.throttle.io_service_bytes")));
    }

    /** The control groups in use, one for each DataNode; empty where there are none. */
    public List<Path> groups() {
        return List.copyOf(groups);
    }

    /** Removes the groups; their processes must have ended. */
    @Override
    public void close() throws IOException {
        for (Path group : groups) {
            remove(group);
        }
        groups.clear();
    }

    /** The kernel lets go of a group only a moment after its last process was waited for. */
    private static void remove(Path group) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (IOException e) {
                if (attempt == REMOVE_ATTEMPTS) {
                    throw e;
                }
                LockSupport.parkNanos(REMOVE_PAUSE_NANOS);
            }
        }
    }

    private Path create(String name) throws IOException {
        Path group = Files.createDirectories((unified ? V2 : V1).resolve(name));
        limit(group, "rbps=", "blkio.throttle.read_bps_device", bytesPerSecond);
        limit(group, "riops=", "blkio.throttle.read_iops_device", readsPerSecond);
        return group;
    }

    private void limit(Path group, String field, String file, long most) throws IOException {
        if (most > 0) {
            Path limit = group.resolve(unified ? "io.max" : file);
            Files.writeString(limit, device + ' ' + (unified ? field : "") + most, StandardOpenOption.WRITE);
        }
    }

    private long count(Path file) throws IOException {
        return count(Files.readAllLines(file), device);
    }

    /** The reads of a device in a blkio counter file: {@code 254:0 Read 17}. */
    static long count(List<String> lines, String device) {
        for (String line : lines) {
            if (line.startsWith(device + " Read ")) {
                return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        return 0;
    }

    private long unifiedCount(Path group, String field) throws IOException {
        return unifiedCount(Files.readAllLines(group.resolve("io.stat")), device, field);
    }

    /** A field of a device in {@code io.stat}: {@code 254:0 rbytes=4096 wbytes=0 rios=1 ...}. */
    static long unifiedCount(List<String> lines, String device, String field) {
        for (String line : lines) {
            if (line.startsWith(device + " ")) {
                for (String part : line.split(" ", -1)) {
                    if (part.startsWith(field)) {
                        return Long.parseLong(part.substring(field.length()));
                    }
                }
            }
        }
        return 0;
    }

    /**
     * The disk under a directory as {@code major:minor}; of a partition, the disk that it is on.
     *
     * <p>By the device number of the directory, or, for file systems that have none of a disk's (btrfs, overlay), by the device
     * that is mounted there.
     */
    private static String wholeDisk(Path directory) throws IOException {
        Path block = BLOCK_DEVICES.resolve(deviceNumber((Long) Files.getAttribute(directory, "unix:dev")));
        if (!Files.exists(block)) {
            FileStore store = Files.getFileStore(directory);
            Path mounted = Path.of(store.name());
            if (!mounted.isAbsolute() || !Files.exists(mounted)) {
                throw new IOException(directory + " is on " + store + ", which is not a disk of its own");
            }
            block = BLOCK_DEVICES.resolve(
                    deviceNumber(((Number) Files.getAttribute(mounted, "unix:rdev")).longValue()));
        }
        Path real = block.toRealPath();
        Path disk = Files.exists(real.resolve("partition")) ? real.resolveSibling("dev") : real.resolve("dev");
        return Files.readString(disk).trim();
    }

    /** A device number as Linux and glibc encode it, as {@code major:minor}. */
    static String deviceNumber(long dev) {
        long major = ((dev >>> 8) & 0xfff) | ((dev >>> 32) & ~0xfffL);
        long minor = (dev & 0xff) | ((dev >>> 12) & ~0xffL & 0xffffffffL);
        return major + ":" + minor;
    }
}

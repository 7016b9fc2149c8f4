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
import org.jspecify.annotations.Nullable;

/**
 * Limits the speed of each DataNode's disk, and counts the reads from it, with a control group for each DataNode.
 *
 * <p>Works as root with cgroup v1 ({@code blkio}) or v2 ({@code io.max}). Elsewhere it neither limits nor counts, and {@link
 * #unavailableReason()} gives the reason. Not thread-safe.
 */
public final class DiskThrottle implements Closeable {

    private static final Path V1 = Path.of("/sys/fs/cgroup/blkio");
    private static final Path V2 = Path.of("/sys/fs/cgroup");
    private static final Path BLOCK_DEVICES = Path.of("/sys/dev/block");

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
     * A throttle for processes with data under a directory that also limits requests, like the head of a spinning disk.
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

    /** The reason why disks are neither limited nor counted, or null where they are. */
    public @Nullable String unavailableReason() {
        return unavailableReason;
    }

    /** The prefix of a DataNode's command that puts all its threads into its group. */
    List<String> launchPrefix(int node, String name) throws IOException {
        if (unavailableReason != null) {
            return List.of();
        }
        while (groups.size() <= node) {
            groups.add(create(name + "-" + groups.size()));
        }
        return List.of(
                "sh", "-c", "echo $$ > '" + groups.get(node).resolve(ControlGroup.MEMBERS) + "' && exec \"$@\"", "sh");
    }

    /**
     * Changes the limits of a DataNode that runs.
     *
     * @param bytesPerSecond of reads; 0 for as fast as the disk is
     * @param readsPerSecond read requests; 0 for as many as the disk takes
     */
    public void limit(int node, long bytesPerSecond, int readsPerSecond) throws IOException {
        if (unavailableReason == null) {
            limit(groups.get(node), bytesPerSecond, readsPerSecond);
        }
    }

    /** The reads of a DataNode from its disk since its group exists. */
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
            ControlGroup.remove(group);
        }
        groups.clear();
    }

    private Path create(String name) throws IOException {
        Path group = Files.createDirectories((unified ? V2 : V1).resolve(name));
        limit(group, bytesPerSecond, readsPerSecond);
        return group;
    }

    private void limit(Path group, long bytesPerSecond, int readsPerSecond) throws IOException {
        limit(group, "rbps=", "blkio.throttle.read_bps_device", bytesPerSecond);
        limit(group, "riops=", "blkio.throttle.read_iops_device", readsPerSecond);
    }

    private void limit(Path group, String field, String file, long most) throws IOException {
        Path limit = group.resolve(unified ? "io.max" : file);
        String number = unified && most == 0 ? "max" : String.valueOf(most);
        Files.writeString(limit, device + ' ' + (unified ? field : "") + number, StandardOpenOption.WRITE);
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
     * The disk under a directory as {@code major:minor}; for a partition, its disk.
     *
     * <p>The directory has the device number of the disk. On file systems with device numbers of their own (btrfs, overlay), the mounted device
     * has it.
     */
    static String wholeDisk(Path directory) throws IOException {
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

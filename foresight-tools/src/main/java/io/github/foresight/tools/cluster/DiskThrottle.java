/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.tools.cluster;

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
 * Gives each DataNode a disk of its own speed, and counts what it reads there, by a control group per DataNode.
 *
 * <p>Works as root with cgroup v1 ({@code blkio}) or v2 ({@code io.max}); elsewhere nothing is limited or counted, and {@link
 * #unavailableReason()} says why. Not thread-safe.
 */
public final class DiskThrottle implements Closeable {

    private static final Path V1 = Path.of("/sys/fs/cgroup/blkio");
    private static final Path V2 = Path.of("/sys/fs/cgroup");

    private final @Nullable String unavailableReason;
    private final boolean unified;
    private final String device;
    private final long bytesPerSecond;
    private final List<Path> groups = new ArrayList<>();

    private DiskThrottle(@Nullable String unavailableReason, boolean unified, String device, long bytesPerSecond) {
        this.unavailableReason = unavailableReason;
        this.unified = unified;
        this.device = device;
        this.bytesPerSecond = bytesPerSecond;
    }

    /**
     * A throttle for processes with data under a directory.
     *
     * @param bytesPerSecond reads per DataNode; 0 for as fast as the disk is
     */
    public static DiskThrottle forDataIn(Path directory, long bytesPerSecond) {
        try {
            String device = wholeDisk(directory);
            if (Files.isWritable(V1) && Files.exists(V1.resolve("blkio.throttle.read_bps_device"))) {
                return new DiskThrottle(null, false, device, bytesPerSecond);
            }
            if (Files.exists(V2.resolve("cgroup.controllers"))
                    && Files.readString(V2.resolve("cgroup.controllers")).contains("io")
                    && Files.isWritable(V2.resolve("cgroup.subtree_control"))) {
                Files.writeString(V2.resolve("cgroup.subtree_control"), "+io", StandardOpenOption.WRITE);
                return new DiskThrottle(null, true, device, bytesPerSecond);
            }
            return none("no control group for disk I/O can be written here (root is needed)");
        } catch (IOException e) {
            return none(e.toString());
        }
    }

    private static DiskThrottle none(String reason) {
        return new DiskThrottle(reason, false, "", 0);
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

    /** Removes the groups; their processes must have ended. */
    @Override
    public void close() throws IOException {
        for (Path group : groups) {
            Files.deleteIfExists(group);
        }
        groups.clear();
    }

    private Path create(String name) throws IOException {
        Path group = Files.createDirectories((unified ? V2 : V1).resolve(name));
        if (bytesPerSecond > 0) {
            Path limit = group.resolve(unified ? "io.max" : "blkio.throttle.read_bps_device");
            Files.writeString(limit, device + (unified ? " rbps=" : " ") + bytesPerSecond, StandardOpenOption.WRITE);
        }
        return group;
    }

    private long count(Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(device + " Read ")) {
                return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        return 0;
    }

    private long unifiedCount(Path group, String field) throws IOException {
        for (String line : Files.readAllLines(group.resolve("io.stat"))) {
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

    /** The disk under a directory as {@code major:minor}; of a partition, the disk that it is on. */
    private static String wholeDisk(Path directory) throws IOException {
        FileStore store = Files.getFileStore(directory);
        Path device = Path.of(store.name());
        if (!Files.exists(device)) {
            throw new IOException(directory + " is on " + store + ", which is not a disk of its own");
        }
        Path block = Path.of("/sys/class/block")
                .resolve(device.toRealPath().getFileName())
                .toRealPath();
        Path disk =
                Files.exists(block.resolve("partition")) ? block.resolve("..").normalize() : block;
        return Files.readString(disk.resolve("dev")).trim();
    }
}

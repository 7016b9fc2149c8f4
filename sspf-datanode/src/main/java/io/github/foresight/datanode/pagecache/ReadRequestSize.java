/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.pagecache;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How large the requests should be that make a file's device read ahead.
 *
 * <p>Where the device's read-ahead window is {@value #AMPLE_BYTES} bytes or more the kernel makes requests as large as one
 * could wish by itself, and none are needed. Elsewhere {@code readahead} asks for more than the window; the kernel silently
 * cuts such a request to the device's largest I/O, so a larger one would leave holes and a smaller one would cost more disk
 * accesses. Both are read from sysfs once per device.
 *
 * <p>The kernel's own read-ahead knows no end but the file's. Where only a part of a file is wanted it must not read ahead, so requests are
 * needed on each device. Thread-safe.
 */
final class ReadRequestSize {

    /** The kernel is to be left alone. */
    static final int NONE = 0;

    private static final int AMPLE_BYTES = 1 << 20;
    private static final int SMALLEST_BYTES = 128 << 10;
    private static final ConcurrentMap<Long, Device> BY_DEVICE = new ConcurrentHashMap<>();

    private ReadRequestSize() {}

    /** The size for a file that is read to its end, bytes; or {@link #NONE}. */
    static int ofFile(Path file) {
        Device device = device(file);
        return device.isAmple ? NONE : device.requestBytes;
    }

    /** The size for a part of a file, bytes. */
    static int ofPart(Path file) {
        return device(file).requestBytes;
    }

    /** A block device's read-ahead window and largest request. Immutable. */
    private static final class Device {
        /** Of a device that does not show its own: Linux's default window. */
        static final Device UNKNOWN = new Device(false, SMALLEST_BYTES);

        final boolean isAmple;
        final int requestBytes;

        Device(boolean isAmple, int requestBytes) {
            this.isAmple = isAmple;
            this.requestBytes = requestBytes;
        }
    }

    private static Device device(Path file) {
        try {
            long device = (Long) Files.getAttribute(file, "unix:dev");
            return BY_DEVICE.computeIfAbsent(device, ReadRequestSize::ofDevice);
        } catch (IOException | UnsupportedOperationException | ClassCastException e) {
            return Device.UNKNOWN;
        }
    }

    private static Device ofDevice(long device) {
        long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
        long minor = (device & 0xff) | ((device >>> 12) & ~0xffL);
        Path block = Paths.get("/sys/dev/block/" + major + ":" + minor);
        long window = number(block, "read_ahead_kb") << 10;
        long largest = number(block, "max_sectors_kb") << 10;
        return new Device(window >= AMPLE_BYTES, (int) Math.max(SMALLEST_BYTES, Math.min(AMPLE_BYTES, largest)));
    }

    /** A partition's queue is its disk's, one level up; 0 where there is no such setting. */
    private static long number(Path block, String setting) {
        for (String queue : new String[] {"queue", "../queue"}) {
            Optional<Long> value = read(block, queue + "/" + setting);
            if (value.isPresent()) {
                return value.get();
            }
        }
        return 0;
    }

    private static Optional<Long> read(Path block, String file) {
        try {
            Path path = block.toRealPath().resolve(file).normalize();
            return Optional.of(Long.parseLong(new String(Files.readAllBytes(path), StandardCharsets.US_ASCII).trim()));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A file system in a sparse file, mounted with a loop device; needs root. It is unmounted and deleted when it is closed, or at the end of the
 * JVM.
 */
public final class LoopDisk implements Closeable {

    private static final int AGED_PERCENT = 80;
    private static final int FULL_PERCENT = 98;
    private static final int FILES_AT_ONCE = 64;
    private static final int AGED_FILE_MIN_BYTES = 64 << 10;
    private static final int CHURN_ROUNDS = 3;
    private static final long FAILED_BYTES = 1 << 20;

    /** The files that age a disk. */
    public enum Churn {
        /** Files of 64 KiB to 4 MiB, all sizes equally often. */
        SMALL_FILES {
            @Override
            int bytes(Random random) {
                return AGED_FILE_MIN_BYTES + random.nextInt((4 << 20) - AGED_FILE_MIN_BYTES);
            }
        },
        /** Files like a DataNode's blocks, of 64 KiB to 64 MiB, each power of two equally often. */
        BLOCKS {
            @Override
            int bytes(Random random) {
                return (int) (AGED_FILE_MIN_BYTES * Math.pow(2, 10 * random.nextDouble()));
            }
        };

        abstract int bytes(Random random);
    }

    private final Path image;
    private final Path mount;
    private final String fileSystem;
    private final long bytes;
    private final AtExit.CleanUp closer = this::closeAtExit;

    private LoopDisk(Path image, Path mount, String fileSystem, long bytes) {
        this.image = image;
        this.mount = mount;
        this.fileSystem = fileSystem;
        this.bytes = bytes;
    }

    /**
     * Makes and mounts a disk.
     *
     * @param fileSystem as in {@code mkfs.<fileSystem>}: ext4 or xfs
     * @throws IOException if this machine does not allow it
     */
    public static LoopDisk create(Path directory, String fileSystem, long bytes, int readAheadKib)
            throws IOException, InterruptedException {
        Path image = directory.resolve(fileSystem + ".img");
        Path mount = Files.createDirectories(directory.resolve(fileSystem));
        LoopDisk disk = new LoopDisk(image, mount, fileSystem, bytes);
        disk.resize(bytes);
        disk.format(image);
        // With discard, deleted blocks become holes in the image, and each run writes to the same kind of image.
        run("mount", "-o", "loop,discard", image.toString(), mount.toString());
        try {
            AtExit.ofJvm().add(disk.closer);
            disk.readAhead(readAheadKib);
            return disk;
        } catch (IOException | RuntimeException e) {
            disk.close();
            throw e;
        }
    }

    private void resize(long to) throws IOException, InterruptedException {
        run("truncate", "-s", String.valueOf(to), image.toString());
    }

    private void format(Path device) throws IOException, InterruptedException {
        if (fileSystem.equals("ext4")) {
            run("mkfs.ext4", "-q", "-F", "-i", "65536", "-E", "lazy_itable_init=0", device.toString());
        } else {
            run("mkfs." + fileSystem, "-q", "-f", device.toString());
        }
    }

    /** From now on all reads and writes fail, apart from those of the first MiB and of pages in memory. The data is lost. */
    public void fail() throws IOException, InterruptedException {
        resize(FAILED_BYTES);
        run("losetup", "--set-capacity", device().toString());
    }

    /**
     * Puts an empty disk of the same size in the place of a failed one: the same device, with a new file system.
     *
     * @throws IOException among others if a process still has files of the disk open
     */
    public void replace() throws IOException, InterruptedException {
        Path device = device();
        // The kernel frees the loop device when nobody has it open any more.
        FileChannel held = FileChannel.open(device);
        try {
            run("umount", mount.toString());
            resize(bytes);
            run("losetup", "--set-capacity", device.toString());
            format(device);
            run("mount", "-o", "discard", device.toString(), mount.toString());
        } finally {
            held.close();
        }
    }

    private Path device() throws IOException {
        return Path.of(Files.getFileStore(mount).name());
    }

    /** Sets the kernel's read-ahead for this disk. */
    public void readAhead(int kib) throws IOException {
        long device = (Long) Files.getAttribute(mount, "unix:dev");
        Path queue = Path.of("/sys/dev/block", DiskThrottle.deviceNumber(device), "queue", "read_ahead_kb");
        Files.writeString(queue, String.valueOf(kib), StandardOpenOption.WRITE);
    }

    /** The directory of its mount. */
    public Path mount() {
        return mount;
    }

    /**
     * Fragments the free space of the disk. Three times it fills the disk and deletes a random half of the files. Then it fills the disk, and
     * deletes random files until the disk is 80 % full. The same disk always ages in the same way.
     */
    public void age(Churn churn) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(mount.resolve("aged"));
        Random random = new Random(1);
        List<Path> files = new ArrayList<>();
        int next = 0;
        for (int round = 0; round <= CHURN_ROUNDS; round++) {
            if (round > 0) {
                Collections.shuffle(files, random);
                delete(files, files.size() / 2);
            }
            while (usedPercent() < FULL_PERCENT) {
                List<String> command = new ArrayList<>(List.of("sh", "-c", ""));
                StringBuilder batch = new StringBuilder();
                for (int i = 0; i < FILES_AT_ONCE; i++) {
                    Path file = folder.resolve("f" + next++);
                    batch.append("fallocate -l ")
                            .append(churn.bytes(random))
                            .append(' ')
                            .append(file)
                            .append(" || exit 1\n");
                    files.add(file);
                }
                command.set(2, batch.toString());
                run(command.toArray(new String[0]));
            }
        }
        Collections.shuffle(files, random);
        while (usedPercent() > AGED_PERCENT) {
            delete(files, FILES_AT_ONCE / 4);
        }
        run("sync");
    }

    private double usedPercent() {
        return 100 - 100.0 * mount.toFile().getUsableSpace() / mount.toFile().getTotalSpace();
    }

    private static void delete(List<Path> files, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Files.delete(files.remove(files.size() - 1));
        }
    }

    /** Gives the space of deleted files back to the image. */
    public void trim() throws IOException, InterruptedException {
        run("fstrim", mount.toString());
    }

    @Override
    public void close() throws IOException {
        AtExit.ofJvm().remove(closer);
        if (Files.exists(image)) {
            unmount();
        }
    }

    /** Unmounts lazily. Daemons that end at the same time may have open files, and the kernel frees the disk after the last. */
    private void closeAtExit() throws IOException {
        unmount("-l");
    }

    private void unmount(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("umount"));
        command.addAll(List.of(options));
        command.add(mount.toString());
        try {
            run(command.toArray(new String[0]));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(image);
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            String said = output.trim();
            throw new IOException(String.join(" ", command).lines().findFirst().orElse("") + " failed: " + said);
        }
    }
}

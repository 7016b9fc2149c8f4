/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.packs;

import io.github.foresight.core.pack.Pack;
import io.github.foresight.core.pack.PackEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The pack of one folder of blocks. HDFS passes over its name: it looks only at {@code blk_} and {@code subdir} there.
 *
 * <p>Nothing is synced: the {@code .meta} files hold all checksums that a power failure takes. One thread writes; any number read.
 */
final class PackFile {

    static final String NAME = "foresight.pack";
    private static final String NEW_NAME = NAME + ".new";

    private final Path path;

    private PackFile(Path path) {
        this.path = path;
    }

    static PackFile in(Path folder) {
        return new PackFile(folder.resolve(NAME));
    }

    /**
     * Reads the pack; empty where there is none.
     *
     * @param mostBytes the most that it may have; more is not one of ours, or of other settings, and counts as none
     */
    Pack read(int mostBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size > mostBytes) {
                return Pack.EMPTY;
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) size);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // until all is there, or the file has become shorter
            }
            return Pack.read(buffer.array());
        } catch (NoSuchFileException e) {
            return Pack.EMPTY;
        }
    }

    /** Adds entries behind the file's known entries, over any bytes that stand there; writes all if the file is shorter. */
    Pack append(Pack known, List<PackEntry> added) throws IOException {
        Pack all = known.with(added);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (channel.size() >= known.wholeBytes()) {
                if (channel.size() > known.wholeBytes()) {
                    channel.truncate(known.wholeBytes());
                }
                write(channel, known.append(added), known.wholeBytes());
                return all;
            }
        }
        return replace(all);
    }

    /** Writes the pack anew, in one step for whoever reads it. */
    Pack replace(Pack pack) throws IOException {
        Path fresh = path.resolveSibling(NEW_NAME);
        byte[] bytes = pack.toBytes();
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            write(channel, bytes, 0);
        }
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return Pack.read(bytes);
    }

    private static void write(FileChannel channel, byte[] bytes, long at) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer, at + buffer.position());
        }
    }

    /** Deletes the packs of a folder, if there are any. */
    static void deleteIn(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
        Files.deleteIfExists(folder.resolve(NEW_NAME));
    }

    @Override
    public String toString() {
        return path.toString();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.space;

import com.sun.jna.LastErrorException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file whose space on disk is managed, beside whoever writes its content. Its length and content never change here.
 *
 * <p>The space beyond the file's end is freed by punching a hole there. xfs does this without flushing data. ext4 does nothing, so the file
 * is then cut to its own length; xfs would first flush the whole file for such a cut. Neither reports its effect, so the file's space is
 * looked at after each.
 *
 * <p>Thread-safe as far as the kernel is; {@link #close()} and {@link #freeTail} must not overlap with other calls, and nobody may write to
 * the file nor cut it while {@link #freeTail} runs.
 */
public final class SpaceFile implements Closeable {

    /** The blocks that a file may hold beyond its length without having a tail: a cluster of its file system, and what maps it. */
    static final long SLACK_BYTES = 128 << 10;

    private static final long BEYOND_ANY_BLOCK_BYTES = 1L << 40;
    private static final int ENOENT = 2;
    private static final int ENOSPC = 28;
    private static final int EDQUOT = 122;
    private static final int EOPNOTSUPP = 95;
    private static final int ENOSYS = 38;

    private final Path path;
    private final int fd;
    private boolean closed;

    private SpaceFile(Path path, int fd) {
        this.path = path;
        this.fd = fd;
    }

    /** Why space cannot be managed in this process, in words, or null where it can. */
    public static @Nullable String unavailableReason() {
        return SpaceCalls.unavailableReason();
    }

    /** Opens an existing file. */
    public static SpaceFile open(Path path) throws IOException {
        try {
            return new SpaceFile(path, SpaceCalls.open(path.toString(), SpaceCalls.O_WRONLY | SpaceCalls.O_CLOEXEC));
        } catch (LastErrorException e) {
            throw failure("open", path, e);
        }
    }

    /**
     * Takes space without changing the file's length; where a part is taken already, the rest.
     *
     * @throws NoSpaceException if the disk or a quota is full
     * @throws UnsupportedException if the file system cannot
     * @throws IOException if the disk fails
     */
    public void take(long offsetBytes, long lengthBytes) throws IOException {
        try {
            SpaceCalls.fallocate(fd, SpaceCalls.FALLOC_FL_KEEP_SIZE, offsetBytes, lengthBytes);
        } catch (LastErrorException e) {
            throw failure("fallocate", path, e);
        }
    }

    /** Whether the file holds more than its length explains. */
    public boolean hasTail() throws IOException {
        return tailBytes() > SLACK_BYTES;
    }

    /**
     * Whether anything is reserved beyond the file's end, as the file system says; as {@link #hasTail} where it does not say so. A file may
     * hold more than its length explains without that: the maps of its extents, and its attributes.
     */
    public boolean hasExtentsBeyondEnd() throws IOException {
        long end = stat().endOfLastBlock();
        try {
            return SpaceCalls.extentsFrom(fd, end) > 0;
        } catch (LastErrorException e) {
            return hasTail();
        }
    }

    /** The file's length. */
    public long lengthBytes() throws IOException {
        return stat().lengthBytes;
    }

    /** The file's space beyond its length, as nearly as the kernel shows it; may be negative. */
    public long tailBytes() throws IOException {
        SpaceCalls.FileStat stat = stat();
        return stat.heldBytes - stat.endOfLastBlock();
    }

    private SpaceCalls.FileStat stat() throws IOException {
        try {
            return SpaceCalls.stat(fd);
        } catch (LastErrorException e) {
            throw failure("fstat", path, e);
        }
    }

    /**
     * Frees what lies beyond the file's end.
     *
     * @param expectedBytes how much that is, as far as the caller knows; at least 1
     * @param first what to try first
     * @return what did it, to be tried first next time; empty if the file still holds the tail
     */
    public Optional<TailMethod> freeTail(long expectedBytes, TailMethod first) throws IOException {
        try {
            SpaceCalls.FileStat before = SpaceCalls.stat(fd);
            if (first == TailMethod.PUNCH
                    && punch(before.endOfLastBlock())
                    && before.heldBytes - SpaceCalls.stat(fd).heldBytes >= expectedBytes / 2
                    && !hasTail()) {
                return Optional.of(TailMethod.PUNCH);
            }
            SpaceCalls.ftruncate(fd, before.lengthBytes);
        } catch (LastErrorException e) {
            throw failure("ftruncate", path, e);
        }
        return hasTail() ? Optional.empty() : Optional.of(TailMethod.TRUNCATE);
    }

    /** How a file system frees a tail. */
    public enum TailMethod {
        PUNCH,
        TRUNCATE
    }

    private boolean punch(long fromBytes) {
        try {
            SpaceCalls.fallocate(
                    fd,
                    SpaceCalls.FALLOC_FL_KEEP_SIZE | SpaceCalls.FALLOC_FL_PUNCH_HOLE,
                    fromBytes,
                    BEYOND_ANY_BLOCK_BYTES);
            return true;
        } catch (LastErrorException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            SpaceCalls.close(fd);
        } catch (LastErrorException e) {
            throw failure("close", path, e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private static IOException failure(String call, Path path, LastErrorException e) {
        int errno = e.getErrorCode();
        String what = call + " failed with errno " + errno;
        if (errno == ENOENT) {
            return new NoSuchFileException(path.toString(), null, what);
        }
        if (errno == ENOSPC || errno == EDQUOT) {
            return new NoSpaceException(path, what);
        }
        if (errno == EOPNOTSUPP || errno == ENOSYS) {
            return new UnsupportedException(path, what);
        }
        FileSystemException failure = new FileSystemException(path.toString(), null, what);
        failure.initCause(e);
        return failure;
    }

    /** The disk, or a quota, is full. */
    public static final class NoSpaceException extends FileSystemException {
        private static final long serialVersionUID = 1L;

        public NoSpaceException(Path path, String what) {
            super(path.toString(), null, what);
        }
    }

    /** The file system does not know the operation. */
    public static final class UnsupportedException extends FileSystemException {
        private static final long serialVersionUID = 1L;

        public UnsupportedException(Path path, String what) {
            super(path.toString(), null, what);
        }
    }
}

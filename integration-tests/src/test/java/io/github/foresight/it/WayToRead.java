/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/** The ways in which an application reads a file of {@link FileVersions}. Each returns the version of all bytes that it has read. */
enum WayToRead {
    /** All bytes from the beginning. */
    ALL {
        @Override
        long version(FSDataInputStream in, Random random) throws IOException {
            return FileVersions.in(ByteBuffer.wrap(in.readAllBytes()));
        }
    },

    /** Some bytes, back to the beginning, and all bytes. */
    AGAIN {
        @Override
        long version(FSDataInputStream in, Random random) throws IOException {
            byte[] some = new byte[PIECE];
            int read = in.read(some);
            in.seek(0);
            return oneOf(part(some, read), ALL.version(in, random));
        }
    },

    /** Pieces by position. */
    POSITIONED {
        @Override
        long version(FSDataInputStream in, Random random) throws IOException {
            byte[] bytes = new byte[PIECE];
            long version = FileVersions.NONE;
            for (int i = 0; i < PIECES; i++) {
                int read = in.read((long) random.nextInt(PIECES) * PIECE, bytes, 0, PIECE);
                version = oneOf(version, part(bytes, read));
            }
            return version;
        }
    },

    /** Pieces by one vectored read. */
    VECTORED {
        @Override
        long version(FSDataInputStream in, Random random) throws IOException {
            List<FileRange> ranges = new ArrayList<>();
            long length = ((HdfsDataInputStream) in).getVisibleLength();
            for (long offset = 0; offset + PIECE <= length && ranges.size() < PIECES; offset += 2 * PIECE) {
                ranges.add(FileRange.createFileRange(offset, PIECE));
            }
            if (ranges.isEmpty()) {
                return POSITIONED.version(in, random);
            }
            in.readVectored(ranges, ByteBuffer::allocate);
            long version = FileVersions.NONE;
            for (FileRange range : ranges) {
                version = oneOf(version, FileVersions.in(get(range)));
            }
            return version;
        }
    };

    private static final int PIECE = 4096;
    private static final int PIECES = 4;

    abstract long version(FSDataInputStream in, Random random) throws IOException;

    private static long part(byte[] bytes, int read) {
        return FileVersions.in(ByteBuffer.wrap(bytes, 0, Math.max(0, read)));
    }

    private static long oneOf(long one, long other) {
        if (one == other || other == FileVersions.NONE) {
            return one;
        }
        return one == FileVersions.NONE ? other : FileVersions.MIXED;
    }

    private static ByteBuffer get(FileRange range) throws IOException {
        try {
            return range.getData().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException) {
                throw (IOException) e.getCause();
            }
            throw new IOException(e.getCause());
        }
    }
}

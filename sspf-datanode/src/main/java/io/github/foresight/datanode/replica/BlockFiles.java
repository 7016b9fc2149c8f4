/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.replica;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;

/** Where a finalized replica's files are. Their paths are put together when they are asked for, for often they are not. Immutable. */
public final class BlockFiles {

    private final FsVolumeSpi volume;
    private final Supplier<Path> data;
    private final Supplier<Path> checksums;
    private final long generationStamp;
    private final long lengthBytes;

    public BlockFiles(
            FsVolumeSpi volume, Supplier<Path> data, Supplier<Path> checksums, long generationStamp, long lengthBytes) {
        this.volume = Objects.requireNonNull(volume, "volume");
        this.data = Objects.requireNonNull(data, "data");
        this.checksums = Objects.requireNonNull(checksums, "checksums");
        this.generationStamp = generationStamp;
        this.lengthBytes = lengthBytes;
    }

    public FsVolumeSpi volume() {
        return volume;
    }

    public Path data() {
        return data.get();
    }

    /** The {@code .meta} file beside the block file. */
    public Path checksums() {
        return checksums.get();
    }

    public long generationStamp() {
        return generationStamp;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    /** Whether the other is on the same volume with the same content. */
    @SuppressWarnings("ReferenceEquality") // a volume that was taken out and put back is another
    public boolean isSameReplica(BlockFiles other) {
        return volume == other.volume && generationStamp == other.generationStamp && lengthBytes == other.lengthBytes;
    }

    /** Finds replicas, without asking a disk; thread-safe. */
    public interface Finder {
        /**
         * Whether this DataNode serves the block pool. To be asked before anything else about a name that a caller sent: HDFS's lock
         * manager keeps a lock for every name that it is asked about.
         */
        boolean serves(String blockPool);

        /** The files of a finalized replica on a local disk, or empty where there is none (of another state, or provided). */
        Optional<BlockFiles> find(String blockPool, long blockId);

        /** The volume that a replica is on, or null where there is none. */
        @Nullable
        FsVolumeSpi volumeOf(String blockPool, long blockId);
    }
}

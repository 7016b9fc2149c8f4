/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.prealloc.PreallocationSettings;
import io.github.foresight.core.prealloc.VolumeAllowance;
import io.github.foresight.core.prealloc.WriteHistory;
import io.github.foresight.core.prealloc.WriteStream;
import io.github.foresight.datanode.guard.Guard;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.pagecache.FileBudget;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.datanode.space.SpaceFile;
import io.github.foresight.protocol.conf.DataNodeKeys;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Preallocation for all volumes of a DataNode. Whatever fails here, the write it came from goes on as with stock HDFS.
 * Thread-safe.
 */
public final class Preallocation implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Preallocation.class);
    private static final Pattern WRITER = Pattern.compile("DataXceiver for client (\\S+) at ");
    private static final long FIRST_LOOK_SECONDS = 1;
    private static final long LEFT_TAIL_SECONDS = 10;

    /** Half of the time after which a client of HDFS's gives a DataNode up; chosen, not measured. */
    private static final long SWEEP_WAIT_MILLIS = 30_000;

    private final PreallocationSettings settings;
    private final long firstWaitNanos;
    private final VolumeSpace.Taker taker;
    private final FileBudget budget;
    private final Supplier<Set<FsVolumeSpi>> volumesInService;
    private final ReadAheadMetrics metrics;
    private final Guard guard;
    private final WriteHistory history;
    private final TailSweep sweep;
    private final ConcurrentHashMap<FsVolumeSpi, VolumeSpace> volumes = new ConcurrentHashMap<>();

    /**
     * Makes an object that has taken nothing yet.
     *
     * @param replicas looks replicas up that a crash left behind
     * @param volumesInService the volumes in service; a volume that was taken out and put back is another object
     */
    public Preallocation(
            DataNodeSettings settings,
            TailSweep.Replicas replicas,
            Supplier<Set<FsVolumeSpi>> volumesInService,
            ReadAheadMetrics metrics) {
        this(settings, SpaceFile::take, replicas, volumesInService, metrics);
    }

    Preallocation(
            DataNodeSettings settings,
            VolumeSpace.Taker taker,
            TailSweep.Replicas replicas,
            Supplier<Set<FsVolumeSpi>> volumesInService,
            ReadAheadMetrics metrics) {
        this.settings = settings.preallocation();
        this.firstWaitNanos = settings.get(DataNodeKeys.PREALLOCATE_WAIT).toNanos();
        this.taker = taker;
        this.budget = new FileBudget(settings.preallocationDescriptorsMax(), 0);
        this.volumesInService = volumesInService;
        this.metrics = metrics;
        this.guard = new Guard("preallocation", metrics, settings.get(DataNodeKeys.FAILURES_MAX), () -> {});
        this.history = new WriteHistory(this.settings);
        this.sweep = new TailSweep(replicas, metrics, guard);
        metrics.gauge(
                "PreallocatedUnusedBytes", "Preallocated bytes that are not used yet", () -> volumes.values().stream()
                        .mapToLong(VolumeSpace::unusedBytes)
                        .sum());
        metrics.gauge(
                "PreallocationDescriptors",
                "Open file descriptors of preallocation, beside HDFS's own",
                budget::descriptors);
        metrics.gauge(
                "PreallocationDescriptorsMax",
                "The most open file descriptors of preallocation",
                budget::maxDescriptors);
        metrics.gauge(
                "PreallocationVolumesOff",
                "Volumes on which preallocation has been switched off",
                () -> volumes.values().stream().filter(VolumeSpace::isOff).count());
    }

    /** Whether space can be managed in this process; says once why not. */
    public static boolean isPossible() {
        String reason = SpaceFile.unavailableReason();
        if (reason != null) {
            LOG.warn("Nothing is preallocated for blocks being written: {}", reason);
        }
        return reason == null;
    }

    /** Runs what belongs to preallocation in HDFS's calls. */
    public Guard guard() {
        return guard;
    }

    /**
     * Watches the stream into a block file; gives the stock stream back where it cannot.
     *
     * @param writtenBytes where the stream stands
     * @param limitBytes the most that the block can hold, as far as space is reserved for it
     */
    public FileOutputStream watch(
            BlockKey block, FsVolumeSpi volume, Path file, FileOutputStream stock, long writtenBytes, long limitBytes) {
        return watch(volume, stock, writtenBytes, limitBytes, space -> {
            String writer = writer();
            WriteStream stream = history.stream(writer, writtenBytes, limitBytes);
            Runnable onEnd = () -> history.ended(writer, stream, limitBytes);
            return new ReplicaSpace(space, space.forBlock(), file, stream, onEnd, leaveTail(block));
        });
    }

    /**
     * Watches the stream into the file of a block's checksums; gives the stock stream back where it cannot.
     *
     * @param writtenBytes where the stream stands
     * @param limitBytes how long the file is when the block is as long as it can be
     */
    public FileOutputStream watchChecksums(
            BlockKey block, FsVolumeSpi volume, Path file, FileOutputStream stock, long writtenBytes, long limitBytes) {
        return watch(volume, stock, writtenBytes, limitBytes, space -> {
            WriteStream stream = WriteStream.ofChecksums(settings, writtenBytes, limitBytes);
            return new ReplicaSpace(space, space.forChecksums(), file, stream, () -> {}, leaveTail(block));
        });
    }

    private FileOutputStream watch(
            FsVolumeSpi volume,
            FileOutputStream stock,
            long writtenBytes,
            long limitBytes,
            Function<VolumeSpace, ReplicaSpace> replica) {
        if (limitBytes <= writtenBytes) {
            return stock;
        }
        return guard.call("watch a replica being written", stock, () -> {
            VolumeSpace space = space(volume);
            return space.isOff() ? stock : watched(stock, replica.apply(space), writtenBytes);
        });
    }

    private Runnable leaveTail(BlockKey block) {
        return () -> sweep.add(block, LEFT_TAIL_SECONDS);
    }

    private static FileOutputStream watched(FileOutputStream stock, ReplicaSpace space, long writtenBytes) {
        try {
            return new PreallocatingOutputStream(stock, space, writtenBytes);
        } catch (IOException e) {
            throw new IllegalStateException("no file descriptor in " + stock, e);
        }
    }

    /** The preallocated bytes on a volume that are still unused; HDFS has it reserved as well. */
    public long unusedBytes(FsVolumeSpi volume) {
        VolumeSpace space = volumes.get(volume);
        return space == null ? 0 : space.reservedUnusedBytes();
    }

    /** These blocks were being written when the DataNode ended last; their preallocated space is freed in a while. */
    public void leftBehind(Collection<BlockKey> blocks) {
        blocks.forEach(block -> sweep.add(block, FIRST_LOOK_SECONDS));
    }

    /**
     * To be called for a replica that is about to be written to or cut, before that and without a lock. Nearly always returns at once.
     *
     * @throws IOException if a disk hangs, or HDFS interrupts the thread; nothing may be written then
     */
    public void beforeChange(BlockKey block) throws IOException {
        beforeChange(block, SWEEP_WAIT_MILLIS);
    }

    void beforeChange(BlockKey block, long waitMillis) throws IOException {
        sweep.awaitEndOf(block, waitMillis);
    }

    private VolumeSpace space(FsVolumeSpi volume) {
        VolumeSpace known = volumes.get(volume);
        if (known != null) {
            return known;
        }
        volumesRemoved();
        return volumes.computeIfAbsent(
                volume,
                unused -> new VolumeSpace(
                        volume, taker, new VolumeAllowance(settings), metrics, guard, budget, firstWaitNanos));
    }

    /** Lets go of volumes that are out of service. */
    public void volumesRemoved() {
        Set<FsVolumeSpi> inService = volumesInService.get();
        volumes.forEach((volume, space) -> {
            if (!inService.contains(volume) && volumes.remove(volume, space)) {
                space.stop();
            }
        });
    }

    /** Volumes that something was written to and that are in service still, as far as known; for tests. */
    int volumeCount() {
        return volumes.size();
    }

    /** The writing client's name, which HDFS puts into its thread's; optional information. */
    private static String writer() {
        Matcher name = WRITER.matcher(Thread.currentThread().getName());
        return name.find() ? name.group(1) : "";
    }

    @Override
    public void close() {
        sweep.close();
        volumes.values().forEach(VolumeSpace::stop);
    }
}

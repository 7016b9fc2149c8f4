/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.Uninterruptibles;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.packs.ChecksumPacks;
import io.github.foresight.datanode.prealloc.Preallocation;
import io.github.foresight.datanode.prefetch.BlockReadAhead;
import io.github.foresight.datanode.replica.BlockFiles;
import io.github.foresight.datanode.settings.DataNodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;

/** A read-ahead over replicas in a directory, without a DataNode around it. */
public final class ReadAheadFixture implements AutoCloseable {

    public static final String POOL = "BP-1";

    public final ReadAheadMetrics metrics = new ReadAheadMetrics();
    public final FakeVolume volume;
    public final DataNodeSettings settings;
    public final BlockReadAhead readAhead;
    public final AtomicInteger volumeLookUps = new AtomicInteger();
    public volatile Set<FsVolumeSpi> volumesInService;
    public volatile Runnable onLookForVolumes = () -> {};
    private final Map<Long, Supplier<? extends Error>> failures = new ConcurrentHashMap<>();
    private volatile CountDownLatch dispatcherMayGo = new CountDownLatch(0);
    private volatile boolean dispatcherLooksUp;
    private final Map<Long, BlockFiles> replicas = new ConcurrentHashMap<>();

    /** The block pools of which a replica was looked up. */
    public final Set<String> poolsAsked = ConcurrentHashMap.newKeySet();

    public ReadAheadFixture(Path directory, Map<String, String> configured) {
        Map<String, String> all = new HashMap<>(Map.of("foresight.datanode.cache.capacity", "64m"));
        all.putAll(configured);
        volume = FakeVolume.at(directory);
        volumesInService = Set.of(volume.spi());
        settings = DataNodeSettings.read(all::get, 0);
        readAhead = new BlockReadAhead(settings, new Replicas(), this::volumesInService, metrics);
    }

    private Set<FsVolumeSpi> volumesInService() {
        onLookForVolumes.run();
        return volumesInService;
    }

    private final class Replicas implements BlockFiles.Finder {

        @Override
        public boolean serves(String pool) {
            return pool.equals(POOL);
        }

        @Override
        public Optional<BlockFiles> find(String pool, long blockId) {
            poolsAsked.add(pool);
            if (Thread.currentThread().getName().equals("foresight-dispatcher")) {
                dispatcherLooksUp = true;
                Uninterruptibles.awaitUninterruptibly(dispatcherMayGo);
                dispatcherLooksUp = false;
                if (failures.containsKey(blockId)) {
                    throw failures.get(blockId).get();
                }
            }
            return pool.equals(POOL) ? Optional.ofNullable(replicas.get(blockId)) : Optional.empty();
        }

        @Override
        public FsVolumeSpi volumeOf(String pool, long blockId) {
            volumeLookUps.incrementAndGet();
            return find(pool, blockId).map(BlockFiles::volume).orElse(null);
        }
    }

    /** Preallocation beside it, for its metrics. */
    public Preallocation preallocation() {
        return new Preallocation(settings, block -> Optional.of(List.of()), () -> volumesInService, metrics);
    }

    /** Packs beside it, for their metrics. */
    public ChecksumPacks packs() {
        return new ChecksumPacks(settings, new Replicas(), metrics);
    }

    public BlockFiles write(long blockId, int lengthBytes) throws IOException {
        BlockFiles files = volume.write(blockId, lengthBytes);
        replicas.put(blockId, files);
        return files;
    }

    /**
     * Has the dispatcher look up a replica, which does not return until the returned action is run. The dispatcher hangs already
     * when this returns.
     *
     * @param hint makes the dispatcher look up a replica
     */
    public Runnable hangDispatcher(Runnable hint) {
        CountDownLatch latch = new CountDownLatch(1);
        dispatcherMayGo = latch;
        hint.run();
        await().until(() -> dispatcherLooksUp);
        return latch::countDown;
    }

    /** From now on the dispatcher fails to look a replica up. */
    public void failOnDispatcher(long blockId, Supplier<? extends Error> how) {
        failures.put(blockId, how);
    }

    /** A gauge's level. */
    public long level(String gauge) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        metrics.getMetrics(collector, true);
        for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
            if (metric.name().equals(gauge)) {
                return metric.value().longValue();
            }
        }
        throw new IllegalArgumentException("no such gauge: " + gauge);
    }

    /** From now on there is no such finalized replica: it was deleted, moved, or opened for writing. */
    public void forget(long blockId) {
        replicas.remove(blockId);
    }

    @Override
    public void close() {
        readAhead.close();
    }
}

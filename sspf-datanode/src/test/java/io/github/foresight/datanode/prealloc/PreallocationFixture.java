/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.datanode.space.SpaceFile;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Proxy;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A preallocation over real files, with the disk's failures put in between. */
abstract class PreallocationFixture {

    static final int BLOCK = 8 << 20;
    static final int PACKET = 64 << 10;

    static final BlockKey KEY = new BlockKey("BP-1", 1);

    @TempDir
    Path directory;

    final ReadAheadMetrics metrics = new ReadAheadMetrics();
    final List<BlockKey> swept = new CopyOnWriteArrayList<>();
    final FsVolumeSpi volume = volume();
    volatile Set<FsVolumeSpi> inService = Set.of(volume);
    volatile VolumeSpace.Taker taker = SpaceFile::take;
    volatile Runnable lookUps = () -> {};
    Preallocation preallocation = preallocation(Map.of());

    @BeforeEach
    void spaceCanBeTaken() throws IOException {
        assumeTrue(SpaceFile.unavailableReason() == null, SpaceFile.unavailableReason());
        Path probe = Files.write(directory.resolve("probe"), new byte[1]);
        try (SpaceFile file = SpaceFile.open(probe)) {
            file.take(0, 4096);
        } catch (SpaceFile.UnsupportedException e) {
            Assumptions.abort("the file system of " + directory + " knows no fallocate");
        }
    }

    @AfterEach
    void close() {
        preallocation.close();
        metrics.unregister();
    }

    long level(String gauge) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        metrics.getMetrics(collector, true);
        for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
            if (metric.name().equals(gauge)) {
                return metric.value().longValue();
            }
        }
        throw new IllegalArgumentException("no such gauge: " + gauge);
    }

    void trip() {
        while (!preallocation.guard().isTripped()) {
            preallocation.guard().run("fail on purpose", () -> {
                throw new IllegalStateException("on purpose");
            });
        }
    }

    static long descriptorsOf(Path file) throws IOException {
        Path real = file.toRealPath();
        long open = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                try {
                    open += Files.readSymbolicLink(descriptor).equals(real) ? 1 : 0;
                } catch (NoSuchFileException e) {
                    open += 0;
                }
            }
        }
        return open;
    }

    /** Space may be taken beside the writer, who may be faster. */
    void taken(long preallocations) {
        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> metrics.preallocations.value() == preallocations);
    }

    Path write(int bytes, long limit) throws IOException {
        return write(bytes, limit, () -> {});
    }

    Path write(int bytes, long limit, Runnable afterTwoPackets) throws IOException {
        Path file = Files.write(directory.resolve("blk_1"), new byte[0]);
        byte[] content = bytes(bytes);
        try (FileOutputStream out = watch(file, 0, limit)) {
            for (int at = 0; at < bytes; at += PACKET) {
                out.write(content, at, Math.min(PACKET, bytes - at));
                if (at == PACKET) {
                    out.getChannel().force(false);
                    afterTwoPackets.run();
                }
            }
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        return file;
    }

    FileOutputStream watch(Path file, long written, long limit) throws IOException {
        return preallocation.watch(KEY, volume, file, stock(file), written, limit);
    }

    /** As HDFS opens one: nothing is cut off. */
    static FileOutputStream stock(Path file) throws IOException {
        return new FileOutputStream(new RandomAccessFile(file.toFile(), "rw").getFD());
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    static long tail(Path file) throws IOException {
        try (SpaceFile space = SpaceFile.open(file)) {
            return space.tailBytes();
        }
    }

    Preallocation preallocation(Map<String, String> configured) {
        Map<String, String> all = new HashMap<>(Map.of(
                "foresight.datanode.cache.capacity", "64m",
                "foresight.datanode.preallocate.wait.time", "100ms"));
        all.putAll(configured);
        return new Preallocation(
                DataNodeSettings.read(all::get, 0),
                (file, offset, length) -> taker.take(file, offset, length),
                block -> {
                    swept.add(block);
                    lookUps.run();
                    return Optional.of(List.of(directory.resolve("blk_" + block.blockId())));
                },
                () -> inService,
                metrics);
    }

    /** A volume with a terabyte. */
    FsVolumeSpi volume() {
        return (FsVolumeSpi) Proxy.newProxyInstance(
                PreallocationFixture.class.getClassLoader(),
                new Class<?>[] {FsVolumeSpi.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getStorageID" -> "DS-1";
                    case "getAvailable" -> 1L << 40;
                    case "toString" -> "volume";
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == args[0];
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}

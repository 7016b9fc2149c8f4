/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.prealloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.util.concurrent.Uninterruptibles;
import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.datanode.metrics.ReadAheadMetrics;
import io.github.foresight.datanode.settings.DataNodeSettings;
import io.github.foresight.datanode.space.SpaceFile;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real files, with the disk's failures put in between. */
class PreallocationTest {

    private static final int BLOCK = 8 << 20;
    private static final int PACKET = 64 << 10;

    /** Longer than the millisecond from which on a disk counts as slow here. */
    private static final long SLOW_NANOS = 2_000_000;

    private static final BlockKey KEY = new BlockKey("BP-1", 1);

    @TempDir
    private Path directory;

    private final ReadAheadMetrics metrics = new ReadAheadMetrics();
    private final List<BlockKey> swept = new CopyOnWriteArrayList<>();
    private final FsVolumeSpi volume = volume();
    private volatile Set<FsVolumeSpi> inService = Set.of(volume);
    private volatile VolumeSpace.Taker taker = SpaceFile::take;
    private volatile Runnable lookUps = () -> {};
    private Preallocation preallocation = preallocation(Map.of());

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

    @Test
    void write_wholeBlock_isTakenAtOnce() throws IOException {
        Path file = write(BLOCK, BLOCK, () -> taken(1));
        assertThat(metrics.preallocations.value()).isEqualTo(1);
        assertThat(metrics.preallocatedBytes.value()).isEqualTo(BLOCK);
        assertThat(metrics.preallocatedBytesFreed.value()).isZero();
        assertThat(preallocation.unusedBytes(volume)).isZero();
        assertThat(tail(file)).isLessThanOrEqualTo(0);
    }

    @Test
    void write_whereStreamsEndEarly_isTakenInTwoSteps_andTheWritersNextBlockAtOnce() throws IOException {
        for (int i = 0; i < 3; i++) {
            write(2 * PACKET, BLOCK);
        }
        long before = metrics.preallocations.value();
        write(BLOCK, BLOCK, () -> taken(before + 2));
        write(BLOCK, BLOCK);
        assertThat(metrics.preallocations.value()).isEqualTo(before + 2 + 1);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void close_early_freesTheTailBeforeTheFileIsClosed() throws IOException {
        Path file = write(3 * PACKET + 17, BLOCK, () -> taken(1));
        assertThat(metrics.preallocatedBytes.value()).isEqualTo(BLOCK);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(metrics.preallocatedBytesFreed.value()).isGreaterThan(BLOCK - 5L * PACKET);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void write_smallFile_takesNothing() throws IOException {
        write(10_000, BLOCK);
        assertThat(metrics.preallocations.value()).isZero();
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void whileWritten_whatIsTakenInAdvanceIsKnown() throws IOException {
        Path file = Files.createFile(directory.resolve("blk_1"));
        try (FileOutputStream out = watch(file, 0, BLOCK)) {
            out.write(new byte[PACKET]);
            out.write(new byte[PACKET]);
            taken(1);
            assertThat(preallocation.unusedBytes(volume)).isEqualTo(BLOCK - 2L * PACKET);
            try (SpaceFile space = SpaceFile.open(file)) {
                assertThat(space.tailBytes()).isGreaterThan(BLOCK - 4L * PACKET);
            }
        }
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void checksums_areTakenAtOnceAndTheirTailIsFreed_howeverOftenAChunkIsWrittenOver() throws IOException {
        Path file = Files.createFile(directory.resolve("blk_1_1.meta"));
        int limit = 1 << 20;
        byte[] packet = bytes(512);
        try (FileOutputStream out = preallocation.watchChecksums(KEY, volume, file, stock(file), 0, limit)) {
            out.write(packet, 0, 7);
            assertThat(metrics.preallocations.value()).isZero();
            for (int i = 0; i < 16; i++) {
                out.write(packet);
            }
            taken(1);
            assertThat(tail(file)).isGreaterThan(limit / 2);
            assertThat(preallocation.unusedBytes(volume))
                    .as("HDFS reserves nothing for checksums")
                    .isZero();
            for (int i = 0; i < 3 * limit / packet.length; i++) {
                out.getChannel().position(out.getChannel().position() - packet.length);
                out.write(packet);
            }
        }
        assertThat(Files.size(file)).isEqualTo(7 + 16 * packet.length);
        assertThat(metrics.preallocatedBytes.value()).isEqualTo(limit);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
    }

    @Test
    void checksums_ofTinyChunks_stayWithinTheVolumesCap() throws IOException {
        preallocation.close();
        preallocation = preallocation(Map.of("foresight.datanode.preallocate.volume.max", "4m"));
        Path file = Files.createFile(directory.resolve("blk_1_1.meta"));
        try (FileOutputStream out = preallocation.watchChecksums(KEY, volume, file, stock(file), 0, 512L << 20)) {
            out.write(bytes(PACKET));
            taken(1);
            assertThat(tail(file)).isBetween(1L, 4L << 20);
        }
        assertThat(tail(file)).isLessThanOrEqualTo(0);
    }

    @Test
    void append_beginsAtTheEnd() throws IOException {
        Path file = write(5 * PACKET + 100, BLOCK);
        byte[] before = Files.readAllBytes(file);
        try (FileOutputStream out = watch(file, before.length, BLOCK)) {
            out.getChannel().position(before.length);
            out.write(bytes(PACKET));
            out.write(bytes(PACKET));
        }
        assertThat(Files.readAllBytes(file))
                .hasSize(before.length + 2 * PACKET)
                .startsWith(before)
                .endsWith(bytes(PACKET));
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void write_diskFullDuringFallocate_isWrittenAllTheSame() throws IOException {
        taker = (file, offset, length) -> {
            // A disk keeps the space that was taken before it was full.
            file.take(offset, length / 2);
            throw new SpaceFile.NoSpaceException(directory, "on purpose");
        };
        write(BLOCK, BLOCK);
        assertThat(tail(write(3 * PACKET, BLOCK))).isLessThanOrEqualTo(0);
        assertThat(metrics.preallocationsRefused.value()).isPositive();
        assertThat(metrics.preallocationErrors.value()).isZero();
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void write_errorFromFallocate_isWrittenAndTheVolumeIsLeftAlone() throws IOException {
        AtomicLong calls = new AtomicLong();
        taker = (file, offset, length) -> {
            calls.incrementAndGet();
            throw new FileSystemException(file.toString(), null, "fallocate failed with errno 5");
        };
        write(BLOCK, BLOCK);
        write(BLOCK, BLOCK);
        assertThat(calls).hasValue(1);
        assertThat(metrics.preallocationErrors.value()).isEqualTo(1);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void write_fileSystemWithoutFallocate_isAskedOnce() throws IOException {
        AtomicLong calls = new AtomicLong();
        taker = (file, offset, length) -> {
            calls.incrementAndGet();
            throw new SpaceFile.UnsupportedException(directory, "on purpose");
        };
        write(BLOCK, BLOCK);
        write(BLOCK, BLOCK);
        assertThat(calls).hasValue(1);
        assertThat(metrics.preallocationErrors.value()).isZero();
    }

    @Test
    void write_defectInTaking_isWrittenAllTheSame() throws IOException {
        taker = (file, offset, length) -> {
            throw new IllegalStateException("on purpose");
        };
        write(BLOCK, BLOCK);
        assertThat(metrics.internalErrors.value()).isPositive();
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void close_whileSpaceIsBeingTaken_waitsAndFreesIt() throws IOException {
        AtomicBoolean written = new AtomicBoolean();
        AtomicBoolean taken = new AtomicBoolean();
        Thread closer = Thread.currentThread();
        taker = (file, offset, length) -> {
            Awaitility.await()
                    .pollInSameThread()
                    .until(() -> written.get()
                            && (closer.getState() == Thread.State.WAITING
                                    || closer.getState() == Thread.State.TIMED_WAITING));
            file.take(offset, length);
            taken.set(true);
        };
        Path file = Files.createFile(directory.resolve("blk_1"));
        FileOutputStream out = watch(file, 0, BLOCK);
        out.write(new byte[PACKET]);
        assertThat(taken).isFalse();
        written.set(true);
        Thread.currentThread().interrupt();
        out.close();
        assertThat(Thread.interrupted()).as("the thread keeps its interrupt").isTrue();
        assertThat(taken).isTrue();
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void slowDisk_isLeftAloneAfterAWhile() throws IOException {
        preallocation.close();
        preallocation = preallocation(Map.of(
                "foresight.datanode.preallocate.slow.time", "1ms", "foresight.datanode.preallocate.slow.max", "3"));
        AtomicLong calls = new AtomicLong();
        taker = (file, offset, length) -> {
            calls.incrementAndGet();
            long begin = System.nanoTime();
            Awaitility.await().pollInSameThread().until(() -> System.nanoTime() - begin > SLOW_NANOS);
            file.take(offset, length);
        };
        for (int i = 0; i < 6; i++) {
            write(BLOCK, BLOCK);
        }
        assertThat(calls).hasValue(3);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void leftBehind_atRest_isFreedAndElseLater() throws IOException {
        Path file = Files.write(directory.resolve("blk_1"), bytes(PACKET));
        try (SpaceFile space = SpaceFile.open(file)) {
            space.take(0, BLOCK);
        }
        preallocation.leftBehind(List.of(KEY));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> metrics.tailsSwept.value() == 1);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes(PACKET));
        assertThat(swept).containsExactly(KEY);
    }

    /** As of a small block's checksums. */
    @Test
    void leftBehind_aSmallTail_isFreed() throws IOException {
        Path file = Files.write(directory.resolve("blk_1"), bytes(6151));
        try (SpaceFile space = SpaceFile.open(file)) {
            space.take(0, 68 << 10);
        }
        preallocation.leftBehind(List.of(KEY));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> metrics.tailsSwept.value() == 1);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes(6151));
    }

    @Test
    void leftBehind_holdingMoreThanItsLengthButNoTail_isNotTouched() throws IOException {
        Path file = Files.write(directory.resolve("blk_1"), bytes(PACKET));
        try {
            Files.setAttribute(file, "user:something", ByteBuffer.allocate(3000));
        } catch (IOException | UnsupportedOperationException e) {
            Assumptions.abort("the file system of " + directory + " keeps no attributes: " + e);
        }
        assumeTrue(tail(file) > 0, "attributes lie in a block of their own");
        FileTime changed = Files.getLastModifiedTime(file);
        CountDownLatch second = new CountDownLatch(2);
        lookUps = second::countDown;
        preallocation.leftBehind(List.of(KEY));
        preallocation.leftBehind(List.of(KEY));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> second.getCount() == 0);

        assertThat(Files.getLastModifiedTime(file)).as("ftruncate sets it").isEqualTo(changed);
        assertThat(metrics.tailsSwept.value()).isZero();
    }

    @Test
    void beforeChange_whileTheSweepIsAtTheBlock_waitsForIt() throws Exception {
        Files.write(directory.resolve("blk_1"), bytes(PACKET));
        CountDownLatch atIt = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        lookUps = () -> {
            atIt.countDown();
            Uninterruptibles.awaitUninterruptibly(goOn);
        };
        preallocation.beforeChange(KEY);
        preallocation.leftBehind(List.of(KEY));
        atIt.await();

        preallocation.beforeChange(new BlockKey("BP-1", 2));
        FutureTask<?> interrupted = writer();
        Thread thread = new Thread(interrupted);
        thread.start();
        Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        thread.interrupt();
        assertThatThrownBy(interrupted::get).hasCauseInstanceOf(InterruptedIOException.class);

        assertThatThrownBy(() -> preallocation.beforeChange(KEY, 1))
                .as("behind a disk that hangs")
                .isInstanceOf(IOException.class)
                .hasMessageContaining("still being freed");

        FutureTask<?> patient = writer();
        Thread waiting = new Thread(patient);
        waiting.start();
        Awaitility.await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        patient.get();
        preallocation.beforeChange(KEY);
    }

    @Test
    void close_afterTheFeatureSwitchedItselfOff_freesTheTailAndTheDescriptor() throws IOException {
        Path file = Files.createFile(directory.resolve("blk_1"));
        FileOutputStream out = watch(file, 0, BLOCK);
        out.write(new byte[PACKET]);
        taken(1);
        trip();
        out.close();
        assertThat(descriptorsOf(file)).isZero();
        assertThat(tail(file)).isLessThanOrEqualTo(0);
        assertThat(preallocation.unusedBytes(volume)).isZero();
    }

    @Test
    void leftBehind_afterTheFeatureSwitchedItselfOff_isFreed() throws IOException {
        Path file = Files.write(directory.resolve("blk_1"), bytes(PACKET));
        try (SpaceFile space = SpaceFile.open(file)) {
            space.take(0, BLOCK);
        }
        trip();
        preallocation.leftBehind(List.of(KEY));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> metrics.tailsSwept.value() == 1);
        assertThat(tail(file)).isLessThanOrEqualTo(0);
    }

    @Test
    void write_descriptorsUsedUp_isWrittenAllTheSame_andTheVolumeGoesOn() throws IOException {
        preallocation.close();
        preallocation = preallocation(Map.of("foresight.datanode.preallocate.descriptors.share", "0"));
        write(BLOCK, BLOCK);
        assertThat(metrics.preallocations.value()).isZero();
        assertThat(metrics.preallocationsRefused.value()).isPositive();
        assertThat(metrics.preallocationErrors.value()).isZero();
        assertThat(preallocation.unusedBytes(volume)).isZero();
        assertThat(level("PreallocationVolumesOff")).isZero();
    }

    @Test
    void whileWritten_descriptorsAreCounted() throws IOException {
        Path file = Files.createFile(directory.resolve("blk_1"));
        try (FileOutputStream out = watch(file, 0, BLOCK)) {
            out.write(new byte[PACKET]);
            taken(1);
            assertThat(level("PreallocationDescriptors")).isEqualTo(1);
        }
        assertThat(level("PreallocationDescriptors")).isZero();
    }

    @Test
    void volumesRemoved_areForgotten() throws IOException {
        write(3 * PACKET, BLOCK);
        preallocation.volumesRemoved();
        assertThat(preallocation.volumeCount()).as("in service").isEqualTo(1);
        inService = Set.of();
        preallocation.volumesRemoved();
        assertThat(preallocation.volumeCount()).isZero();
    }

    private long level(String gauge) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        metrics.getMetrics(collector, true);
        for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
            if (metric.name().equals(gauge)) {
                return metric.value().longValue();
            }
        }
        throw new IllegalArgumentException("no such gauge: " + gauge);
    }

    private FutureTask<?> writer() {
        return new FutureTask<>(() -> {
            preallocation.beforeChange(KEY);
            return null;
        });
    }

    private void trip() {
        while (!preallocation.guard().isTripped()) {
            preallocation.guard().run("fail on purpose", () -> {
                throw new IllegalStateException("on purpose");
            });
        }
    }

    private static long descriptorsOf(Path file) throws IOException {
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
    private void taken(long preallocations) {
        Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> metrics.preallocations.value() == preallocations);
    }

    private Path write(int bytes, long limit) throws IOException {
        return write(bytes, limit, () -> {});
    }

    private Path write(int bytes, long limit, Runnable afterTwoPackets) throws IOException {
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

    private FileOutputStream watch(Path file, long written, long limit) throws IOException {
        return preallocation.watch(KEY, volume, file, stock(file), written, limit);
    }

    /** As HDFS opens one: nothing is cut off. */
    private static FileOutputStream stock(Path file) throws IOException {
        return new FileOutputStream(new RandomAccessFile(file.toFile(), "rw").getFD());
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static long tail(Path file) throws IOException {
        try (SpaceFile space = SpaceFile.open(file)) {
            return space.tailBytes();
        }
    }

    private Preallocation preallocation(Map<String, String> configured) {
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
    private FsVolumeSpi volume() {
        return (FsVolumeSpi) Proxy.newProxyInstance(
                PreallocationTest.class.getClassLoader(),
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.hint.HintedBlock;
import io.github.foresight.core.hint.Reader;
import io.github.foresight.core.hint.SessionId;
import io.github.foresight.datanode.pagecache.HeldFiles;
import io.github.foresight.datanode.prefetch.BlockReadAhead;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica that the directory scanner corrects is released at once. The data set has no DataNode around it, so HDFS's own part of the call
 * fails, as it may on a bad disk.
 */
class DatasetCorrectionTest {

    private static final int BLOCK_BYTES = 1 << 20;

    @TempDir
    private Path directory;

    private ReadAheadFixture fixture;
    private FsDatasetSpi<?> dataset;

    @BeforeEach
    void begin() throws Exception {
        fixture = new ReadAheadFixture(directory, Map.of());
        fixture.write(1, BLOCK_BYTES);
        fixture.write(2, BLOCK_BYTES);
        Class<?> type = Class.forName("org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ForesightDataset");
        dataset = (FsDatasetSpi<?>) withoutConstructor(type);
        Constructor<DataNodeReadAhead> readAhead = DataNodeReadAhead.class.getDeclaredConstructor(BlockReadAhead.class);
        readAhead.setAccessible(true);
        Field field = type.getDeclaredField("readAhead");
        field.setAccessible(true);
        field.set(dataset, readAhead.newInstance(fixture.readAhead));
    }

    /** HDFS's constructor needs a DataNode. */
    private static Object withoutConstructor(Class<?> type) throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field instance = unsafe.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), type);
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    @Test
    void directoryScannersCorrection_releasesTheBlockAndNoOther() throws Exception {
        for (long block = 1; block <= 2; block++) {
            BlockKey key = new BlockKey(ReadAheadFixture.POOL, block);
            fixture.readAhead.hint(
                    new SessionId(1, block),
                    new Reader("client", "10.0.0.1"),
                    List.of(new HintedBlock(key, 1, 0, BLOCK_BYTES)),
                    true);
        }
        await().until(() -> fixture.metrics.prefetchedBlocks.value() == 2);
        long mappings = fixture.level("Mappings");
        long descriptors = fixture.level("Descriptors");
        assertThat(HeldFiles.below(directory)).isNotEmpty();

        Throwable hdfs = catchThrowable(() -> dataset.checkAndUpdate(
                ReadAheadFixture.POOL,
                new ScanInfo(1, directory.toFile(), "blk_1", "blk_1_1.meta", fixture.volume.spi())));

        assertThat(hdfs).as("HDFS's part").isInstanceOf(NullPointerException.class);
        assertThat(fixture.metrics.invalidatedBlocks.value()).isOne();
        await().untilAsserted(() -> {
            assertThat(fixture.level("Mappings")).isEqualTo(mappings / 2);
            assertThat(fixture.level("Descriptors")).isEqualTo(descriptors / 2);
            assertThat(HeldFiles.below(directory)).isNotEmpty().allMatch(file -> file.contains("blk_2"));
        });
        assertThat(fixture.metrics.internalErrors.value()).isZero();
    }
}

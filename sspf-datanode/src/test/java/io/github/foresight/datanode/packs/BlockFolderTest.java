/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.packs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.BlockKey;
import java.io.File;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.Test;

class BlockFolderTest {

    private static final File FINALIZED = new File("/data/current/BP-1/current/finalized");
    private static final FsVolumeSpi VOLUME = volume();

    /** One of which nothing is asked. */
    static FsVolumeSpi volume() {
        return (FsVolumeSpi) Proxy.newProxyInstance(
                BlockFolderTest.class.getClassLoader(), new Class<?>[] {FsVolumeSpi.class}, (self, method, args) -> {
                    throw new UnsupportedOperationException(method.toString());
                });
    }

    @Test
    void blocksOfOneFolder_areInOneFolderForHdfsToo() {
        Map<BlockFolder, File> folders = new HashMap<>();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            long id = random.nextBoolean() ? random.nextInt(1 << 14) : random.nextLong();
            File folder = DatanodeUtil.idToBlockDir(FINALIZED, id);
            assertThat(folders.merge(new BlockFolder(VOLUME, new BlockKey("BP-1", id)), folder, (a, b) -> a))
                    .isEqualTo(folder);
        }
        assertThat(folders).hasSizeLessThan(9_000);
    }

    @Test
    void otherPoolsAndVolumes_haveOtherFolders() {
        BlockFolder folder = new BlockFolder(VOLUME, new BlockKey("BP-1", 256));
        assertThat(new BlockFolder(VOLUME, new BlockKey("BP-1", 511))).isEqualTo(folder);
        assertThat(new BlockFolder(VOLUME, new BlockKey("BP-1", 512))).isNotEqualTo(folder);
        assertThat(new BlockFolder(VOLUME, new BlockKey("BP-2", 256))).isNotEqualTo(folder);
        assertThat(new BlockFolder(volume(), new BlockKey("BP-1", 256))).isNotEqualTo(folder);
    }
}

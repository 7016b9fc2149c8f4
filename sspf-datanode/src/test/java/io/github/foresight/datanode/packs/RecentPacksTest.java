/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.datanode.packs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.hint.BlockKey;
import io.github.foresight.core.pack.Pack;
import io.github.foresight.core.pack.PackEntry;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.Test;

class RecentPacksTest {

    private static final FsVolumeSpi VOLUME = BlockFolderTest.volume();
    private static final int FOLDER_IDS = 256;
    private static final int MANY = 10_000;

    private final RecentPacks recent = new RecentPacks();

    private static BlockFolder folder(int number) {
        return new BlockFolder(VOLUME, new BlockKey("BP-1", (long) number * FOLDER_IDS));
    }

    private static Pack pack(int number) {
        return Pack.EMPTY.with(List.of(new PackEntry((long) number * FOLDER_IDS, 1, 1, 0, new byte[7])));
    }

    @Test
    void find_givesAFoldersOwnPackOrNone() {
        for (int i = 0; i < MANY; i++) {
            Pack pack = pack(i);
            recent.keep(folder(i), pack, recent.position());
            assertThat(recent.find(folder(i))).isSameAs(pack);
        }
        int found = 0;
        for (int i = 0; i < MANY; i++) {
            Pack pack = recent.find(folder(i));
            if (pack != null) {
                found++;
                assertThat(pack.find((long) i * FOLDER_IDS, 1, 1)).isNotNull();
            }
        }
        assertThat(found).as("as many as there are places").isEqualTo(256);
    }

    @Test
    void forget_leavesNone() {
        recent.keep(folder(1), pack(1), recent.position());
        recent.forget();
        assertThat(recent.find(folder(1))).isNull();
    }

    @Test
    void keep_whatWasForgottenMeanwhile_isNotKept() {
        int askedAt = recent.position();
        recent.forget();
        recent.keep(folder(1), pack(1), askedAt);
        assertThat(recent.find(folder(1))).isNull();
    }
}

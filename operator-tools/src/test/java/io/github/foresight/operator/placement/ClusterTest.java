/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.operator.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.foresight.core.layout.ExcludedDirectories;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClusterTest {

    private final ClusterMap nodes = PlacementFixture.cluster(6);

    /** Counts files at some paths. Each file has two blocks on different nodes; one block must move. */
    private LayoutTotals count(ExcludedDirectories excluded, List<String> seen, String... paths) throws Exception {
        LayoutTotals totals = new LayoutTotals();
        FileScan.Visitor visitor = Cluster.counting(excluded, nodes, totals, (file, plan) -> seen.add(file));
        for (String path : paths) {
            visitor.visit(
                    path,
                    PlacementFixture.file(16_386, 2),
                    PlacementFixture.blocks(false, new int[] {0, 1}, new int[] {2, 3}));
        }
        return totals;
    }

    @Test
    void filesInExcludedDirectories_areNeitherCountedNorShown() throws Exception {
        List<String> seen = new ArrayList<>();
        LayoutTotals totals = count(
                new ExcludedDirectories(List.of("/tmp", "/apps/hbase")),
                seen,
                "/tmp/file",
                "/tmpfile",
                "/apps/hbase/data/deep/file",
                "/apps/file",
                "/.reserved/raw/tmp/file");
        assertThat(seen).containsExactly("/tmpfile", "/apps/file");
        assertThat(totals.files()).isEqualTo(2);
        assertThat(totals.moves()).isEqualTo(2);
    }

    @Test
    void nothingExcluded_allAreCounted() throws Exception {
        List<String> seen = new ArrayList<>();
        assertThat(count(new ExcludedDirectories(List.of()), seen, "/tmp/file", "/file")
                        .moves())
                .isEqualTo(2);
        assertThat(seen).containsExactly("/tmp/file", "/file");
    }
}

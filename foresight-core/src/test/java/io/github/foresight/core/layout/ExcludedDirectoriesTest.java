/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.core.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExcludedDirectoriesTest {

    private final ExcludedDirectories excluded = new ExcludedDirectories(List.of("/tmp", "/apps/hbase/data"));

    @ParameterizedTest
    @ValueSource(strings = {"/tmp", "/tmp/file", "/tmp/a/b/c", "/apps/hbase/data/x", "/.reserved/raw/tmp/file"})
    void contains_whatLiesInADirectoryAtAnyDepth(String path) {
        assertThat(excluded.contains(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/tmpfile", "/apps", "/apps/hbase", "/apps/hbase/database", "/user/tmp/file", "tmp"})
    void contains_notAPathWithASimilarName(String path) {
        assertThat(excluded.contains(path)).isFalse();
    }

    @Test
    void contains_theRoot_excludesAll() {
        assertThat(new ExcludedDirectories(List.of("/")).contains("/a/file")).isTrue();
    }

    @Test
    void contains_noDirectoryOrNoPath_isFalse() {
        assertThat(new ExcludedDirectories(List.of()).contains("/a")).isFalse();
        assertThat(excluded.contains(null)).isFalse();
    }
}

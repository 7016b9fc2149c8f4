/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PlainPathsTest {

    @Test
    void plain_isAbsoluteWithoutSuperfluousSlashes() {
        assertThat(List.of("/a", "/a/b", "/a/.b", "/a/..b/c", "/.reservedly", "/d/.snapshot/s/f"))
                .allMatch(PlainPaths::isPlain);
        assertThat(List.of("", "/", "a", "/a/", "/a//b", "//a", "/a/./b", "/a/..", "/.reserved/raw/a", "/.reserved"))
                .noneMatch(PlainPaths::isPlain);
    }

    @Test
    void changed_isPlain_orTheRootWhereTheFileCannotBeTold() {
        assertThat(PlainPaths.changed(
                        List.of("/a", "/a/", "//a///b/", "/.reserved/raw/a/b", "/.reserved/.inodes/7", "a/b")))
                .containsExactly("/a", "/a", "/a/b", "/a/b", "/", "/");
        assertThat(PlainPaths.changed(List.of("/", "/.reserved/raw", "/a/../b")))
                .containsOnly("/");
    }
}

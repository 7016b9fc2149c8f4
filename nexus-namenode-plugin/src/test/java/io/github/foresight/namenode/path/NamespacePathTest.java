/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.path;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamespacePathTest {

    @Test
    void of_variousSpellings_isOnePath() {
        assertThat(NamespacePath.of("/a/b")).isEqualTo("/a/b");
        assertThat(NamespacePath.of("/a/b/")).isEqualTo("/a/b");
        assertThat(NamespacePath.of("//a///b//")).isEqualTo("/a/b");
        assertThat(NamespacePath.of("/.reserved/raw/a/b")).isEqualTo("/a/b");
        assertThat(NamespacePath.of("/")).isEmpty();
        assertThat(NamespacePath.of("/.reserved/raw/")).isEmpty();
        assertThat(NamespacePath.of("/a/.snapshot/s1/b")).isEqualTo("/a/.snapshot/s1/b");
    }

    @Test
    void of_whatNeedsTheNamesystem_isNone() {
        assertThat(NamespacePath.of("/.reserved/.inodes/16386/b")).isNull();
        assertThat(NamespacePath.of("/.reserved/raw/.reserved/.inodes/16386")).isNull();
        assertThat(NamespacePath.of("relative")).isNull();
        assertThat(NamespacePath.of(null)).isNull();
        assertThat(NamespacePath.of("/.reserved/.inodesish")).isEqualTo("/.reserved/.inodesish");
    }

    @Test
    void parent_isTheDirectory() {
        assertThat(NamespacePath.parent("/a/b")).isEqualTo("/a");
        assertThat(NamespacePath.parent("/a")).isEmpty();
        assertThat(NamespacePath.parent("")).isEmpty();
    }
}

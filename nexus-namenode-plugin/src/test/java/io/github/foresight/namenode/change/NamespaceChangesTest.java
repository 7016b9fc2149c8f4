/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamespaceChangesTest {

    private static final String EVERYTHING = "everything";

    private final List<String> told = new ArrayList<>();
    private final NamespaceChanges changes = new NamespaceChanges(
            path -> path.startsWith("/.reserved/.inodes/7") ? path.replace("/.reserved/.inodes/7", "/seven") : null,
            new NamespaceChanges.Listener() {
                @Override
                public void changed(String path) {
                    if (path.equals("/broken")) {
                        throw new IllegalStateException("broken");
                    }
                    told.add(path);
                }

                @Override
                public void everythingChanged() {
                    told.add(EVERYTHING);
                }
            });

    private List<String> audited(String command, String source, String target) {
        told.clear();
        changes.audited(command, source, target);
        return told;
    }

    @Test
    void audited_changes_areReportedWithTheirPaths() {
        assertThat(audited("delete", "/a/f", null)).containsExactly("/a/f");
        assertThat(audited("rename", "/a/f", "/b/")).containsExactly("/a/f", "/b");
        assertThat(audited("rename (options=[OVERWRITE])", "/a/f", "/b/f")).containsExactly("/a/f", "/b/f");
        assertThat(audited("renameSnapshot", "/a/.snapshot/s", "/a/.snapshot/t"))
                .containsExactly("/a/.snapshot/s", "/a/.snapshot/t");
        assertThat(audited("deleteSnapshot", "/a/.snapshot/s", null)).containsExactly("/a/.snapshot/s");
        assertThat(audited("setPermission", "/.reserved/raw/a", null)).containsExactly("/a");
    }

    @Test
    void audited_renameByInode_reportsThatAnythingMayHaveChanged() {
        assertThat(audited("rename", "/.reserved/.inodes/7", "/b/f"))
                .as("the inode stands for the new path by now")
                .containsExactly(EVERYTHING);
        assertThat(audited("rename (options=[OVERWRITE])", "/.reserved/.inodes/7/x", "/b/f"))
                .containsExactly(EVERYTHING);
        assertThat(audited("delete", "/.reserved/.inodes/8", null)).containsExactly(EVERYTHING);
        assertThat(audited("setPermission", "/.reserved/.inodes/7", null)).containsExactly("/seven");
    }

    @Test
    void audited_concat_reportsItsDirectory() {
        assertThat(audited("concat", "[/a/x, /a/y, z]", "/a/target")).containsExactly("/a");
        assertThat(audited("concat", "[/.reserved/.inodes/8]", "/.reserved/.inodes/7/target"))
                .containsExactly("/seven");
        assertThat(audited("concat", "[/x]", "/.reserved/.inodes/8")).containsExactly(EVERYTHING);
    }

    @Test
    void audited_readsAndOtherThings_areNotReported() {
        assertThat(audited("open", "/a/f", null)).isEmpty();
        assertThat(audited("mkdirs", "/a", null)).isEmpty();
        assertThat(audited("addCachePool", "{name: p}", null)).isEmpty();
        assertThat(audited("somethingNew", null, null)).isEmpty();
    }

    @Test
    void audited_commandThatIsNotKnown_mayHaveChangedItsPaths() {
        assertThat(audited("swap", "/a/f", "/b/f")).containsExactly("/a/f", "/b/f");
    }

    @Test
    void changed_byInode_isResolvedOrEverything() {
        assertThat(audited("delete", "/.reserved/.inodes/7/f", null)).containsExactly("/seven/f");
        assertThat(audited("delete", "/.reserved/.inodes/8", null)).containsExactly(EVERYTHING);
    }

    @Test
    void changed_listenerFails_everythingHasChanged() {
        assertThatThrownBy(() -> changes.changed("/broken")).isInstanceOf(IllegalStateException.class);
        assertThat(told).containsExactly(EVERYTHING);
    }
}

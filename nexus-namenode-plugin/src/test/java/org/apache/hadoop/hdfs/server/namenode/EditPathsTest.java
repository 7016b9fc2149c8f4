/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.OpInstanceCache;
import org.junit.jupiter.api.Test;

class EditPathsTest {

    private static final String EVERYTHING = "everything";

    private final OpInstanceCache cache = new OpInstanceCache();

    private static List<String> told(FSEditLogOp edit) {
        List<String> told = new ArrayList<>();
        EditPaths.tell(edit, told::add, () -> told.add(EVERYTHING));
        return told;
    }

    private <T extends FSEditLogOp> T op(FSEditLogOpCodes code) {
        return cache.get(code);
    }

    /** A kind of edit that HDFS adds must be looked at: until then it makes clients forget everything. */
    @Test
    void tell_everyKindOfEdit_isKnown() {
        Set<FSEditLogOpCodes> obsoleteOrNone = EnumSet.of(FSEditLogOpCodes.OP_INVALID);
        for (FSEditLogOpCodes code : FSEditLogOpCodes.values()) {
            if (obsoleteOrNone.contains(code)) {
                continue;
            }
            if (EditPaths.UNCHANGING.contains(code)) {
                assertThat(told(op(code))).as("%s", code).isEmpty();
            } else if (code == FSEditLogOpCodes.OP_CONCAT_DELETE) {
                assertThat(told(concat())).containsExactly("/a/target", "/a/x", "/a/y, z");
            } else {
                assertThat(told(op(code))).as("%s", code).isNotEmpty().doesNotContain(EVERYTHING);
            }
        }
    }

    private FSEditLogOp concat() {
        FSEditLogOp.ConcatDeleteOp concat = op(FSEditLogOpCodes.OP_CONCAT_DELETE);
        concat.trg = "/a/target";
        concat.srcs = new String[] {"/a/x", "/a/y, z"};
        return concat;
    }

    @Test
    void tell_invalid_isEverything() {
        assertThat(told(op(FSEditLogOpCodes.OP_INVALID))).containsExactly(EVERYTHING);
    }

    @Test
    void tell_rename_isBothPaths() {
        FSEditLogOp.RenameOp rename = op(FSEditLogOpCodes.OP_RENAME);
        rename.src = "/a";
        rename.dst = "/b";
        assertThat(told(rename)).containsExactly("/a", "/b");
        FSEditLogOp.RenameSnapshotOp snapshot = op(FSEditLogOpCodes.OP_RENAME_SNAPSHOT);
        snapshot.snapshotRoot = "/a";
        snapshot.snapshotOldName = "s";
        snapshot.snapshotNewName = "t";
        assertThat(told(snapshot)).containsExactly("/a/.snapshot/s", "/a/.snapshot/t");
    }

    @Test
    void tell_accessTimeAlone_isNoChange() {
        FSEditLogOp.TimesOp times = op(FSEditLogOpCodes.OP_TIMES);
        times.path = "/a";
        times.mtime = -1;
        times.atime = 5;
        assertThat(told(times)).isEmpty();
        times.mtime = 5;
        assertThat(told(times)).containsExactly("/a");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp.OpInstanceCache;
import org.apache.hadoop.hdfs.util.XMLUtils;
import org.junit.jupiter.api.Test;
import org.xml.sax.ContentHandler;

class EditPathsTest {

    private static final String EVERYTHING = "everything";

    private final OpInstanceCache cache = new OpInstanceCache();

    private static List<String> told(FSEditLogOp edit) {
        List<String> told = new ArrayList<>();
        EditPaths.report(edit, told::add, () -> told.add(EVERYTHING));
        return told;
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // the code names the class, as for HDFS's cache
    private <T extends FSEditLogOp> T op(FSEditLogOpCodes code) {
        return cache.get(code);
    }

    /** A kind of edit that HDFS adds must be looked at: until then it makes clients forget everything. */
    @Test
    void tell_everyKindOfEdit_isKnown() {
        int known = 0;
        for (FSEditLogOpCodes code : FSEditLogOpCodes.values()) {
            if (op(code) == null) {
                // No edit has it any more.
                continue;
            }
            known++;
            if (EditPaths.UNCHANGING.contains(code)) {
                assertThat(told(op(code))).as("%s", code).isEmpty();
            } else if (code == FSEditLogOpCodes.OP_CONCAT_DELETE) {
                assertThat(told(concat())).containsExactly("/a/target", "/a/x", "/a/y, z");
            } else {
                assertThat(told(op(code))).as("%s", code).isNotEmpty().doesNotContain(EVERYTHING);
            }
        }
        assertThat(known).isGreaterThan(EditPaths.UNCHANGING.size());
    }

    private FSEditLogOp concat() {
        FSEditLogOp.ConcatDeleteOp concat = op(FSEditLogOpCodes.OP_CONCAT_DELETE);
        concat.trg = "/a/target";
        concat.srcs = new String[] {"/a/x", "/a/y, z"};
        return concat;
    }

    @Test
    void tell_invalid_isEverything() {
        FSEditLogOp invalid = new FSEditLogOp(FSEditLogOpCodes.OP_INVALID) {
            @Override
            void resetSubFields() {}

            @Override
            void readFields(DataInputStream in, int logVersion) {}

            @Override
            public void writeFields(DataOutputStream out) {}

            @Override
            protected void toXml(ContentHandler contentHandler) {}

            @Override
            void fromXml(XMLUtils.Stanza stanza) {}
        };
        assertThat(told(invalid)).containsExactly(EVERYTHING);
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.change;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.TailedEdits;
import org.jspecify.annotations.Nullable;

/** {@link ChangeTail.Edits} of a NameNode. Thread-safe. */
public final class NamespaceEdits implements ChangeTail.Edits {

    private final TailedEdits edits;

    public NamespaceEdits(NameNode nameNode) throws ReflectiveOperationException {
        this.edits = new TailedEdits(nameNode);
    }

    public List<AuditLogger> auditLoggers() {
        return edits.auditLoggers();
    }

    @Override
    public boolean isActive() {
        return edits.isActive();
    }

    @Override
    public long lastTransition() {
        return edits.lastTransition();
    }

    @Override
    public long lastApplied() {
        return edits.lastApplied();
    }

    @Override
    public long read(long after, long upTo, NamespaceChanges changes) throws IOException {
        return edits.read(after, upTo, changes::changed, changes::everythingChanged);
    }

    /** {@link NamespaceChanges.InodePaths}. */
    @Nullable
    public String resolve(String path) {
        return edits.resolve(path);
    }
}

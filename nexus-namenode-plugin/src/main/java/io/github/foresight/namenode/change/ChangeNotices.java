/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode.change;

import io.github.foresight.namenode.guard.Feature;
import io.github.foresight.namenode.guard.Features;
import io.github.foresight.namenode.path.NamespacePath;
import org.jspecify.annotations.Nullable;

/**
 * Brings the active NameNode's own changes to {@link NamespaceChanges}, in the guard of {@link Feature#INVALIDATE}: from HDFS's audit log
 * where {@link io.github.foresight.namenode.ChangeAuditLogger} is configured, else from our translator. Thread-safe.
 */
public final class ChangeNotices {

    private final Features features;
    private final NamespaceChanges changes;
    private final Invalidations invalidations;
    private volatile boolean audited;

    public ChangeNotices(Features features, NamespaceChanges changes, Invalidations invalidations) {
        this.features = features;
        this.changes = changes;
        this.invalidations = invalidations;
    }

    /**
     * Takes HDFS's audit log as the source of changes from now on.
     *
     * @param recalls recalls the changed files' layouts from clients, whether or not {@link Feature#INVALIDATE} is on
     * @return the listener for the audit logger
     */
    public AuditedOperations listenToAuditLog(NamespaceChanges recalls) {
        audited = true;
        return (command, source, target) -> {
            recalls.audited(command, source, target);
            audited(command, source, target);
        };
    }

    public boolean isAudited() {
        return audited;
    }

    private void audited(String command, @Nullable String source, @Nullable String target) {
        if (features.isOn(Feature.INVALIDATE)) {
            features.run(Feature.INVALIDATE, () -> changes.audited(command, source, target));
        } else {
            invalidations.missedChange();
        }
    }

    /** The translator has carried out a change. Does nothing if the audit log is the source of changes. */
    public void changedByRpc(String path) {
        if (audited) {
            return;
        }
        if (features.isOn(Feature.INVALIDATE)) {
            features.run(Feature.INVALIDATE, () -> {
                if (NamespacePath.of(path) == null) {
                    // A rename may have given the inode another path.
                    changes.everythingChanged();
                } else {
                    changes.changed(path);
                }
            });
        } else {
            invalidations.missedChange();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import io.github.foresight.namenode.path.NamespacePath;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the active NameNode's own changes to {@link NamespaceChanges}, in the guard of {@link Feature#INVALIDATE}: from HDFS's audit log
 * where {@link ChangeAuditLogger} is configured, else from our translator. Thread-safe.
 */
final class ChangeNotices {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeNotices.class);

    private final Features features;
    private final NamespaceChanges changes;
    private final Invalidations invalidations;
    private volatile boolean audited;

    ChangeNotices(Features features, NamespaceChanges changes, Invalidations invalidations) {
        this.features = features;
        this.changes = changes;
        this.invalidations = invalidations;
    }

    /**
     * Listens to the one of ours among HDFS's audit loggers.
     *
     * @param recalls has layouts recalled that clients hold of what has changed, whether or not the feature is on
     * @return it, or null if there is none
     */
    @Nullable
    ChangeAuditLogger listenTo(List<AuditLogger> loggers, NamespaceChanges recalls) {
        for (AuditLogger logger : loggers) {
            if (logger instanceof ChangeAuditLogger) {
                ChangeAuditLogger ours = (ChangeAuditLogger) logger;
                ours.tell((command, source, target) -> {
                    recalls.audited(command, source, target);
                    audited(command, source, target);
                });
                audited = true;
                return ours;
            }
        }
        LOG.warn(
                "dfs.namenode.audit.loggers does not name {}: no client gets a lease, and others are not told of changes by"
                        + " WebHDFS, nor by way of dfs.namenode.servicerpc-address, before their entries' age is over. Set it to"
                        + " 'default,{}'",
                ChangeAuditLogger.class.getName(),
                ChangeAuditLogger.class.getName());
        return null;
    }

    boolean isAudited() {
        return audited;
    }

    private void audited(String command, @Nullable String source, @Nullable String target) {
        if (features.isOn(Feature.INVALIDATE)) {
            features.run(Feature.INVALIDATE, () -> changes.audited(command, source, target));
        } else {
            invalidations.missedChange();
        }
    }

    /** Our translator has carried out a change; nothing new where the audit log has told of it. */
    void changedByRpc(String path) {
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

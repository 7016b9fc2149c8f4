/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.namenode;

import io.github.foresight.namenode.change.AuditedOperations;
import java.net.InetAddress;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.jspecify.annotations.Nullable;

/**
 * Notices the operations that HDFS would write to its audit log; named in {@code dfs.namenode.audit.loggers} beside {@code default}. It
 * writes nothing.
 *
 * <p>HDFS makes it before the plugin is started, calls it on the handler of each operation that has ended, and drops what it throws on the
 * caller: it throws nothing. Thread-safe.
 */
public final class ChangeAuditLogger implements AuditLogger {

    private volatile @Nullable AuditedOperations listener;

    /** Called by HDFS through reflection. */
    public ChangeAuditLogger() {}

    @Override
    public void initialize(Configuration conf) {}

    /** Finds the logger that HDFS made of this class, or null. */
    static @Nullable ChangeAuditLogger among(List<AuditLogger> loggers) {
        for (AuditLogger logger : loggers) {
            if (logger instanceof ChangeAuditLogger) {
                return (ChangeAuditLogger) logger;
            }
        }
        return null;
    }

    /** Passes all later operations to a listener; null passes them to nobody. */
    void passTo(@Nullable AuditedOperations to) {
        listener = to;
    }

    @Override
    public void logAuditEvent(
            boolean succeeded,
            @Nullable String userName,
            @Nullable InetAddress address,
            @Nullable String command,
            @Nullable String source,
            @Nullable String target,
            @Nullable FileStatus status) {
        AuditedOperations to = listener;
        if (to != null && succeeded && command != null) {
            to.audited(command, source, target);
        }
    }
}
